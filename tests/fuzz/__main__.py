"""Fuzz the readers with mutated files of each binary format; list what it finds, and answer 1 where that is anything.

python -m tests.fuzz [--files 1000] [--seed 0]
"""

import argparse
import sys

from tests.fuzz.files import fuzz_files


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Mutated files of each binary format.")
    parser.add_argument("--files", type=int, default=1_000, help="of each format")
    parser.add_argument("--seed", type=int, default=0)
    said = parser.parse_args()
    found = fuzz_files(said.files, said.seed)
    print(*found, f"{len(found)} faults", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
