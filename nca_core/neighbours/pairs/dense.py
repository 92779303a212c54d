"""The dense method: every pair, exact, any number of components, memory O(n) for each thread."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from nca_core.neighbours.base.sums import Classes, NeighbourSums, for_each_unit
from nca_core.neighbours.base.threads import MOST_PARTS, summed
from nca_core.neighbours.pairs.exact_rows import Singly

# Below this log a sum is taken again with the nearest distance out of the exponent: the plain sum has lost digits.
ISOLATED = -300.0
_PAIRS_FOR_A_THREAD = 600_000


class Dense:
    """The sums at one Y, and gradients of objectives from them.

    Y: (n_components, n_samples), sorted by class.
    logs: makes no difference here; log p_i is always exact.
    """

    name = "dense"

    def __init__(self, Y: np.ndarray, classes: Classes, logs: bool = True) -> None:
        from nca_core.neighbours.pairs import pair_kernels

        self._Y, self._classes = Y, classes
        n = Y.shape[1]
        Z, S, H = summed(_strips(n), lambda a, b, out: pair_kernels.sums_of_strip(Y, classes.end, a, b, out), (3, n))
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
        from nca_core.neighbours.pairs import pair_kernels

        Y, classes = self._Y, self._classes
        d_s = np.where(classes.partners > 0, d_log_s, 0.0)
        d_z = d_log_z.copy()
        result = np.zeros_like(Y) if self._singly is None else self._singly.take_gradient(d_s, d_z)
        # What was taken singly has the derivative 0, and a log that exp could not hold.
        a, b = for_each_unit(d_s, self.sums.log_s), for_each_unit(d_z, self.sums.log_z)
        result += summed(
            _strips(Y.shape[1]),
            lambda start, stop, out: pair_kernels.gradient_of_strip(Y, classes.end, a, b, start, stop, out),
            Y.shape,
        )
        return 2.0 * result


def _strips(n: int) -> list[tuple[int, int]]:
    """Row ranges with about equally many pairs (i, j > i), as many as are worth a thread."""
    count = min(MOST_PARTS, max(1, n * (n - 1) // 2 // _PAIRS_FOR_A_THREAD))
    cuts = [round(n * (1.0 - (1.0 - k / count) ** 0.5)) for k in range(count + 1)]
    return [(a, b) for a, b in pairwise(cuts) if b > a]
