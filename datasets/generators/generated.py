"""What all generators share: generator makes the entry of one, generated the Dataset that it returns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from datasets.base.dataset import Dataset, Source
from datasets.base.entry import Entry, Parameter
from datasets.base.words import numbered


def generator(
    key: str, title: str, description: str, load: Callable[..., Dataset], *parameters: Parameter, paper: str = ""
) -> Entry:
    """The entry of a generator; a seed, `random_state`, comes behind its parameters."""
    source = Source(f"{title}, generated", "Generated, no licence needed", paper=paper)
    seed = Parameter("random_state", "Seed", 0, 0, 1000, 1)
    return Entry(key, title, description, "generator", source, load, (*parameters, seed))


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
