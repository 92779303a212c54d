"""PlainRows: exact sums of single points with the nearest distance out of the exponent, in plain numpy; what serves
until the loops are compiled."""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.sums import Classes, NeighbourSums

_BLOCK_CELLS = 1_000_000


def _blocks(rows: np.ndarray, n: int) -> list[np.ndarray]:
    size = max(1, _BLOCK_CELLS // max(n, 1))
    return [rows[k : k + size] for k in range(0, len(rows), size)]


def _squared_distances(Y: np.ndarray, rows: np.ndarray, start: int = 0, end: int | None = None) -> np.ndarray:
    """‖y_i − y_j‖² for i in rows and j in start..end (all), by differences; the point itself is at infinity."""
    columns = Y[:, start:end]
    distances = np.zeros((len(rows), columns.shape[1]))  # (n_rows, n_columns)
    for axis, others in zip(Y, columns, strict=True):
        distances += (axis[rows, None] - others[None, :]) ** 2
    distances[np.arange(len(rows)), rows - start] = np.inf
    return distances


def _class_groups(classes: Classes, rows: np.ndarray) -> list[tuple[np.ndarray, int, int]]:
    """Places within `rows` that share a class, with the range of columns of that class."""
    starts = classes.start[rows]
    return [
        (places, int(start), int(classes.end[rows[places[0]]]))
        for start in np.unique(starts)
        for places in (np.flatnonzero(starts == start),)
    ]


def _same(classes: Classes, rows: np.ndarray, n: int) -> np.ndarray:
    column = np.arange(n)
    return (column >= classes.start[rows, None]) & (column < classes.end[rows, None])


def _shifted_sum(distances: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(nearest, w, Σ w) with w_j = exp(nearest − distance_j); nearest is 0 and the sum 0 for a row without any."""
    nearest = distances.min(axis=1)
    nearest = np.where(np.isfinite(nearest), nearest, 0.0)
    w = np.exp(nearest[:, None] - distances)
    return nearest, w, w.sum(axis=1)


class PlainRows:
    """The sums of some points over all others, and gradients of objectives from them.

    Parameters
    ----------
    Y : ndarray
        (n_components, n_samples), sorted by class.
    classes : Classes
        Of these points.
    rows : ndarray
        Places of those that are summed for, (n_rows,).

    Attributes
    ----------
    sums
        Of these, each (n_rows,).
    """

    name = "dense"  # of all points these are the dense method

    def __init__(self, Y: np.ndarray, classes: Classes, rows: np.ndarray) -> None:
        self._Y, self._classes, self._rows = Y, classes, rows
        self.sums = _row_sums(Y, classes, rows)

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of an objective with these derivatives, each (n_rows,)."""
        result = np.zeros_like(self._Y)
        paired = self._classes.partners[self._rows] > 0
        for weights, same_class in ((np.where(paired, d_log_s, 0.0), True), (d_log_z, False)):
            counts = _counts(weights)
            _add_row_gradients(self._Y, self._classes, self._rows[counts], weights[counts], same_class, result)
        return 2.0 * result


def _counts(weights: np.ndarray) -> np.ndarray:
    """Which weights can change a sum of all of them: the gradient of f has many of 1e-130 and below."""
    size = np.abs(weights)
    return size > 1e-40 * size.max(initial=0.0)


def _row_sums(Y: np.ndarray, classes: Classes, rows: np.ndarray) -> NeighbourSums:
    """The sums of the points `rows` over all others; Y is (n_components, n_samples)."""
    n = Y.shape[1]
    log_z, log_s, log_p, entropy = (np.empty(len(rows)) for _ in range(4))
    done = 0
    for block in _blocks(rows, n):
        here = slice(done, done + len(block))
        done += len(block)
        distances = _squared_distances(Y, block)
        nearest, w, total = _shifted_sum(distances)
        mate, _, mates = _shifted_sum(np.where(_same(classes, block, n), distances, np.inf))
        beyond = np.where(w > 0, distances - nearest[:, None], 0.0)
        entropy[here] = np.maximum(np.log(total) + np.einsum("ij,ij->i", w, beyond) / total, 0.0)
        log_z[here] = np.log(total) - nearest
        with np.errstate(divide="ignore"):
            log_s[here] = np.log(mates) - mate
            # By differences: far out, log S and log Z are huge and nearly equal.
            log_p[here] = np.minimum(np.log(mates) - np.log(total) - (mate - nearest), 0.0)
    return NeighbourSums(log_z, log_s, log_p, entropy)


def _add_row_gradients(
    Y: np.ndarray,
    classes: Classes,
    rows: np.ndarray,
    weights: np.ndarray,
    same_class: bool,
    gradient: np.ndarray,
) -> None:
    """Add Σ_{i in rows} weights_i Σ_j q_ij (y_j − y_i) to both ends' gradient / 2, q_i· the softmax of −‖y_i − y_j‖².

    `same_class` restricts j to i's class; `weights` is ∂F/∂log S_i then, ∂F/∂log Z_i otherwise.
    """
    everybody = [(np.arange(len(rows)), 0, Y.shape[1])]
    for places, start, end in _class_groups(classes, rows) if same_class else everybody:
        for part in _blocks(places, end - start):
            block = rows[part]
            _, w, total = _shifted_sum(_squared_distances(Y, block, start, end))
            force = (weights[part] / np.where(total > 0, total, 1.0))[:, None] * w  # (n_rows, n_columns)
            for axis in range(Y.shape[0]):
                step = force * (Y[axis, start:end][None, :] - Y[axis][block, None])
                gradient[axis, start:end] -= step.sum(axis=0)
                gradient[axis, block] += step.sum(axis=1)
