"""BlockSums: exact sums of some points over all others in plain numpy, a block of rows at a time.

Time O(n) for each row, memory O(block x n) for each thread. The nearest distance is taken out of each row's exponent,
so that rows far from all others stay finite.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nca_core.neighbours.base.sums import NeighbourSums
from nca_core.neighbours.base.threads import MOST_PARTS, summed

_BLOCK_CELLS = 250_000
_PAIRS_FOR_A_THREAD = 500_000
_MOST = 400.0  # of an exponent: numbers below exp(−708) take many times as long
_TINY = 1e-160  # below this a sum of M w is taken again in logs
TRUSTED = 1e6  # ‖y_i‖² up to which ‖y_i‖² + ‖y_j‖² − 2 y_i·y_j keeps eight digits of an exponent
_PRODUCTS_FROM = 8  # components


class BlockSums:
    """The sums of some points over all others, S_i = Σ_{j≠i} M_ij w_ij, by every pair in plain numpy, and gradients of
    objectives from them.

    block: ``block(rows)`` gives M_ij of these rows against all, (n_rows, n_samples), with zeros on the diagonal.
    Y: (n_components, n_samples).
    rows: the points, (n_rows,).

    sums: of these, each (n_rows,); log S is −inf for a point that is similar to no other.
    """

    def __init__(self, block: Callable[[np.ndarray], np.ndarray], Y: np.ndarray, rows: np.ndarray, name: str) -> None:
        self._block, self._Y, self._rows, self.name = block, Y, rows, name
        self._norms = norms = _norms(Y)
        log_z, log_s, log_p, entropy = (np.empty(len(rows)) for _ in range(4))

        def work(here: slice, _: np.ndarray) -> None:
            nearest, beyond, w = _weights(Y, norms, rows[here])
            total = w.sum(axis=1)
            _, _, log_mates = _mates(block(rows[here]), beyond, w)
            entropy[here] = np.maximum(np.log(total) + np.einsum("ij,ij->i", w, beyond) / total, 0.0)
            log_z[here] = np.log(total) - nearest
            log_s[here] = log_mates - nearest
            # By differences: far out, log S and log Z are huge and nearly equal.
            log_p[here] = np.minimum(log_mates - np.log(total), 0.0)

        each_block(Y.shape[1], rows, work, (0,))
        self.sums = NeighbourSums(log_z, log_s, log_p, entropy)

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of an objective with these derivatives in log S_i and log Z_i, (n_rows,).

        With a_i = (∂F/∂log S_i)/S_i and b_i = (∂F/∂log Z_i)/Z_i the pair (i, j) counts with
        w_ij [b_i + b_j + a_i M_ij + a_j M_ji]; each row brings its own half of that to both ends.
        """

        def force(here: slice) -> np.ndarray:
            _, beyond, w = _weights(self._Y, self._norms, self._rows[here])
            v, mates, _ = _mates(self._block(self._rows[here]), beyond, w)
            v *= (d_log_s[here] / np.where(mates > 0, mates, 1.0))[:, None]
            v += (d_log_z[here] / w.sum(axis=1))[:, None] * w
            return v

        return pulled(self._Y, self._rows, force)[1]


def each_block(
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


def _norms(Y: np.ndarray) -> np.ndarray | None:
    """‖y_j‖² of all, (n_samples,), where scalar products are quicker than differences; else None."""
    return np.einsum("ij,ij->j", Y, Y) if len(Y) >= _PRODUCTS_FROM else None


def pulled(Y: np.ndarray, rows: np.ndarray, force: Callable[[slice], np.ndarray]) -> tuple[float, np.ndarray]:
    """−Σ f_ij ‖y_i − y_j‖² and 2 Σ f_ij (y_j − y_i) at both ends, for i in rows and f (n_rows, n) in blocks."""
    d, n = Y.shape
    norms = _norms(Y)

    def work(here: slice, out: np.ndarray) -> None:
        f, queries = force(here), rows[here]
        if norms is None or norms[queries].max() > TRUSTED:
            for axis in range(d):
                step = Y[axis][None, :] - Y[axis][queries, None]  # (n_block, n_samples)
                pull = f * step
                out[axis] -= pull.sum(axis=0)
                out[axis, queries] += pull.sum(axis=1)
                out[d, 0] -= np.einsum("ij,ij->", pull, step)
            return
        own, columns, towards = f.sum(axis=1), f.sum(axis=0), Y @ f.T  # (n_block,), (n_samples,), (d, n_block)
        out[:d] += Y[:, queries] @ f - columns * Y
        out[:d, queries] += towards - own * Y[:, queries]
        out[d, 0] -= own @ norms[queries] + columns @ norms - 2.0 * np.sum(towards * Y[:, queries])

    total = each_block(n, rows, work, (d + 1, n))
    return float(total[d, 0]), 2.0 * total[:d]


def _weights(Y: np.ndarray, norms: np.ndarray | None, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(nearest, beyond, w): the least squared distance of each row to another point (n_rows,), how far the others are
    beyond it, and exp(−beyond), each (n_rows, n_samples); the point itself has the weight 0.

    By products points farther out than the rows may lose digits of their distances, but are beyond those that count.
    """
    if norms is None or norms[rows].max() > TRUSTED:
        beyond = np.zeros((len(rows), Y.shape[1]))
        for axis in Y:
            step = axis[rows, None] - axis[None, :]
            step *= step
            beyond += step
    else:
        beyond = (-2.0 * Y[:, rows].T) @ Y
        beyond += norms[rows, None]
        beyond += norms
        np.maximum(beyond, 0.0, out=beyond)
    itself = np.arange(len(rows)), rows
    beyond[itself] = np.inf
    nearest = beyond.min(axis=1)
    beyond -= nearest[:, None]
    w = np.minimum(beyond, _MOST)
    np.exp(np.negative(w, out=w), out=w)
    w[itself] = 0.0
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
