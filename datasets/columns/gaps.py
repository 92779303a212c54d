"""Missing values: where a plan's features have gaps, what each choice costs, and which rows and columns it leaves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.base.counted import counted
from datasets.base.errors import DataError
from datasets.base.first_few import first_few
from datasets.columns.cells import numbers_of, odd_cells
from datasets.columns.plan import CATEGORY_GAPS, MISSING_CHOICES, ColumnPlan, MissingCost
from datasets.reading import Table


@dataclass(frozen=True)
class Kept:
    """What stays of a table with gaps.

    Attributes
    ----------
    rows : np.ndarray
        bool (n_rows,), the rows that stay.
    features : tuple[str, ...]
        The columns of the table that stay.
    n_filled : int
        Cells of the table that are filled in.
    """

    rows: np.ndarray
    features: tuple[str, ...]
    n_filled: int


def feature_gaps(table: Table, plan: ColumnPlan, name: str) -> np.ndarray:
    """Missing cells of a feature, bool (n_rows,); none where a missing category is a level or filled by itself."""
    if name in plan.categories:
        gaps = numbers_of(table, name).gaps
        return gaps if plan.category_gaps == "gap" else np.zeros(len(gaps), dtype=bool)
    numbers = numbers_of(table, name)
    return numbers.gaps | odd_cells(numbers) if name in plan.odd_as_missing else numbers.gaps


def kept_by(table: Table, plan: ColumnPlan, choice: str) -> Kept:
    """The rows and columns that one of MISSING_CHOICES leaves."""
    n = len(table.rows)
    gaps = {name: feature_gaps(table, plan, name) for name in plan.features}
    rows = np.ones(n, dtype=bool)
    if choice == "drop_rows":
        for gap in gaps.values():
            rows &= ~gap
        return Kept(rows, plan.features, 0)
    if choice == "drop_columns":
        return Kept(rows, tuple(name for name, gap in gaps.items() if not gap.any()), 0)
    features = tuple(name for name, gap in gaps.items() if not gap.all())
    blank = np.ones(n, dtype=bool) if features else ~rows
    for name in features:
        blank &= gaps[name]
    return Kept(~blank, features, sum(int((gaps[name] & ~blank).sum()) for name in features))


def missing_costs(table: Table, plan: ColumnPlan) -> dict[str, MissingCost]:
    """What each of MISSING_CHOICES would leave of the plan's features, in rows, columns and cells of the table."""
    costs = {}
    for choice in MISSING_CHOICES:
        kept = kept_by(table, plan, choice)
        costs[choice] = MissingCost(int(kept.rows.sum()), len(kept.features), kept.n_filled)
    return costs


def without_gaps(table: Table, plan: ColumnPlan) -> tuple[Kept, list[str]]:
    """What the plan's choice leaves, and sentences about its cost.

    Raises
    ------
    DataError
        For an unknown choice, or where no row or no column is left.
    """
    if plan.missing not in MISSING_CHOICES:
        raise DataError(f"Missing values: {plan.missing!r} is unknown; there are {', '.join(MISSING_CHOICES)}.")
    if plan.category_gaps not in CATEGORY_GAPS:
        raise DataError(f"Missing values: {plan.category_gaps!r} is unknown; there are {', '.join(CATEGORY_GAPS)}.")
    kept = kept_by(table, plan, plan.missing)
    n = len(table.rows)
    if not kept.features:
        raise DataError(f"{table.name}: every column has a missing value, so nothing is left. Leave out rows instead.")
    if not kept.rows.any():
        raise DataError(
            f"{table.name}: every row has a missing value, so nothing is left. Fill the gaps first: choose "
            f"{MISSING_CHOICES['impute']!r} or leave out the emptiest columns."
        )
    notes = []
    n_gone = n - int(kept.rows.sum())
    if n_gone and plan.missing == "drop_rows":
        have = "has missing values and was" if n_gone == 1 else "have missing values and were"
        notes.append(f"{n_gone:,} of {n:,} rows {have} left out.")
    elif n_gone:
        have = "has no value in any feature and was" if n_gone == 1 else "have no value in any feature and were"
        notes.append(f"{n_gone:,} of {n:,} rows {have} left out.")
    stays = set(kept.features)
    gone = [name for name in plan.features if name not in stays]
    if gone:
        columns = counted(len(gone), "column with missing values was", "columns with missing values were")
        notes.append(f"{columns} left out: {first_few(gone)}.")
    if kept.n_filled:
        in_categories = any(feature_gaps(table, plan, name).any() for name in plan.categories if name in stays)
        most = " (of a category, with its most frequent level)" if in_categories else ""
        filled = counted(kept.n_filled, "missing cell was", "missing cells were")
        notes.append(f"{filled} filled with the median of the column{most}.")
    return kept, notes
