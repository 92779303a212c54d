"""What a data set means for training: its size, its classes, and what is done where it is large."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.dataset import UNLABELLED, Dataset


@dataclass(frozen=True)
class Checks:
    """Attributes:
    n_rows, n_features, n_classes: of the data set.
    smallest: rows of the smallest class.
    smallest_name: its name.
    n_unlabelled: rows without a label.
    """

    n_rows: int
    n_features: int
    n_classes: int
    smallest: int
    smallest_name: str
    n_unlabelled: int


def table_checks(dataset: Dataset) -> Checks:
    labelled = dataset.y[dataset.y != UNLABELLED]
    counts = np.bincount(labelled, minlength=dataset.n_classes)
    k = int(counts.argmin())
    return Checks(
        n_rows=dataset.n_samples,
        n_features=dataset.n_features,
        n_classes=dataset.n_classes,
        smallest=int(counts[k]),
        smallest_name=dataset.class_names[k],
        n_unlabelled=int(dataset.n_samples - labelled.size),
    )


def size_sentence(checks: Checks, max_rows: int) -> str:
    """What the number of rows means when Train is pressed."""
    if checks.n_rows > max_rows:
        return (
            f"Trains on a sample of {max_rows:,} rows, the same share of each class, unless you raise the limit "
            "under 'Held-out rows and sampling'."
        )
    if checks.n_rows > 20_000:
        return f"Trains on all {checks.n_rows:,} rows; each iteration looks at every row, so it takes its time."
    return f"Trains on all {checks.n_rows:,} rows."
