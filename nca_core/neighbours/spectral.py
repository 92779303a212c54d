"""The spectral way, for one to three components: sums of Gaussians by the non-uniform FFT, in a time linear in n.

The transforms' error is absolute, about the tolerance times the largest sum. So the points with the smallest sums are
done exactly against a tree, as many as it takes to keep the summed error of log p and of the entropies in bounds.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.exact_rows import DistantMates, FarRows
from nca_core.neighbours.fourier_field import FourierField
from nca_core.neighbours.sums import Classes, NeighbourSums
from nca_core.neighbours.threads import shared_pool, workers
from nca_core.neighbours.tree import Tree

TOLERANCE = 1e-12
_CLOSE = 0.1  # in so small an extent differences of points are small against the error of the transforms,
_FINER = 1e-14  # so it is made smaller
_ERROR = 4 * TOLERANCE  # measured: at most 2 tolerances, relative to the largest sum
_BUDGET = 1e-9  # summed error, relative to what it is an error of


class Spectral:
    """The sums at one Y, and gradients of scores from them.

    Parameters:
        Y: (n_components, n_samples), sorted by class.
        classes: of these points.
        logs: log p_i shall be exact even where p_i is negligible.
    """

    name = "spectral"

    def __init__(self, Y: np.ndarray, classes: Classes, logs: bool = True) -> None:
        n = Y.shape[1]
        self._Y = Y
        # A class of one member has nothing to sum.
        self._classes = [slice(start, end) for start, end in _ranges(classes) if end - start > 1]
        everybody = shared_pool().submit(_sum_of_all, Y)
        S = np.zeros(n)
        for members in self._classes:
            own = _field(Y[:, members])
            S[members] = own.at_points(own.modes_of(np.ones(own.n_points)) * own.gaussian).real - 1.0
        Z, H = everybody.result()
        error = _ERROR * (1.0 + Z.max(initial=0.0))
        Z, S = np.maximum(Z, 0.0), np.maximum(S, 0.0)
        paired = classes.partners > 0
        with np.errstate(divide="ignore", invalid="ignore"):
            likely_p = np.where(Z > 0, np.minimum(S / Z, 1.0), 0.0)
            far = _smallest(Z, error, _BUDGET * min(float(likely_p.sum()), n / 10))
            self._far = np.flatnonzero(far)
            log_z, log_s = np.log(Z), np.log(S)
            entropy = log_z + H / Z
            log_p = log_s - log_z
        distant = np.zeros(n, dtype=bool)
        if logs:
            with np.errstate(divide="ignore"):
                size = float(np.minimum(-np.log(likely_p[paired & (likely_p > 0)]), 10.0).sum())
            distant = paired & _smallest(np.where(paired, S, np.inf), error, _BUDGET * size)
        self._tree = Tree.of(Y, classes.start) if far.any() or distant.any() else None
        self._rows: FarRows | None = None
        self._mates: DistantMates | None = None
        if self._tree is not None:
            order = self._tree.order
            values = [array[order] for array in (log_z, log_s, log_p, entropy)]
            self._rows = FarRows(self._tree, np.flatnonzero(far[order]))
            self._rows.put(*values)
            wanted = distant[order]
            if logs:
                wanted[self._rows.rows] = paired[order][self._rows.rows] & ~self._rows.known_same(_BUDGET)
            self._mates = DistantMates(self._tree, np.flatnonzero(wanted))
            self._mates.put(values[0], values[1], values[2], self._rows)
            values[1][~paired[order]] = values[2][~paired[order]] = -np.inf
            self.sums = NeighbourSums.of_order(order, *values)
        else:
            log_s[~paired] = log_p[~paired] = -np.inf
            self.sums = NeighbourSums(log_z, log_s, np.minimum(log_p, 0.0), np.maximum(entropy, 0.0))

    @property
    def n_exact(self) -> int:
        """How many points were done exactly against the tree."""
        return 0 if self._rows is None or self._mates is None else len(self._rows.rows) + len(self._mates.rows)

    def gradient(self, by_log_s: np.ndarray, by_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of a score whose derivatives in log S_i and log Z_i are given."""
        by_s, by_z = by_log_s.copy(), by_log_z.copy()
        result = np.zeros_like(self._Y)
        if self._tree is not None and self._rows is not None and self._mates is not None:
            order = self._tree.order
            s, z = by_s[order], by_z[order]
            singly = self._mates.gradient(s)
            s[self._mates.rows] = 0.0
            singly += self._rows.gradient(s, z)
            s[self._rows.rows] = z[self._rows.rows] = 0.0
            result[:, order] = singly
            by_s[order], by_z[order] = s, z
        same = by_s * np.exp(-np.where(by_s == 0.0, 0.0, self.sums.log_s))
        everybody = by_z * np.exp(-np.where(by_z == 0.0, 0.0, self.sums.log_z))
        by_all = shared_pool().submit(_forces, self._Y, everybody)
        for members in self._classes:
            result[:, members] += _forces(self._Y[:, members], same[members])
        result += by_all.result()
        return 2.0 * result


def _field(Y: np.ndarray) -> FourierField:
    # One of these runs beside another: all points on one thread, class after class on the other.
    close = float(np.ptp(Y, axis=1).max(initial=0.0)) < _CLOSE
    return FourierField(Y, _FINER if close else TOLERANCE, max(1, workers() // 2))


def _sum_of_all(Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Z and Σ_j w_ij ‖y_i − y_j‖², each (n_points,)."""
    field = _field(Y)
    modes = field.modes_of(np.ones(field.n_points)) * (field.gaussian * (1.0 + 1j * field.squared()))
    packed = field.at_points(modes)
    return packed.real - 1.0, packed.imag  # without the point itself, which adds 1 and 0


def _forces(Y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Σ_j w_ij (weights_i + weights_j) (y_j − y_i) over these points, (n_components, n_points)."""
    result = np.zeros(Y.shape)
    if not weights.any():
        return result
    field = _field(Y)
    # Strengths 1 and weights_j travel as real and imaginary part of one transform.
    modes = field.modes_of(1.0 + 1j * weights) * field.gaussian
    for axis in range(Y.shape[0]):
        pull = field.at_points(modes * field.along(axis))
        result[axis] = weights * pull.real + pull.imag
    return result


def _ranges(classes: Classes) -> list[tuple[int, int]]:
    starts = np.unique(classes.start[classes.end > classes.start])
    return [(int(start), int(classes.end[start])) for start in starts]


def _smallest(total: np.ndarray, error: float, budget: float) -> np.ndarray:
    """Bool (n,): the smallest totals, so many that Σ error / total over the others stays within the budget."""
    with np.errstate(divide="ignore"):
        relative = error / total
    falling = np.argsort(-relative, kind="stable")
    # From the largest total on, how much error has come together; infinite ones last.
    gathered = np.cumsum(relative[falling[::-1]])[::-1]
    chosen = np.zeros(len(total), dtype=bool)
    chosen[falling[gathered > budget]] = True
    return chosen & np.isfinite(total)
