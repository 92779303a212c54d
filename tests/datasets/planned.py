"""The plan of a table as it is proposed, for tests of what is built from it; rows with gaps are left out."""

from __future__ import annotations

from datasets.columns import ColumnPlan
from datasets.proposals import Choices, apply, propose
from datasets.reading import Table


def column_plan(table: Table, label: str | None = None) -> ColumnPlan:
    """With `label`, as it is where a person said so."""
    return apply(propose(table), Choices(label=label, missing="drop_rows")).columns
