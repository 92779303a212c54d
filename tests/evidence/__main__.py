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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nca_core.training.warm_up import compile_all
from tests.evidence.record import SECTIONS


@dataclass(frozen=True)
class Difference:
    """One value that differs; None where there is none."""

    path: tuple[str, ...]  # in the record
    before: Any
    after: Any
    relative: float = math.inf  # size of the difference of two numbers


def differences(before: Any, after: Any, path: tuple[str, ...] = ()) -> Iterator[Difference]:
    """Each leaf that differs between two records, depth first."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in (*before, *(key for key in after if key not in before)):
            yield from differences(before.get(key), after.get(key), (*path, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, pair in enumerate(zip(before, after, strict=True)):
            yield from differences(*pair, (*path, str(place)))
    elif _is_number(before) and _is_number(after):
        if before != after and not (math.isnan(before) and math.isnan(after)):
            yield Difference(path, before, after, abs(after - before) / max(abs(before), abs(after)))
    elif before != after:
        yield Difference(path, before, after)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


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


def compare(before: Path, after: Path, tolerance: float, show_all: bool) -> int:
    """Print what differs in each section; 1 where anything does by more than `tolerance`."""
    a, b = (json.loads(file.read_text(encoding="utf-8")) for file in (before, after))
    differs = 0
    for name in (*a, *(name for name in b if name not in a)):
        if name not in a or name not in b:
            print(f"{name}: only in {before if name in a else after}")
            continue
        all_found = list(differences(a[name], b[name]))
        found = [each for each in all_found if each.relative > tolerance]
        small = len(all_found) - len(found)
        print(f"{name}: {len(found)} differences" + (f", {small} within {tolerance:g}" if small else ""))
        for each in found if show_all else found[:12]:
            print(f"  {' / '.join(each.path)}\n    - {_short(each.before)}\n    + {_short(each.after)}")
        if len(found) > 12 and not show_all:
            print(f"  ... and {len(found) - 12} more; --all shows them")
        differs += len(found)
    return 1 if differs else 0


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 400 else f"{text[:400]}..."


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
    comparing.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    if arguments.command == "record":
        return record(arguments.file, arguments.only)
    return compare(arguments.before, arguments.after, arguments.tolerance, arguments.all)


if __name__ == "__main__":
    sys.exit(main())
