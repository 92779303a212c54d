"""The proposed plan of a table, and data sets from arrays, for tests of what is made of them."""

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.columns import ColumnPlan
from datasets.proposals import Choices, apply, propose
from datasets.reading import Table


def column_plan(table: Table, label: str | None = None) -> ColumnPlan:
    """The plan where the user chose `label`; rows with gaps are left out."""
    return apply(propose(table), Choices(label=label, missing="drop_rows")).columns


def made(X, y, **more) -> Dataset:  # type: ignore[no-untyped-def]
    """A data set of features f0, f1, … and classes c0, c1, …; `more` are its other attributes."""
    X, y = np.array(X, dtype=float), np.array(y)
    features, classes = (tuple(f"{name}{k}" for k in range(n)) for name, n in (("f", X.shape[1]), ("c", y.max() + 1)))
    return Dataset("made", X, y, features, classes, Source("made"), **more)
