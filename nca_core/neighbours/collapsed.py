"""Points that lie almost in one place: all pairs at once by moments, in time O(n d²)."""

from collections.abc import Callable

import numpy as np

from nca_core.neighbours.base.sums import Classes, NeighbourSums, for_each_unit

MOST_SPREAD = 1e-3  # diagonal of the box around all points


class Collapsed:
    """The sums at one Y, (n_components, n_samples) sorted by class, and gradients of objectives from them.

    With w_ij = 1 − ‖y_i − y_j‖², which is exp(−‖y_i − y_j‖²) within 5e-13 at this spread, all are sums of powers of y.
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
