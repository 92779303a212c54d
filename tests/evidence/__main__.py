"""Record what the product computes and says, or compare two records.

python -m tests.evidence record FILE [--only tables links ...]
python -m tests.evidence compare FILE_A FILE_B [--tolerance 1e-9] [--all]
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nca_core.training.warm_up import compile_all
from tests.evidence.record import SECTIONS


def record(file: Path, names: list[str]) -> int:
    """Write the sections to `file`; those that it has already and that are not asked for stay."""
    compile_all()  # before the first sum over neighbours: until then sums are uncompiled, with other last digits
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    for name in names:
        began = time.perf_counter()
        found[name] = SECTIONS[name]()
        print(f"{name}: {len(found[name])} entries in {time.perf_counter() - began:.0f} s", flush=True)
        file.write_text(json.dumps(found, indent=1, ensure_ascii=False, default=float), encoding="utf-8")
    return 0


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Path and value of each leaf of a record."""
    if isinstance(value, dict | list) and value:
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(each, f"{path} / {key}")
    else:
        yield path, value


def same(before: Any, after: Any, tolerance: float) -> bool:
    """Whether two leaves are equal, numbers within a relative tolerance."""
    if type(before) in (int, float) and type(after) in (int, float):
        both_nan = math.isnan(before) and math.isnan(after)
        return both_nan or math.isclose(before, after, rel_tol=tolerance)
    return bool(before == after)


def compare(before: Path, after: Path, tolerance: float, most: int | None) -> int:
    """Print up to `most` values that differ in each section; 1 where anything does."""
    a, b = (json.loads(file.read_text(encoding="utf-8")) for file in (before, after))
    differs = 0
    for name in {**a, **b}:
        if name not in a or name not in b:
            print(f"{name}: only in {before if name in a else after}")
            continue
        one, two = dict(leaves(a[name])), dict(leaves(b[name]))
        gone = object()
        found = [path for path in {**one, **two} if not same(one.get(path, gone), two.get(path, gone), tolerance)]
        print(f"{name}: {len(found)} differences")
        for path in found[:most]:
            print(f" {path}\n    - {str(one.get(path, 'none'))[:400]}\n    + {str(two.get(path, 'none'))[:400]}")
        differs += len(found)
    return 1 if differs else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.evidence", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("file", type=Path)
    recording.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS))
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--tolerance", type=float, default=1e-9)
    comparing.add_argument("--all", dest="most", action="store_const", const=None, default=12, help="print all of them")
    asked = parser.parse_args()
    if asked.command == "record":
        return record(asked.file, asked.only)
    return compare(asked.before, asked.after, asked.tolerance, asked.most)


if __name__ == "__main__":
    sys.exit(main())
