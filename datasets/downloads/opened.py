"""Opened: a downloaded data set with the table and the plan it was built from."""

from __future__ import annotations

from dataclasses import dataclass

from datasets.base.dataset import Dataset
from datasets.columns import ColumnPlan
from datasets.reading import Table


@dataclass(frozen=True)
class Opened:
    """The data set; its table and column plan, so that a page can overrule the plan, None where it was no table."""

    dataset: Dataset
    table: Table | None = None
    plan: ColumnPlan | None = None
