"""generated: the Dataset of a generator, from its arrays and the names of its first columns."""

from __future__ import annotations

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.entry import Entry
from datasets.base.words import numbered

FREE = "Generated, no licence needed"


def generated(
    entry: Entry, name: str, X: np.ndarray, y: np.ndarray, columns: tuple[str, ...], classes: tuple[str, ...]
) -> Dataset:
    """The data set called "name (n x D)"; the columns beyond the named ones are called noise."""
    n_samples, n_features = X.shape
    return Dataset(
        name=f"{name} ({n_samples} x {n_features})",
        X=X,
        y=np.asarray(y, dtype=np.int64),
        feature_names=(*columns, *numbered("noise", n_features - len(columns))),
        class_names=classes,
        source=entry.source,
    )
