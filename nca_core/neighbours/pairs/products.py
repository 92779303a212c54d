"""The dense method for many components: distances and forces by matrix products, in tiles that fit the cache.

Each pair of tiles is visited once. Memory is O(n x n_components) for each thread; the weights of up to about 2,000
points are kept between the sums and the gradient.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nca_core.neighbours import pairs as loops
from nca_core.neighbours.base.sums import Classes, NeighbourSums, for_each_unit
from nca_core.neighbours.base.threads import MOST_PARTS, parts_of, split, summed
from nca_core.neighbours.pairs.block_sums import TRUSTED

ISOLATED = -300.0  # below this log a sum has lost digits, or underflowed
_SMALLEST_TILE, _LARGEST_TILE = 128, 320
_KEPT_CELLS = 4_200_000
_KEPT_FROM = 32  # components; with fewer it takes no longer to do the weights again than to fetch them
_WORK_FOR_A_THREAD = 30_000_000  # pairs times components
_FEW_FORCES = 1e-20  # of the largest that pulls on a point, below which the pull of a pair changes no digit
_ASKED = 24  # points that tell how far points are from their nearest
_ROWS_CELLS = 250_000


class _Rows:
    """The sums of some points over all others, each with its own nearest distance out of the exponent, and gradients
    from them. Two products of a pair in place of one, but only pairs that count are looked at more closely.

    points: (n_samples, n_components), sorted by class; norms: ‖y_i‖²; rows: of the points, (n_rows,).
    """

    def __init__(self, points: np.ndarray, norms: np.ndarray, classes: Classes, rows: np.ndarray) -> None:
        self._points, self._norms, self._classes, self._rows = points, norms, classes, rows
        self._parts = parts_of(len(rows), max(1, _WORK_FOR_A_THREAD // points.size))

        def work(first: int, last: int, out: np.ndarray) -> None:
            for here, squares in self._squares(first, last):
                loops.product_kernels.sums_of_far_rows(squares, rows[here], classes.start, classes.end, out[:, here])

        self._found = nearest, total, beyond, mate, mates = summed(self._parts, work, (5, len(rows)), apart=True)
        with np.errstate(divide="ignore"):
            log_total, log_mates = np.log(total), np.log(mates)
        # By differences: far out, log S and log Z are huge and nearly equal.
        log_p = np.minimum(log_mates - log_total + (nearest - mate), 0.0)
        self.sums = NeighbourSums(log_total - nearest, log_mates - mate, log_p, log_total + beyond / total)

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of an objective with these derivatives of the rows, (n_rows,)."""

        def work(first: int, last: int, out: np.ndarray) -> None:
            for here, squares in self._squares(first, last):
                loops.product_kernels.pull_rows(
                    squares, self._points, self._rows[here], self._classes.start, self._classes.end,
                    self._found[:, here], d_log_s[here], d_log_z[here], out,
                )  # fmt: skip

        return 2.0 * summed(self._parts, work, self._points.shape).T

    def _squares(self, first: int, last: int) -> Iterator[tuple[slice, np.ndarray]]:
        """Squared distances of the rows first..last to all, block by block."""
        size = max(1, _ROWS_CELLS // len(self._points))
        for start in range(first, last, size):
            here = slice(start, min(start + size, last))
            rows = self._rows[here]
            block = self._points[rows] @ self._points.T
            loops.product_kernels.squares_of_rows(block, self._points, self._norms, rows, TRUSTED)
            yield here, block


class Products:
    """The sums at one Y, (n_components, n_samples) sorted by class, with squares that do not overflow, and gradients of
    objectives from them; log p_i is always exact, whatever `logs` says."""

    name = "dense"

    def __init__(self, Y: np.ndarray, classes: Classes, logs: bool = True) -> None:
        self._points = points = np.ascontiguousarray(Y.T)  # (n_samples, n_components)
        self._norms = np.einsum("ij,ij->i", points, points)
        self._classes, self._paired = classes, classes.partners > 0
        n, d = points.shape
        self._apart: _Rows | None = None
        # Taken out of all exponents, as far as points are from their nearest.
        self._shift = self._distance_of_nearest()
        self._size = size = int(np.clip(-(-n // 6), _SMALLEST_TILE, _LARGEST_TILE))
        spans = [(first, min(first + size, n)) for first in range(0, n, size)]
        # (rows, columns) of each tile on or above the diagonal
        self._tiles = [(rows, columns) for k, rows in enumerate(spans) for columns in spans[k:]]
        self._parts = split(len(self._tiles), int(np.clip(n * n * d // 2 // _WORK_FOR_A_THREAD, 1, MOST_PARTS)))
        self._kept = np.empty((n, n)) if d >= _KEPT_FROM and n * n <= _KEPT_CELLS else None
        S, others, H = summed(self._parts, self._add_sums, (3, n))
        Z = S + others
        with np.errstate(divide="ignore", invalid="ignore"):
            log_z, log_s = np.log(Z), np.log(S)
            entropy = np.maximum(log_z - self._shift + H / Z, 0.0)
            log_s[~self._paired] = -np.inf
            log_p = np.minimum(log_s - log_z, 0.0)
        lost = (np.abs(log_z) > -ISOLATED) | ((log_s < ISOLATED) & self._paired) | (self._norms > TRUSTED)
        log_z -= self._shift
        log_s -= self._shift
        self._lost = rows = np.flatnonzero(lost)
        if len(rows):
            self._apart = _Rows(points, self._norms, classes, rows)
            sums = self._apart.sums
            log_z[rows], log_s[rows], log_p[rows], entropy[rows] = sums.log_z, sums.log_s, sums.log_p, sums.entropy
        self.sums = NeighbourSums(log_z, log_s, log_p, entropy)

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of an objective whose derivatives in log S_i and log Z_i are given."""
        d_s, d_z = np.where(self._paired, d_log_s, 0.0), d_log_z.copy()
        apart: np.ndarray | float = 0.0
        if self._apart is not None:
            apart = self._apart.gradient(d_s[self._lost], d_z[self._lost])
            d_s[self._lost] = d_z[self._lost] = 0.0
        a, b = (for_each_unit(d, log + self._shift) for d, log in ((d_s, self.sums.log_s), (d_z, self.sums.log_z)))
        # What the pulls on a point come to: where it is all but sure of its class, a_i and b_i nearly cancel.
        net = np.abs(d_s * -np.expm1(self.sums.log_p)) + np.abs(d_s + d_z)
        return 2.0 * self._pulls(a, b, _FEW_FORCES * float(net.max())).T + apart

    def _distance_of_nearest(self) -> float:
        """The median squared distance of some points from their nearest."""
        n = len(self._points)
        sample = np.linspace(0, n - 1, min(n, _ASKED)).astype(np.int64)
        found = self._norms[sample, None] + self._norms - 2.0 * self._points[sample] @ self._points.T
        found[np.arange(len(sample)), sample] = np.inf
        return float(np.median(found.min(axis=1)))

    def _add_sums(self, first: int, last: int, out: np.ndarray) -> None:
        room = np.empty(self._size**2)
        for (start, stop), (left, right) in self._tiles[first:last]:
            block = self._products(start, stop, left, right, room)
            loops.product_kernels.sums_of_tile(
                block, self._norms, self._shift, self._classes.end, start, left, right, out
            )
            if self._kept is not None:
                self._kept[start:stop, left:right] = block

    def _pulls(self, a: np.ndarray, b: np.ndarray, least: float) -> np.ndarray:
        """½ ∂F/∂Yᵀ, (n_samples, n_components), with a_i = ∂F/∂S_i and b_i = ∂F/∂Z_i; without forces below `least`."""
        points, norms, end, kept = self._points, self._norms, self._classes.end, self._kept

        def work(first: int, last: int, gradient: np.ndarray) -> None:
            total, room = np.zeros(len(points)), np.empty(self._size**2)
            for (start, stop), (left, right) in self._tiles[first:last]:
                if kept is None:
                    block = self._products(start, stop, left, right, room)
                    loops.product_kernels.weights_of_tile(block, norms, self._shift, start, left, right)
                else:
                    block = room[: (stop - start) * (right - left)].reshape(stop - start, right - left)
                    block[:] = kept[start:stop, left:right]
                loops.product_kernels.forces_of_tile(block, end, a, b, start, left, right, total)
                if loops.product_kernels.few_forces(block, least):
                    loops.product_kernels.pull_singly(block, points, start, left, least, gradient)
                else:
                    gradient[start:stop] += block @ points[left:right]
                    gradient[left:right] += block.T @ points[start:stop]
            gradient -= total[:, None] * points

        return summed(self._parts, work, points.shape)

    def _products(self, start: int, stop: int, left: int, right: int, room: np.ndarray) -> np.ndarray:
        """y_i·y_j of a tile, in a room that stays in the cache."""
        block = room[: (stop - start) * (right - left)].reshape(stop - start, right - left)
        return np.matmul(self._points[start:stop], self._points[left:right].T, out=block)
