"""Whether a column's numbers are whole, and whether they are too many and too different to be classes."""

from __future__ import annotations

import numpy as np

from datasets.columns.cells import Levels, Numbers

_MANY_VALUES = 20


def whole(numbers: Numbers) -> bool:
    """Whether every number of the column is whole and finite."""
    known = numbers.values[~np.isnan(numbers.values)]
    return bool(np.isfinite(known).all() and (known == np.floor(known)).all())


def many_numbers(levels: Levels, numbers: Numbers) -> bool:
    """Whether the column holds numbers that are too many and too different to be classes."""
    n_values = sum(map(bool, levels.values))
    if n_values <= _MANY_VALUES or numbers.words.any():
        return False
    return n_values > 50 or not whole(numbers)
