"""Where two projections of the same rows differ, in their neighbours and in what these say; and which are the same."""

from collections.abc import Mapping

import numpy as np
from sklearn.metrics import confusion_matrix

from nca_core.accuracy import NearestNeighbours, nearest_others
from nca_core.snapshot import Snapshot
from study.compare import Comparison
from study.measure import accuracy_labels, projection

NO_PREDICTION = -1


def common_neighbours(Y: np.ndarray, other: np.ndarray, k: int) -> np.ndarray:
    """Of each point's k nearest others in Y, the share that are among its k nearest in `other` too, (n_samples,).

    Y, other: two projections of the same rows; their dimensions may differ, (n_samples, n_components).
    k: cut to the number of other points.
    """
    k = min(k, len(Y) - 1)
    if k < 1:
        return np.full(len(Y), np.nan)
    rows = np.arange(len(Y))
    first, second = (np.sort(nearest_others(NearestNeighbours(P), None, P, rows, k), axis=1) for P in (Y, other))
    # A neighbour that is in both lists stands twice, side by side, in the two lists sorted as one.
    both = np.sort(np.concatenate([first, second], axis=1), axis=1)
    return np.count_nonzero(both[:, 1:] == both[:, :-1], axis=1) / k


def predictions(comparison: Comparison, key: str, snapshot: Snapshot | None = None) -> np.ndarray:
    """The class of each row's nearest training row, the row itself left out, (n_samples,).

    NO_PREDICTION for rows without a label, and for the held-out rows of an embedding.
    """
    at, prepared = projection(comparison, key, snapshot), comparison.prepared
    Y, y = at.Y, at.y
    found = np.full(len(Y), NO_PREDICTION, dtype=np.int64)
    train, new = np.flatnonzero(prepared.train), np.flatnonzero(at.tested)
    nearest = NearestNeighbours(Y[train])
    found[train] = y[train][nearest_others(nearest, None, Y[train], np.arange(len(train)), 1)[:, 0]]
    if len(new):
        found[new] = y[train][nearest.of(Y[new], 1)[:, 0]]
    return found


def evaluated_rows(comparison: Comparison, predicted: np.ndarray) -> np.ndarray:
    """The rows that a confusion matrix counts, row numbers: the held-out ones, where they were predicted, else the
    training rows."""
    held_out = comparison.prepared.held_out & (predicted != NO_PREDICTION)
    return np.flatnonzero(held_out if held_out.any() else comparison.prepared.train)


def right_on_held_out(comparison: Comparison, key: str, predicted: np.ndarray) -> np.ndarray:
    """Whether each labelled held-out row is classified correctly; empty where they are not classified."""
    y = accuracy_labels(comparison, comparison.panel(key))
    rows = comparison.prepared.held_out & (predicted != NO_PREDICTION) & (y >= 0)
    return predicted[rows] == y[rows]


def confusion(comparison: Comparison, key: str, predicted: np.ndarray) -> np.ndarray:
    """Rows of class i that were taken for class j, (n_classes, n_classes)."""
    rows, classes = evaluated_rows(comparison, predicted), np.arange(comparison.prepared.dataset.n_classes)
    y = accuracy_labels(comparison, comparison.panel(key))
    return confusion_matrix(y[rows], predicted[rows], labels=classes)


def cell_rows(comparison: Comparison, key: str, predicted: np.ndarray, true: int, taken_for: int) -> np.ndarray:
    """The rows that a cell of the confusion matrix counts, row numbers."""
    rows = evaluated_rows(comparison, predicted)
    y = accuracy_labels(comparison, comparison.panel(key))
    return rows[(y[rows] == true) & (predicted[rows] == taken_for)]


def agreement(predicted: Mapping[str, np.ndarray]) -> np.ndarray:
    """The share of rows for which each two panels predict the same class, (n_panels, n_panels), of those rows that
    both predict."""

    def share(first: np.ndarray, second: np.ndarray) -> float:
        both = (first != NO_PREDICTION) & (second != NO_PREDICTION)
        return float(np.mean(first[both] == second[both])) if both.any() else float("nan")

    return np.array([[share(first, second) for second in predicted.values()] for first in predicted.values()])


_SAME = 1e-6  # of the norm of the projected rows
_MOST_ROWS = 5_000


def same_projections(comparison: Comparison) -> dict[str, str]:
    """Key of a panel -> key of the first panel before it that puts the training rows in the same places.

    "The same" allows a shift, a rotation and a reflection, found by orthogonal Procrustes, and no scaling: then all
    distances are equal, and with them neighbours and accuracies. Trainings are left out, as they move on.
    """
    rows = np.flatnonzero(comparison.prepared.train)
    rows = rows[:: -(-len(rows) // _MOST_ROWS)] if len(rows) else rows
    found: dict[str, str] = {}
    places: dict[str, np.ndarray] = {}
    for panel in comparison.panels:
        if panel.problem or panel.config is not None:
            continue
        Y = panel.projected()[rows]
        Y = Y - Y.mean(axis=0)
        twin = next((key for key, other in places.items() if same_up_to_a_rotation(Y, other)), None)
        if twin is not None:
            found[panel.key] = twin
        else:
            places[panel.key] = Y
    return found


def same_up_to_a_rotation(Y: np.ndarray, other: np.ndarray) -> bool:
    """Whether centred points Y, (n_samples, n_components), are those of `other`, rotated or reflected."""
    norm, its_norm = float(np.linalg.norm(Y)), float(np.linalg.norm(other))
    if not 0 < norm < np.inf or abs(norm - its_norm) > _SAME * norm:
        return False
    left, _, right = np.linalg.svd((Y.T / norm) @ (other / norm))
    return bool(np.linalg.norm(Y @ (left @ right) - other) <= _SAME * norm)


MOST_CHANGED = 50


def changed_rows(common: np.ndarray) -> np.ndarray:
    """The rows that lose most neighbours, the most first; at most MOST_CHANGED, and only rows that lose any."""
    order = np.argsort(common, kind="stable")[:MOST_CHANGED]
    return order[common[order] < 1.0]
