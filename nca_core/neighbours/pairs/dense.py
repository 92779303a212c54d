"""The dense method: every pair, exact, any number of components, memory O(n) for each thread; in plain numpy for few
points, and by moments for points that lie almost in one place."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from nca_core.neighbours import pairs as loops
from nca_core.neighbours.base.sums import Classes, NeighbourSums, for_each_unit
from nca_core.neighbours.base.threads import MOST_PARTS, summed
from nca_core.neighbours.pairs.tree import Singly

# Below this log a sum is taken again with the nearest distance out of the exponent: the plain sum has lost digits.
ISOLATED = -300.0
_PAIRS_FOR_A_THREAD = 600_000


class Dense:
    """The sums at one Y, (n_components, n_samples) sorted by class, and gradients of objectives from them; log p_i is
    always exact, whatever `logs` says."""

    name = "dense"

    def __init__(self, Y: np.ndarray, classes: Classes, logs: bool = True) -> None:
        self._Y, self._classes = Y, classes
        Z, S, H = self._over(np.empty((2, 0)), 3)
        with np.errstate(divide="ignore", invalid="ignore"):
            log_z, log_s = np.log(Z), np.log(S)
            entropy = np.maximum(log_z + H / Z, 0.0)
        log_s[classes.partners == 0] = -np.inf
        with np.errstate(invalid="ignore"):
            log_p = np.minimum(log_s - log_z, 0.0)
        self._singly: Singly | None = None
        far = log_z < ISOLATED
        distant = (log_s < ISOLATED) & ~far & (classes.partners > 0)
        if far.any() or distant.any():
            self._singly = Singly(Y, classes, far, distant)
            self._singly.put(log_z, log_s, log_p, entropy)
            log_s[classes.partners == 0] = log_p[classes.partners == 0] = -np.inf
            log_p, entropy = np.minimum(log_p, 0.0), np.maximum(entropy, 0.0)
        self.sums = NeighbourSums(log_z, log_s, log_p, entropy)

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of an objective whose derivatives in log S_i and log Z_i are given."""
        Y, classes = self._Y, self._classes
        d_s = np.where(classes.partners > 0, d_log_s, 0.0)
        d_z = d_log_z.copy()
        result = np.zeros_like(Y) if self._singly is None else self._singly.take_gradient(d_s, d_z)
        # What was taken singly has the derivative 0, and a log that exp could not hold.
        a, b = for_each_unit(d_s, self.sums.log_s), for_each_unit(d_z, self.sums.log_z)
        result += self._over(np.stack([a + b, b]), len(Y))
        return 2.0 * result

    def _over(self, known: np.ndarray, n_rows: int) -> np.ndarray:
        Y, end, n = self._Y, self._classes.end, self._Y.shape[1]

        def work(first: int, last: int, out: np.ndarray) -> None:
            loops.pair_kernels.over_strip(Y, end, first, last, known, np.empty(loops.pair_kernels.TILE), out)

        # Strips of rows with about equally many pairs (i, j > i), as many as are worth a thread.
        count = min(MOST_PARTS, max(1, n * (n - 1) // 2 // _PAIRS_FOR_A_THREAD))
        cuts = [round(n * (1.0 - (1.0 - k / count) ** 0.5)) for k in range(count + 1)]
        return summed([(a, b) for a, b in pairwise(cuts) if b > a], work, (n_rows, n))


MOST_POINTS = 200  # beyond, an array of all pairs leaves the cache
_TRUSTED = 2.5e5  # largest ‖y_i‖² up to which distances by matrix products keep nine digits of every exponent
_LEAST = -400.0  # no weight is less than exp of it: beyond, a whole evaluation took 1.6 times as long
_ROOT_OF_2 = float(np.sqrt(2.0))
_NONE = np.empty(0, dtype=np.int64)
_TINY = 1e-150  # below it the sum over a point's class is taken again by itself


class PlainDense:
    """The sums at one Y, (n_components, n_samples) sorted by class, and gradients of objectives from them."""

    name = "dense"

    def __init__(self, Y: np.ndarray, classes: Classes) -> None:
        self._Y = Y
        n = Y.shape[1]
        points = Y.T * _ROOT_OF_2
        minus = points @ points.T  # 2 y_i·y_j, (n_samples, n_samples)
        norms = 0.5 * minus.diagonal()
        largest = float(norms.max())
        self._trusted = largest <= _TRUSTED
        if self._trusted:  # −‖y_i − y_j‖²; by rounding a little above 0 here and there
            minus -= norms[:, None]
            minus -= norms
        else:
            minus = np.zeros((n, n))
            for axis in Y:
                step = np.subtract.outer(axis, axis)
                step *= step
                minus -= step
        minus.flat[:: n + 1] = -np.inf
        near = 4.0 * largest <= -_LEAST  # no two points are farther apart than that
        same, far = classes.same, _NONE
        if near:
            nearest, short = np.zeros(n), minus
            w = np.exp(minus)
        else:
            nearest = minus.max(axis=1)
            short = np.subtract(minus, nearest[:, None], out=minus)  # minus how much farther than the nearest
            w = np.maximum(short, _LEAST)
            np.exp(w, out=w)
        total = w @ np.ones(n)
        of_mates = np.vecdot(w, same)
        with np.errstate(divide="ignore"):
            log_mates = np.log(of_mates)
            if not near:
                far = np.flatnonzero((of_mates < _TINY) & (classes.partners > 0))
            if far.size:  # far from their own class: its nearest member comes out of the exponent
                apart = np.where(same[far] > 0, short[far], -np.inf)
                mate = apart.max(axis=1)
                self._far_mates = np.exp(np.maximum(apart - mate[:, None], _LEAST))
                of_mates[far] = self._far_mates.sum(axis=1)
                log_mates[far] = np.log(of_mates[far]) + mate
            log_total = np.log(total)
            log_p = np.minimum(log_mates - log_total, 0.0)
        short.flat[:: n + 1] = 0.0
        entropy = np.maximum(log_total - np.vecdot(w, short) / total, 0.0)
        self._w, self._total, self._same, self._far = w, total, same, far
        self._of_mates = np.where(of_mates > 0, of_mates, 1.0)
        self.sums = NeighbourSums(log_total + nearest, log_mates + nearest, log_p, entropy)

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of an objective whose derivatives in log S_i and log Z_i are given."""
        of_all = (2.0 * d_log_z / self._total)[:, None]
        of_mates = (2.0 * d_log_s / self._of_mates)[:, None]
        force = self._same * of_mates
        force += of_all
        force *= self._w
        if self._far.size:
            force[self._far] = self._w[self._far] * of_all[self._far] + self._far_mates * of_mates[self._far]
        force = force + force.T
        if self._trusted:
            force.flat[:: len(force) + 1] -= np.ones(len(force)) @ force
            return self._Y @ force
        return np.stack([np.einsum("ij,ij->i", force, axis[None, :] - axis[:, None]) for axis in self._Y])


MOST_SPREAD = 1e-3  # diagonal of the box around all points


class Collapsed:
    """Of points almost in one place: the sums at one Y, (n_components, n_samples) sorted by class, and gradients of
    objectives from them.

    With w_ij = 1 − ‖y_i − y_j‖², which is exp(−‖y_i − y_j‖²) within 5e-13 at this spread, all are sums of powers of y,
    in time O(n d²).
    """

    name = "dense"

    def __init__(self, Y: np.ndarray, classes: Classes) -> None:
        self._Y, self._classes = Y - Y.mean(axis=1, keepdims=True), classes
        apart = self._squares(_of_all)
        Z = Y.shape[1] - 1.0 - apart
        paired = classes.partners > 0
        with np.errstate(divide="ignore"):
            log_z = np.log(Z)
            log_s = np.log(np.where(paired, classes.partners - self._squares(classes.sums), 0.0))
            log_p = np.minimum(log_s - log_z, 0.0)
        self.sums = NeighbourSums(log_z, log_s, log_p, np.maximum(log_z + apart / Z, 0.0))

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of an objective whose derivatives in log S_i and log Z_i are given."""
        result = np.zeros_like(self._Y)
        for d_log, log_sum, total in (
            (np.where(self._classes.partners > 0, d_log_s, 0.0), self.sums.log_s, self._classes.sums),
            (d_log_z, self.sums.log_z, _of_all),
        ):
            weights = for_each_unit(d_log, log_sum)
            result += weights * self._pull(np.ones_like(weights), total) + self._pull(weights, total)
        return 2.0 * result

    def _squares(self, total: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Σ_j ‖y_i − y_j‖² over those that `total` adds up, (n_samples,)."""
        Y, squares = self._Y, np.einsum("ij,ij->j", self._Y, self._Y)
        return np.maximum(
            total(np.ones_like(squares)) * squares - 2.0 * (total(Y) * Y).sum(axis=0) + total(squares), 0.0
        )

    def _pull(self, weights: np.ndarray, total: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Σ_j weights_j w_ij (y_j − y_i) over those that `total` adds up, (n_components, n_samples)."""
        Y, squares = self._Y, np.einsum("ij,ij->j", self._Y, self._Y)
        first = total(weights * Y)
        of_weights = (1.0 - squares) * total(weights) + 2.0 * (first * Y).sum(axis=0) - total(weights * squares)
        towards = (1.0 - squares) * first - total(weights * squares * Y)
        for axis in Y:
            towards += 2.0 * axis * total(weights * axis * Y)
        return towards - of_weights * Y


def _of_all(values: np.ndarray) -> np.ndarray:
    return values.sum(axis=-1, keepdims=True)
