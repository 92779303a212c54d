"""Tables of where projections differ: confusion, agreement, and the rows whose neighbours change most."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from datasets.base.dataset import Dataset
from pages.text.plain_text import visible

MOST_ROWS = 50


def confusion_frame(counts: np.ndarray, class_names: Sequence[str]) -> pd.DataFrame:
    """A row for each true class, a column for what it was taken for; names that are alike get their number."""
    names = [visible(name) for name in class_names]
    names = [f"{name} ({k})" if names.count(name) > 1 else name for k, name in enumerate(names)]
    return pd.DataFrame(counts, index=names, columns=[f"taken for {name}" for name in names])


def agreement_frame(shares: np.ndarray, titles: Sequence[str]) -> pd.DataFrame:
    """Panels against panels."""
    names = [visible(title) for title in titles]
    names = [f"{name} ({k + 1})" if names.count(name) > 1 else name for k, name in enumerate(names)]
    return pd.DataFrame(shares, index=names, columns=names)


def changed_rows(common: np.ndarray) -> np.ndarray:
    """The rows that have least neighbours in common, fewest first; of equal ones the first. At most MOST_ROWS, and none
    that keeps all of them."""
    order = np.argsort(common, kind="stable")[:MOST_ROWS]
    return order[common[order] < 1.0]


def changed_frame(dataset: Dataset, common: np.ndarray, rows: np.ndarray) -> pd.DataFrame:
    """Row number, class and share of common neighbours."""
    names = [visible(dataset.class_names[code]) if code >= 0 else "unlabelled" for code in dataset.y[rows]]
    return pd.DataFrame({"row": dataset.row_numbers[rows], "class": names, "neighbours in common": common[rows]})
