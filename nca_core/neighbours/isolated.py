"""Exact rows with the nearest distance taken out of the exponent, in plain numpy.

The compiled loops sum exp(−‖y_i − y_j‖²) as it stands; a point whose neighbours (or whose class mates) are so far
away that this underflows is summed here instead. It is also the whole dense way until the loops are compiled.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.sums import Classes, NeighbourSums

_BLOCK_CELLS = 1_000_000


def _blocks(rows: np.ndarray, n: int) -> list[np.ndarray]:
    size = max(1, _BLOCK_CELLS // max(n, 1))
    return [rows[k : k + size] for k in range(0, len(rows), size)]


def _squared_distances(Y: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """‖y_i − y_j‖² for i in rows and every j, by differences (no cancellation); the point itself is at infinity."""
    distances = np.zeros((len(rows), Y.shape[1]))  # (n_rows, n_samples)
    for axis in Y:
        distances += (axis[rows, None] - axis[None, :]) ** 2
    distances[np.arange(len(rows)), rows] = np.inf
    return distances


def _same(classes: Classes, rows: np.ndarray, n: int) -> np.ndarray:
    column = np.arange(n)
    return (column >= classes.start[rows, None]) & (column < classes.end[rows, None])


def _log_sum(distances: np.ndarray) -> np.ndarray:
    """log Σ_j exp(−distance); −inf for a row without neighbours."""
    nearest = distances.min(axis=1)
    shift = np.where(np.isfinite(nearest), nearest, 0.0)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(shift[:, None] - distances).sum(axis=1)) - shift


def row_sums(Y: np.ndarray, classes: Classes, rows: np.ndarray) -> NeighbourSums:
    """The sums of the points `rows` over all others; Y is (n_components, n_samples)."""
    n = Y.shape[1]
    log_z, log_s, entropy = (np.empty(len(rows)) for _ in range(3))
    done = 0
    for block in _blocks(rows, n):
        here = slice(done, done + len(block))
        done += len(block)
        distances = _squared_distances(Y, block)
        log_z[here] = _log_sum(distances)
        log_s[here] = _log_sum(np.where(_same(classes, block, n), distances, np.inf))
        p = np.exp(-distances - log_z[here, None])
        finite = np.where(p > 0, distances, 0.0)
        entropy[here] = np.maximum(log_z[here] + np.einsum("ij,ij->i", p, finite), 0.0)
    return NeighbourSums(log_z, log_s, entropy)


def add_row_gradients(
    Y: np.ndarray,
    classes: Classes,
    rows: np.ndarray,
    exponents: np.ndarray,
    weights: np.ndarray,
    same_class: bool,
    gradient: np.ndarray,
) -> None:
    """Add Σ_{i in rows} weights_i Σ_j exp(−‖y_i − y_j‖² − exponents_i) (y_j − y_i) to both ends' gradient / 2.

    `same_class` restricts j to i's class. `exponents` is log Z_i or log S_i, `weights` ∂F/∂log Z_i or ∂F/∂log S_i.
    """
    n = Y.shape[1]
    done = 0
    for block in _blocks(rows, n):
        here = slice(done, done + len(block))
        done += len(block)
        distances = _squared_distances(Y, block)
        if same_class:
            distances = np.where(_same(classes, block, n), distances, np.inf)
        force = weights[here, None] * np.exp(-distances - exponents[here, None])  # (n_rows, n_samples)
        for axis in range(Y.shape[0]):
            step = force * (Y[axis][None, :] - Y[axis][block, None])
            gradient[axis] -= step.sum(axis=0)
            gradient[axis, block] += step.sum(axis=1)
