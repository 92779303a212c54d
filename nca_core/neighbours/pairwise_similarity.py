"""Similarity of each pair: p_i = Σ_j M_ij p_ij with M_ij in [0, 1] in place of "same class" (section 5 of the NCA
paper), so that numeric targets, or any other judgement of which points belong together, can be learnt from.

Every pair is looked at, in blocks of rows: time O(n²), memory O(block x n) for each thread. M may be asymmetric.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nca_core.neighbours.base.sums import NeighbourSums
from nca_core.neighbours.base.threads import MOST_PARTS, summed

Similarity = Callable[[np.ndarray, np.ndarray], np.ndarray]

_BLOCK_CELLS = 250_000
_PAIRS_FOR_A_THREAD = 500_000
_TINY = 1e-200  # below this a sum of M w is taken again in logs


class PrecomputedSimilarity:
    """Similarities that are known already, asked for by row number: where these numbers are the targets, a part of the
    points finds its own part of M, as in a cross-validation.

    Parameters
    ----------
    M : ndarray
        (n, n), every value in [0, 1].
    """

    def __init__(self, M: np.ndarray) -> None:
        self.M = np.asarray(M)

    def __call__(self, t: np.ndarray, u: np.ndarray) -> np.ndarray:
        return self.M[np.ix_(np.asarray(t, dtype=np.int64), np.asarray(u, dtype=np.int64))]


class PairwiseSimilarity:
    """M_ij of fixed points, and the sums over it.

    Parameters
    ----------
    target_similarity : ndarray or Similarity
        An array (n_samples, n_samples), or a function of targets (m,) and (n,) that gives (m, n); every value in [0,
        1]. The diagonal is ignored.
    targets : ndarray or None
        Arguments of the function, (n_samples,); not needed for an array.

    Raises
    ------
    ValueError
        For an array that is not square or not within [0, 1]; a function's values are checked as they come.
    """

    def __init__(self, target_similarity: np.ndarray | Similarity, targets: np.ndarray | None = None) -> None:
        if not callable(target_similarity):
            M = _as_matrix(target_similarity)
            target_similarity, targets = PrecomputedSimilarity(M), np.arange(len(M))
        elif targets is None:
            raise ValueError("target_similarity is a function, so targets are needed: one for each row of X.")
        self._function, self._targets = target_similarity, np.asarray(targets)

    def among(self, kept: np.ndarray) -> PairwiseSimilarity:
        """The same similarities, among the points `kept` alone."""
        return PairwiseSimilarity(self._function, self._targets[kept])

    def block(self, rows: np.ndarray) -> np.ndarray:
        """M of the rows against all, (n_rows, n_samples), with zeros on the diagonal; a copy."""
        M = np.array(self._function(self._targets[rows], self._targets), dtype=np.float64)
        if M.shape != (len(rows), len(self._targets)):
            raise ValueError(f"target_similarity gave shape {M.shape}; it must give {(len(rows), len(self._targets))}.")
        _check_range(M)
        M[np.arange(len(rows)), rows] = 0.0
        return M

    def partners(self, rows: np.ndarray | None = None) -> np.ndarray:
        """Σ_{j≠i} M_ij of each of the rows (all), (n_rows,): how many partners a point has."""
        rows = self._all(rows)
        result = np.empty(len(rows))

        def work(here: slice, _: np.ndarray) -> None:
            result[here] = self.block(rows[here]).sum(axis=1)

        _each_block(len(self._targets), rows, work, (0,))
        return result

    def at(self, Y: np.ndarray, rows: np.ndarray | None = None) -> BlockSums:
        """The sums at Y, (n_components, n_samples), of the points `rows` (all) over all others."""
        return BlockSums(self.block, Y, self._all(rows), "pairwise")

    def scatter(self, Y: np.ndarray, weights: np.ndarray, rows: np.ndarray | None = None) -> tuple[float, np.ndarray]:
        """−Σ_i ω_i Σ_j M_ij ‖y_i − y_j‖² over the points `rows` (all), and its derivative in Y."""
        rows = self._all(rows)
        return _pulled(np.ascontiguousarray(Y), rows, lambda here: weights[here, None] * self.block(rows[here]))

    def _all(self, rows: np.ndarray | None) -> np.ndarray:
        return np.arange(len(self._targets)) if rows is None else rows


class BlockSums:
    """The sums of some points over all others, S_i = Σ_{j≠i} M_ij w_ij, by every pair in plain numpy, and gradients of
    objectives from them.

    Parameters
    ----------
    block : callable
        ``block(rows)`` gives M_ij of these rows against all, (n_rows, n_samples), with zeros on the diagonal.
    Y : ndarray
        (n_components, n_samples).
    rows : ndarray
        The points, (n_rows,).
    name : str
        What the method is called.

    Attributes
    ----------
    sums
        Of these, each (n_rows,); log S is −inf for a point that is similar to no other.
    """

    def __init__(self, block: Callable[[np.ndarray], np.ndarray], Y: np.ndarray, rows: np.ndarray, name: str) -> None:
        Y = np.ascontiguousarray(Y)  # many components come in the order of the points
        self._block, self._Y, self._rows, self.name = block, Y, rows, name
        log_z, log_s, log_p, entropy = (np.empty(len(rows)) for _ in range(4))

        def work(here: slice, _: np.ndarray) -> None:
            nearest, beyond, w = _weights(Y, rows[here])
            total = w.sum(axis=1)
            _, _, log_mates = _mates(block(rows[here]), beyond, w)
            entropy[here] = np.maximum(np.log(total) + np.einsum("ij,ij->i", w, beyond) / total, 0.0)
            log_z[here] = np.log(total) - nearest
            log_s[here] = log_mates - nearest
            # By differences: far out, log S and log Z are huge and nearly equal.
            log_p[here] = np.minimum(log_mates - np.log(total), 0.0)

        _each_block(Y.shape[1], rows, work, (0,))
        self.sums = NeighbourSums(log_z, log_s, log_p, entropy)

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of an objective with these derivatives in log S_i and log Z_i, (n_rows,).

        With a_i = (∂F/∂log S_i)/S_i and b_i = (∂F/∂log Z_i)/Z_i the pair (i, j) counts with
        w_ij [b_i + b_j + a_i M_ij + a_j M_ji]; each row brings its own half of that to both ends.
        """

        def force(here: slice) -> np.ndarray:
            _, beyond, w = _weights(self._Y, self._rows[here])
            v, mates, _ = _mates(self._block(self._rows[here]), beyond, w)
            v *= (d_log_s[here] / np.where(mates > 0, mates, 1.0))[:, None]
            v += (d_log_z[here] / w.sum(axis=1))[:, None] * w
            return v

        return _pulled(self._Y, self._rows, force)[1]


