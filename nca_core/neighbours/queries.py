"""Queries: the sums of a batch of points over all others, each exactly by itself, and gradients of scores from them."""

from __future__ import annotations

import numpy as np

from nca_core.neighbours import compiled
from nca_core.neighbours.exact_rows import Singly
from nca_core.neighbours.plain_rows import add_row_gradients, row_sums
from nca_core.neighbours.sums import Classes, NeighbourSums

_LOST, _KNOWN = 1e-16, 1e-6


class Queries:
    """Parameters:
    Y: (n_components, n_samples), sorted by class.
    classes: of these points.
    rows: places of the queries, rising, (n_queries,).

    Attributes:
        sums: of the queries, each (n_queries,).
    """

    def __init__(self, Y: np.ndarray, classes: Classes, rows: np.ndarray) -> None:
        self._Y, self._classes, self._rows = Y, classes, rows
        self._paired = classes.partners[rows] > 0
        self._singly: Singly | None = None
        if compiled.kernels() is None or not np.isfinite(Y).all():
            self.sums = row_sums(Y, classes, rows)
            return
        n = Y.shape[1]
        asked = np.zeros(n, dtype=bool)
        asked[rows] = True
        self._singly = Singly(Y, classes, asked, np.zeros(n, dtype=bool), _LOST, _KNOWN)
        values = np.full((4, n), -np.inf)
        self._singly.put(*values)
        log_z, log_s, log_p, entropy = values[:, rows]
        log_s[~self._paired] = log_p[~self._paired] = -np.inf
        self.sums = NeighbourSums(log_z, log_s, np.minimum(log_p, 0.0), np.maximum(entropy, 0.0))

    def gradient(self, by_log_s: np.ndarray, by_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of a score with these derivatives for the queries, each (n_queries,)."""
        Y, rows, paired = self._Y, self._rows, self._paired
        if self._singly is None:
            result = np.zeros_like(Y)
            add_row_gradients(Y, self._classes, rows[paired], by_log_s[paired], True, result)
            add_row_gradients(Y, self._classes, rows, by_log_z, False, result)
            return 2.0 * result
        by_s, by_z = np.zeros(Y.shape[1]), np.zeros(Y.shape[1])
        by_s[rows], by_z[rows] = np.where(paired, by_log_s, 0.0), by_log_z
        return 2.0 * self._singly.take_gradient(by_s, by_z)
