"""The dense way: every pair, exact, any number of components, memory O(n) for each thread."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from nca_core.neighbours import compiled
from nca_core.neighbours.isolated import add_row_gradients, class_log_sums, row_sums
from nca_core.neighbours.sums import Classes, NeighbourSums
from nca_core.neighbours.threads import summed, workers

# Below this log a sum is taken again with the nearest distance out of the exponent: the plain sum has lost digits.
ISOLATED = -300.0
_PAIRS_FOR_A_THREAD = 1_500_000


class Dense:
    """The sums at one Y, and gradients of scores from them.

    Parameters:
        Y: (n_components, n_samples), sorted by class.
        classes: of these points.
        logs: makes no difference here; log p_i is always exact.
    """

    name = "dense"

    def __init__(self, Y: np.ndarray, classes: Classes, logs: bool = True) -> None:
        self._Y, self._classes = Y, classes
        n = Y.shape[1]
        self._kernels = kernels = compiled.kernels()
        if kernels is None:
            self.sums = row_sums(Y, classes, np.arange(n))
            return
        Z, S, H = summed(_strips(n), lambda a, b, out: kernels.sums_of_strip(Y, classes.end, a, b, out), (3, n))
        with np.errstate(divide="ignore", invalid="ignore"):
            log_z, log_s = np.log(Z), np.log(S)
            entropy = np.maximum(log_z + H / Z, 0.0)
        log_s[classes.partners == 0] = -np.inf
        with np.errstate(invalid="ignore"):
            log_p = np.minimum(log_s - log_z, 0.0)
        alone = np.flatnonzero((log_s < ISOLATED) & (log_z >= ISOLATED) & (classes.partners > 0))
        if alone.size:  # far from their own class only: no other class need be looked at again
            log_s[alone] = class_log_sums(Y, classes, alone)
            log_p[alone] = np.minimum(log_s[alone] - log_z[alone], 0.0)
        far = np.flatnonzero(log_z < ISOLATED)
        if far.size:
            exact = row_sums(Y, classes, far)
            log_z[far], log_s[far], log_p[far], entropy[far] = exact.log_z, exact.log_s, exact.log_p, exact.entropy
        self.sums = NeighbourSums(log_z, log_s, log_p, entropy)

    def gradient(self, by_log_s: np.ndarray, by_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of a score whose derivatives in log S_i and log Z_i are given."""
        Y, classes, known, kernels = self._Y, self._classes, self.sums, self._kernels
        n = Y.shape[1]
        result = np.zeros_like(Y)
        far_z = known.log_z < ISOLATED
        far_s = (known.log_s < ISOLATED) & (classes.partners > 0)
        if kernels is None:
            far_z, far_s = np.ones(n, dtype=bool), classes.partners > 0
        else:
            with np.errstate(over="ignore", invalid="ignore"):
                a = np.where(far_s | (classes.partners == 0), 0.0, by_log_s * np.exp(-known.log_s))
                b = np.where(far_z, 0.0, by_log_z * np.exp(-known.log_z))
            result = summed(
                _strips(n),
                lambda start, stop, out: kernels.gradient_of_strip(Y, classes.end, a, b, start, stop, out),
                Y.shape,
            )
        for rows, weights, same_class in (
            (np.flatnonzero(far_s & _counts(by_log_s)), by_log_s, True),
            (np.flatnonzero(far_z & _counts(by_log_z)), by_log_z, False),
        ):
            if rows.size:
                add_row_gradients(Y, classes, rows, weights[rows], same_class, result)
        return 2.0 * result


def _strips(n: int) -> list[tuple[int, int]]:
    """Row ranges with about equally many pairs (i, j > i), one for each thread that is worth its start."""
    count = min(workers(), max(1, n * (n - 1) // 2 // _PAIRS_FOR_A_THREAD))
    cuts = [round(n * (1.0 - (1.0 - k / count) ** 0.5)) for k in range(count + 1)]
    return [(a, b) for a, b in pairwise(cuts) if b > a]


def _counts(weights: np.ndarray) -> np.ndarray:
    """Which weights can change a sum of all of them: the gradient of f has many of 1e-130 and below."""
    size = np.abs(weights)
    return size > 1e-40 * size.max(initial=0.0)
