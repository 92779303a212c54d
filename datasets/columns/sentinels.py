"""Sentinels: numbers such as -999 that probably mean a missing value; pointed out, never replaced silently."""

from __future__ import annotations

import numpy as np

from datasets.base.counted import counted

_USUAL = (-99999.0, -9999.0, -999.0, -99.0)


def sentinel_note(name: str, values: np.ndarray) -> str:
    """Return a sentence where a usual sentinel lies far below all other values (n_rows,) of the column, else ""."""
    known = values[~np.isnan(values)]
    for number in _USUAL:
        n_cells = int(np.sum(known == number))
        others = known[known != number]
        if n_cells and others.size and others.min() > number / 10:
            cells = counted(n_cells, "cell says", "cells say")
            return (
                f"Column {name!r}: {cells} {number:.0f}, far below the others; where that means a missing value, add "
                "it to the words for missing values."
            )
    return ""
