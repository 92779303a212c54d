"""Which columns are used and how: proposed with reasons, overruled with dataclasses.replace, then built."""

from datasets.columns.build import build_dataset
from datasets.columns.facts import ColumnFacts, describe_columns
from datasets.columns.gaps import missing_costs
from datasets.columns.labels import count_singles
from datasets.columns.plan import CATEGORY_GAPS, LABEL_MODES, MISSING_CHOICES, SINGLES_CHOICES, ColumnPlan, MissingCost
from datasets.columns.propose import propose_columns

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
    "missing_costs",
    "propose_columns",
]
