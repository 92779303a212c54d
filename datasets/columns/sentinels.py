"""Sentinels: numbers such as -999 that probably mean a missing value; pointed out, never replaced silently."""

from __future__ import annotations

import numpy as np

from datasets.base.counted import counted

_USUAL = (-99999.0, -9999.0, -999.0, -99.0)


def sentinel_in(values: np.ndarray) -> float | None:
    """The usual sentinel that lies far below all other values (n_rows,) of a column; None where there is none."""
    known = values[~np.isnan(values)]
    if not known.size or known.min() not in _USUAL:
        return None
    number = float(known.min())
    others = known[known != number]
    return number if others.size and others.min() > number / 10 else None


def sentinel_note(name: str, values: np.ndarray) -> str:
    """A sentence about the sentinel of a column, "" where it has none."""
    number = sentinel_in(values)
    if number is None:
        return ""
    cells = counted(int(np.sum(values == number)), "cell says", "cells say")
    return (
        f"Column {name!r}: {cells} {number:.0f}, far below the others; where that means a missing value, add "
        "it to the words for missing values."
    )
