"""How missing values are handled unless the user decides: what keeps the most, with its cost in one sentence."""

from __future__ import annotations

from dataclasses import dataclass

from datasets.base.counted import counted
from datasets.columns import ColumnPlan, MissingCost, missing_costs
from datasets.columns.cells import numbers_of
from datasets.reading import Table

_FEW_ROWS = 0.02
_ASK_ABOVE = 0.2


@dataclass(frozen=True)
class PlannedGaps:
    """What happens to missing values.

    Attributes
    ----------
    choice : str
        A key of MISSING_CHOICES.
    category_gaps : str
        A key of CATEGORY_GAPS.
    said : bool
        Whether the user chose it.
    sentence : str
        What it costs; "" where nothing is missing.
    costs : dict[str, MissingCost]
        What each choice would leave, in rows, columns and cells of the table.
    ask : bool
        Whether the default costs so much that the user should decide.
    """

    choice: str
    category_gaps: str
    said: bool
    sentence: str
    costs: dict[str, MissingCost]
    ask: bool


def planned_gaps(table: Table, plan: ColumnPlan, missing: str | None) -> PlannedGaps:
    """Drop rows where only a few have gaps, else fill the gaps: that loses no row."""
    n = len(table.rows)
    costs = missing_costs(table, plan)
    n_gone = n - costs["drop_rows"].n_rows
    choice = missing or ("drop_rows" if n_gone <= _FEW_ROWS * n else "impute")
    cost = costs[choice]
    levels = sum(int(numbers_of(table, name).gaps.sum()) for name in plan.categories)
    parts = []
    if n > cost.n_rows:
        parts.append(f"{n - cost.n_rows:,} of {n:,} rows are left out")
    if gone := len(plan.features) - cost.n_columns:
        parts.append(f"{gone:,} of {len(plan.features):,} columns are left out")
    if cost.n_filled:
        cells = counted(cost.n_filled, "missing cell is", "missing cells are")
        parts.append(f"{cells} filled with the median of the column")
    if levels and plan.category_gaps != "gap":
        as_what = "a level of their own" if plan.category_gaps == "level" else "the most frequent level"
        cells = counted(levels, "missing cell in categories counts", "missing cells in categories count")
        parts.append(f"{cells} as {as_what if levels > 1 else as_what.replace('their', 'its')}")
    sentence = "; ".join(parts)
    share = max((n - cost.n_rows) / max(1, n), cost.n_filled / max(1, n * len(plan.features)))
    return PlannedGaps(
        choice,
        plan.category_gaps,
        missing is not None,
        f"{sentence[:1].upper()}{sentence[1:]}." if sentence else "",
        costs,
        missing is None and share > _ASK_ABOVE,
    )
