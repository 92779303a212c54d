"""The rows that were selected on the stage, as a table."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from datasets.dataset import Dataset

MOST_ROWS = 200
MOST_COLUMNS = 30


def selected_rows(dataset: Dataset, rows: Sequence[int]) -> pd.DataFrame:
    """Row number, class and feature values of the first selected rows."""
    chosen = list(rows[:MOST_ROWS])
    names = [dataset.class_names[code] if code >= 0 else "unlabelled" for code in dataset.y[chosen]]
    table = pd.DataFrame(dataset.X[chosen][:, :MOST_COLUMNS], columns=list(dataset.feature_names[:MOST_COLUMNS]))
    table.insert(0, "class ", names)
    table.insert(0, "row ", dataset.row_numbers[chosen])
    return table