def _each_block(
    n: int, rows: np.ndarray, work: Callable[[slice, np.ndarray], None], shape: tuple[int, ...]
) -> np.ndarray:
    """Σ of what `work(slice of rows, out)` adds to a zeroed `out` of `shape`, on the threads that are worth it, where
    each row is about n numbers."""
    size = max(1, _BLOCK_CELLS // n)
    blocks = [slice(first, min(first + size, len(rows))) for first in range(0, len(rows), size)]
    count = min(MOST_PARTS, max(1, len(rows) * n // _PAIRS_FOR_A_THREAD), max(1, len(blocks)))

    def share(first: int, step: int, out: np.ndarray) -> None:
        for here in blocks[first::step]:
            work(here, out)

    return summed([(first, count) for first in range(count)], share, shape)


def _pulled(Y: np.ndarray, rows: np.ndarray, force: Callable[[slice], np.ndarray]) -> tuple[float, np.ndarray]:
    """−Σ f_ij ‖y_i − y_j‖² and 2 Σ f_ij (y_j − y_i) at both ends, for i in rows and f (n_rows, n) in blocks."""
    d, n = Y.shape

    def work(here: slice, out: np.ndarray) -> None:
        f = force(here)
        for axis in range(d):
            step = Y[axis][None, :] - Y[axis][rows[here], None]  # (n_block, n_samples)
            pull = f * step
            out[axis] -= pull.sum(axis=0)
            out[axis, rows[here]] += pull.sum(axis=1)
            out[d, 0] -= np.einsum("ij,ij->", pull, step)

    total = _each_block(n, rows, work, (d + 1, n))
    return float(total[d, 0]), 2.0 * total[:d]


def _weights(Y: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(nearest, beyond, w): the least squared distance of each row to another point (n_rows,), how far the others are
    beyond it, and exp(−beyond), each (n_rows, n_samples); the point itself has the weight 0."""
    beyond = np.zeros((len(rows), Y.shape[1]))
    for axis in Y:
        step = axis[rows, None] - axis[None, :]
        step *= step
        beyond += step
    itself = np.arange(len(rows)), rows
    beyond[itself] = np.inf
    nearest = beyond.min(axis=1)
    beyond -= nearest[:, None]
    w = np.exp(-beyond)
    beyond[itself] = 0.0
    return nearest, beyond, w


def _mates(M: np.ndarray, beyond: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(v, Σ v, log Σ M w): v is M w times a number for each row, which keeps it above underflow."""
    v = M * w
    total = v.sum(axis=1)
    far = np.flatnonzero(total < _TINY)
    with np.errstate(divide="ignore"):
        log_total = np.log(total)
        if far.size:
            logs = np.log(M[far]) - beyond[far]
            top = logs.max(axis=1)
            top = np.where(np.isfinite(top), top, 0.0)
            v[far] = np.exp(logs - top[:, None])
            total[far] = v[far].sum(axis=1)
            log_total[far] = np.log(total[far]) + top
    return v, total, log_total


def _as_matrix(target_similarity: Any) -> np.ndarray:
    try:
        M = np.asarray(target_similarity)
        M = M if M.dtype.kind == "f" else M.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            "target_similarity holds something that is not a number; every value must be between 0 and 1."
        ) from None
    if M.ndim != 2 or M.shape[0] != M.shape[1]:
        raise ValueError(f"target_similarity has shape {M.shape}; it must be (n_samples, n_samples).")
    _check_range(M)
    return M


def _check_range(M: np.ndarray) -> None:
    low, high = M.min(initial=0.0), M.max(initial=0.0)
    if not (low >= 0.0 and high <= 1.0):  # NaN included
        worst = low if not low >= 0.0 else high
        raise ValueError(f"target_similarity holds {worst:g}; every value must be between 0 and 1.")
