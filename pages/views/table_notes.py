"""Sentences about a table: what is used, and what was guessed, repaired and left out, also where nothing was built."""

from __future__ import annotations

from collections.abc import Sequence

from datasets.base.dataset import Dataset
from datasets.columns import left_out_note
from datasets.proposals import Plan
from datasets.reading import on_one_line

_MOST_NAMED = 8


def table_notes(plan: Plan, dataset: Dataset | None) -> tuple[str, ...]:
    """Those of the data set; without one, those of the table and of its plan."""
    if dataset is not None:
        return dataset.notes
    lines = [*plan.costs, *plan.table.all_notes, *left_out_note(plan.columns.left_out)]
    return tuple(dict.fromkeys(filter(None, lines)))


def columns_line(plan: Plan) -> str:
    """Which columns are features and which are not: a number of the rows that passes for a feature is seen at once."""
    left_out = [column.name for column in plan.planned if column.role == "left_out"]
    lines = [f"Features: {_named(plan.columns.features)}." if plan.columns.features else ""]
    lines.append(f"Not used: {_named(left_out)}." if left_out else "")
    return " ".join(filter(None, lines))


def _named(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(map(on_one_line, names[:_MOST_NAMED])) + (f" and {more:,} more" if more > 0 else "")
