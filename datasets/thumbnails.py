"""A small picture of a data set: at most 300 of its rows on their first two principal components. Arrays only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.base.dataset import Dataset
from datasets.base.stratified import stratified_rows
from datasets.preparation_steps import pca, standardise

_MOST_POINTS = 300


@dataclass(frozen=True)
class Thumbnail:
    """The points of a small picture."""

    points: np.ndarray  # float64 (n_points, 2), standardised PCA; a direction that is not there is 0
    codes: np.ndarray  # int64 (n_points,), class codes as in Dataset.y

    def __post_init__(self) -> None:
        self.points.flags.writeable = False
        self.codes.flags.writeable = False


def thumbnail(dataset: Dataset) -> Thumbnail:
    """The picture of `dataset`; of more than 300 rows the same share of each class.

    It is kept with the data set: a page asks for it at each rerun.
    """
    kept = vars(dataset)
    if "thumbnail" not in kept:
        kept["thumbnail"] = _projected(dataset)
    return kept["thumbnail"]


def shown_rows(dataset: Dataset) -> np.ndarray:
    """The rows that a picture shows, int (at most 300,): all, or the same share of each class."""
    if dataset.n_samples <= _MOST_POINTS:
        return np.arange(dataset.n_samples)
    return stratified_rows(dataset.y, _MOST_POINTS, np.random.default_rng(0))


def _projected(dataset: Dataset) -> Thumbnail:
    rows = shown_rows(dataset)
    points = np.zeros((len(rows), 2))
    if len(rows) > 1 and dataset.n_features > 0:
        X = dataset.X[rows]
        X = X / np.maximum(np.abs(X).max(axis=0), 1e-300)  # squares of huge values leave the range of floats
        X = standardise(X).apply(X)
        seen = pca(X, 2).apply(X)  # (n_points, at most 2)
        points[:, : seen.shape[1]] = seen
    return Thumbnail(points, dataset.y[rows])
