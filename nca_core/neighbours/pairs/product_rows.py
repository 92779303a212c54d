"""ProductRows: exact sums of single points over all others, by matrix products; in many dimensions no tree helps."""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.sums import Classes, NeighbourSums
from nca_core.neighbours.base.threads import MOST_PARTS, split, summed

_BLOCK_CELLS = 250_000
_KEPT_CELLS = 4_200_000  # distances kept between the sums and the gradient
_WORK_FOR_A_THREAD = 30_000_000


class ProductRows:
    """The sums of some points over all others with the nearest distance out of the exponent, and gradients from them.

    Parameters
    ----------
    points : ndarray
        (n_samples, n_components), sorted by class.
    norms : ndarray
        ‖y_i‖², (n_samples,).
    classes : Classes
        Of these points.
    rows : ndarray
        Places of those that are summed for, rising, (n_rows,).

    Attributes
    ----------
    sums
        Of these, each (n_rows,).
    """

    name = "queries"

    def __init__(self, points: np.ndarray, norms: np.ndarray, classes: Classes, rows: np.ndarray) -> None:
        from nca_core.neighbours.pairs import product_kernels

        self._points, self._norms, self._classes, self.rows = points, norms, classes, rows
        n, d = points.shape
        self._size = max(1, _BLOCK_CELLS // n)
        self._parts = split(len(rows), int(np.clip(len(rows) * n * d // _WORK_FOR_A_THREAD, 1, MOST_PARTS)))
        self._kept: dict[int, np.ndarray] | None = {} if len(rows) * n <= _KEPT_CELLS else None
        self._found = np.empty((len(rows), 5))  # as of sums_of_block

        def work(first: int, last: int, _: np.ndarray) -> None:
            for here in self._blocks(first, last):
                block = self._distances(here)
                product_kernels.sums_of_block(block, classes.start, classes.end, rows[here], self._found[here])
                if self._kept is not None:
                    self._kept[here.start] = block

        summed(self._parts, work, (0,))
        nearest, total, beyond, mate, mates = self._found.T
        alone = ~np.isfinite(nearest)
        nearest, total = np.where(alone, 0.0, nearest), np.where(alone, 1.0, total)
        unpaired = ~np.isfinite(mate)
        mate = np.where(unpaired, 0.0, mate)
        with np.errstate(divide="ignore"):
            log_mates = np.where(unpaired, -np.inf, np.log(mates))
        # By differences: far out, log S and log Z are huge and nearly equal.
        log_p = np.minimum(log_mates - np.log(total) - (mate - nearest), 0.0)
        entropy = np.maximum(np.log(total) + beyond / total, 0.0)
        self.sums = NeighbourSums(np.log(total) - nearest, log_mates - mate, log_p, entropy)

    def by_points(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """½ ∂F/∂Yᵀ, (n_samples, n_components), of an objective with these derivatives for the rows, (n_rows,)."""
        from nca_core.neighbours.pairs import product_kernels

        points, norms, classes = self._points, self._norms, self._classes
        n, d = points.shape
        _, total_z, _, _, total_s = self._found.T
        with np.errstate(divide="ignore", invalid="ignore"):
            all_weight = np.where(total_z > 0, d_log_z / total_z, 0.0)
            same_weight = np.where(total_s > 0, d_log_s / total_s, 0.0)

        def work(first: int, last: int, gradient: np.ndarray) -> None:
            total = np.zeros(n)
            for here in self._blocks(first, last):
                forces = self._distances(here) if self._kept is None else self._kept[here.start].copy()
                asked = self.rows[here]
                product_kernels.forces_of_block(
                    forces, points, norms, classes.start, classes.end, asked, self._found[here],
                    all_weight[here], same_weight[here], total, gradient,
                )  # fmt: skip
                gradient[asked] += forces @ points
                gradient += forces.T @ points[asked]
            gradient -= total[:, None] * points

        return summed(self._parts, work, (n, d))

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of the same objective."""
        return 2.0 * self.by_points(d_log_s, d_log_z).T

    def _blocks(self, first: int, last: int) -> list[slice]:
        return [slice(k, min(k + self._size, last)) for k in range(first, last, self._size)]

    def _distances(self, here: slice) -> np.ndarray:
        from nca_core.neighbours.pairs import product_kernels

        rows, classes = self.rows[here], self._classes
        block = self._points[rows] @ self._points.T
        product_kernels.distances_of_block(block, self._points, self._norms, classes.start, classes.end, rows)
        return block
