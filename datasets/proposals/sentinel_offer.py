"""sentinel_offer: numbers such as -999 that probably mean a missing value, with one press to count them so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.columns.cells import numbers_of
from datasets.columns.sentinels import sentinel_in
from datasets.proposals.plan import Plan
from datasets.reading import ReadAnswer, ReadOptions, ReadQuestion


def sentinel_offer(plan: Plan, options: ReadOptions) -> ReadQuestion | None:
    """Ask about the sentinels of all columns of numbers that are used; None where there are none."""
    found: dict[str, str] = {}  # as written -> the first column that holds it
    for column in plan.planned:
        if column.role != "number":
            continue
        values = numbers_of(plan.table, column.name).values
        sentinel = sentinel_in(values)
        if sentinel is None:
            continue
        cells = plan.table.column(column.name)
        for k in np.flatnonzero(values == sentinel):
            found.setdefault(cells[k], column.name)
    if not found:
        return None
    cells_found = " and ".join(found)
    columns = ", ".join(repr(name) for name in list(dict.fromkeys(found.values()))[:3])
    text = f"{cells_found} in {columns} lies far below all other values. Does it mean a missing value?"
    missing = (*options.missing, *found)
    return ReadQuestion(text, (ReadAnswer(f"count {cells_found} as missing", replace(options, missing=missing)),))
