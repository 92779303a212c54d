"""What a data set means for training: its size, its classes, and what is done where it is large."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.base.dataset import UNLABELLED, Dataset
from pages.views.data_line import sample_of

_WIDE = 1_000


@dataclass(frozen=True)
class Checks:
    """What is said of a table that can be trained on.

    Attributes
    ----------
    n_rows, n_features, n_classes : int
        Of the data set.
    n_unlabelled : int
        Rows without a label.
    smallest : int
        Rows of the smallest class.
    smallest_name : str
        Its name.
    numeric : bool
        The label was kept as numbers.
    """

    n_rows: int
    n_features: int
    n_classes: int
    smallest: int
    smallest_name: str
    numeric: bool = False
    n_unlabelled: int = 0


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
        numeric=dataset.target is not None,
        n_unlabelled=dataset.n_samples - len(labelled),
    )


def is_wide(dataset: Dataset) -> bool:
    """Whether there are so many features that training is slow and overfits."""
    return dataset.n_features > _WIDE


def size_sentence(checks: Checks, max_rows: int, held_out: float = 0.0) -> str:
    """What the number of rows means when Train is pressed and the share `held_out` of the labelled ones is held out."""
    n = min(checks.n_rows, max_rows)
    sentence = _trained(checks, held_out)
    if n == checks.n_rows:
        n -= checks.n_unlabelled + _held_out(checks, held_out)
    else:
        sentence = f"Trains on {sample_of(n, checks.n_rows)}; the limit is under 'Advanced' on the Explore page."
    if checks.numeric:
        pairs = n * (n - 1) // 2
        return f"{sentence} Each iteration compares {pairs:,} pairs: twice the rows take four times as long."
    if n > 20_000:
        return f"{sentence} Each iteration looks at every row, so it takes its time."
    return sentence


def _held_out(checks: Checks, share: float) -> int:
    return round(share * (checks.n_rows - checks.n_unlabelled))


def _trained(checks: Checks, held_out: float) -> str:
    tested, unlabelled = _held_out(checks, held_out), checks.n_unlabelled
    n = checks.n_rows - unlabelled - tested
    left_out = [f"{tested:,} {'is' if tested == 1 else 'are'} held out for testing"] if tested else []
    if unlabelled:
        left_out.append(f"{unlabelled:,} {'has' if unlabelled == 1 else 'have'} no label")
    if not left_out:
        return f"Trains on all {n:,} rows."
    return f"Trains on {n:,} of the {checks.n_rows:,} rows: {', '.join(left_out)}."
