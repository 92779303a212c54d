"""Where two projections of the same rows differ: in their neighbours, and in what these neighbours say."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from sklearn.metrics import confusion_matrix

from nca_core.accuracy.nearest import NearestNeighbours, nearest_others
from study.compare import Comparison
from study.measure import true_where_none

NOBODY = -1  # the prediction for a row that nobody may predict


def common_neighbours(Y: np.ndarray, other: np.ndarray, k: int) -> np.ndarray:
    """Of each point's k nearest others in Y, the share that are among its k nearest in `other` too, (n_samples,).

    Parameters
    ----------
    Y, other : ndarray of shape (n_samples, n_components)
        Two projections of the same rows; their dimensions may differ.
    k : int
        Cut to the number of other points.
    """
    k = min(k, len(Y) - 1)
    if k < 1:
        return np.full(len(Y), np.nan)
    rows = np.arange(len(Y))
    first, second = (np.sort(nearest_others(NearestNeighbours(P), None, P, rows, k), axis=1) for P in (Y, other))
    # A neighbour that is in both lists stands twice, side by side, in the two lists sorted as one.
    both = np.sort(np.concatenate([first, second], axis=1), axis=1)
    return np.count_nonzero(both[:, 1:] == both[:, :-1], axis=1) / k


def predictions(comparison: Comparison, key: str, transformation: np.ndarray | None = None) -> np.ndarray:
    """The class of each row's nearest training row, the row itself left out, (n_samples,).

    NOBODY for rows without a label, and for the held-out rows of an embedding, which placed them along with the others.
    """
    panel, prepared = comparison.panel(key), comparison.prepared
    Y, y = panel.projected(transformation), true_where_none(comparison, panel)
    found = np.full(len(Y), NOBODY, dtype=np.int64)
    train = np.flatnonzero(prepared.train)
    nearest = NearestNeighbours(Y[train])
    found[train] = y[train][nearest_others(nearest, None, Y[train], np.arange(len(train)), 1)[:, 0]]
    new = np.flatnonzero(prepared.held_out)
    if len(new) and panel.embedding is None:
        found[new] = y[train][nearest.of(Y[new], 1)[:, 0]]
    return found


def asked_rows(comparison: Comparison, predicted: np.ndarray) -> np.ndarray:
    """The rows that a confusion matrix counts, row numbers: the held-out ones, where they were predicted, else the
    training rows."""
    held_out = comparison.prepared.held_out & (predicted != NOBODY)
    return np.flatnonzero(held_out if held_out.any() else comparison.prepared.train)


def confusion(comparison: Comparison, key: str, predicted: np.ndarray) -> np.ndarray:
    """Rows of class i that were taken for class j, (n_classes, n_classes)."""
    rows, classes = asked_rows(comparison, predicted), np.arange(comparison.prepared.dataset.n_classes)
    y = true_where_none(comparison, comparison.panel(key))
    return confusion_matrix(y[rows], predicted[rows], labels=classes)


def rows_of_cell(comparison: Comparison, key: str, predicted: np.ndarray, true: int, taken_for: int) -> np.ndarray:
    """The rows that a cell of the confusion matrix counts, row numbers."""
    rows = asked_rows(comparison, predicted)
    y = true_where_none(comparison, comparison.panel(key))
    return rows[(y[rows] == true) & (predicted[rows] == taken_for)]


def agreement(predicted: Mapping[str, np.ndarray]) -> np.ndarray:
    """The share of rows for which each two panels predict the same class, (n_panels, n_panels), of those rows that
    both predict."""
    all_of_them = list(predicted.values())
    shares = np.full((len(all_of_them), len(all_of_them)), np.nan)
    for i, first in enumerate(all_of_them):
        for j, second in enumerate(all_of_them):
            both = (first != NOBODY) & (second != NOBODY)
            if both.any():
                shares[i, j] = np.mean(first[both] == second[both])
    return shares
