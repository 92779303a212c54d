"""The sentences below a table: what was guessed, repaired and left out, also where no data set could be built."""

from __future__ import annotations

from datasets.base.dataset import Dataset
from datasets.proposals import Plan


def table_notes(plan: Plan, dataset: Dataset | None) -> tuple[str, ...]:
    """Those of the data set; without one, those of the table and of its plan."""
    if dataset is not None:
        return dataset.notes
    left_out = [f"{column.name} ({column.reason})" for column in plan.planned if column.role == "left_out"]
    lines = [*plan.costs, *plan.table.notes, f"Left out: {'; '.join(left_out)}." if left_out else ""]
    return tuple(dict.fromkeys(filter(None, lines)))
