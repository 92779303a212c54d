"""What columns hold, and the data set that a ColumnPlan makes of them."""

from datasets.columns.build import build_dataset, left_out_note, nothing_to_project
from datasets.columns.facts import ColumnFacts, describe_columns
from datasets.columns.gaps import missing_costs
from datasets.columns.labels import count_singles
from datasets.columns.plan import CATEGORY_GAPS, LABEL_MODES, MISSING_CHOICES, SINGLES_CHOICES, ColumnPlan, MissingCost

__all__ = [
    "CATEGORY_GAPS",
    "LABEL_MODES",
    "MISSING_CHOICES",
    "SINGLES_CHOICES",
    "ColumnFacts",
    "ColumnPlan",
    "MissingCost",
    "build_dataset",
    "count_singles",
    "describe_columns",
    "left_out_note",
    "missing_costs",
    "nothing_to_project",
]
