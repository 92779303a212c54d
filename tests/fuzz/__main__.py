"""Fuzzing by command.

    python -m tests.fuzz [files] [sockets] [--files 1000] [--messages 10000] [--seed 0]

Mutated files of each binary format, and mutated messages to each socket and to the routes of a server that it starts
on this machine. What it finds is listed; the command answers 1 where that is anything.
"""

import argparse
import sys

from tests.fuzz.files import fuzz_files
from tests.fuzz.sockets import fuzz_sockets


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Mutated files and messages.")
    parser.add_argument("what", nargs="*", choices=["files", "sockets", []], help="both unless one is named")
    parser.add_argument("--files", type=int, default=1_000, help="of each binary format")
    parser.add_argument("--messages", type=int, default=10_000, help="to each socket, and to the routes")
    parser.add_argument("--seed", type=int, default=0)
    said = parser.parse_args(words)
    found = []
    if not said.what or "files" in said.what:
        found += fuzz_files(said.files, said.seed)
    if not said.what or "sockets" in said.what:
        found += fuzz_sockets(said.messages, said.seed)
    for fault in found:
        print(fault)
    print(f"{len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
