"""What columns hold, and the data set that a ColumnPlan makes of them."""

from datasets.columns.build import (
    CATEGORY_GAPS,
    LABEL_MODES,
    MISSING_CHOICES,
    SINGLES_CHOICES,
    ColumnPlan,
    MissingCost,
    build_dataset,
    count_singles,
    left_out_note,
    missing_costs,
)
from datasets.columns.cells import Column, column_of
