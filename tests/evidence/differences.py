"""differences: what two records do not have in common."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


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
