"""The rows that were selected on the stage, as a table."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from datasets.base.dataset import Dataset
from datasets.reading.table import unique_names
from pages.text.plain_text import visible

MOST_ROWS = 200
MOST_COLUMNS = 30


def selected_rows(dataset: Dataset, rows: Sequence[int]) -> pd.DataFrame:
    """Row number, class (the number itself where the label holds numbers) and features of the first selected rows."""
    chosen = list(rows[:MOST_ROWS])
    names = [visible(dataset.class_names[code]) if code >= 0 else "unlabelled" for code in dataset.y[chosen]]
    # The names of features have no blank at their end, so these two differ from all of them.
    label = {"class ": names} if dataset.target is None else {"label ": dataset.target[chosen]}
    columns = unique_names(tuple(visible(name) for name in dataset.feature_names[:MOST_COLUMNS]))
    values = pd.DataFrame(dataset.X[chosen][:, :MOST_COLUMNS], columns=list(columns))
    return pd.concat([pd.DataFrame({"row ": dataset.row_numbers[chosen], **label}), values], axis=1)
