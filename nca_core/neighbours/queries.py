"""Queries: the sums of a batch of points over all others, each exactly by itself, and gradients from them."""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base import compiled
from nca_core.neighbours.base.sums import Classes, NeighbourSums
from nca_core.neighbours.choose import LARGEST_COORDINATE, PRODUCTS_FROM
from nca_core.neighbours.pairs.exact_rows import Singly
from nca_core.neighbours.pairs.plain_rows import PlainRows
from nca_core.neighbours.pairs.product_rows import ProductRows


class Queries:
    """The sums of some points over all others, and gradients from them.

    Parameters
    ----------
    Y : ndarray
        (n_components, n_samples), sorted by class.
    classes : Classes
        Of these points.
    rows : ndarray
        Places of the queries, rising, (n_queries,).

    Attributes
    ----------
    sums
        Of the queries, each (n_queries,).
    """

    name = "queries"

    def __init__(self, Y: np.ndarray, classes: Classes, rows: np.ndarray) -> None:
        self._n, self._rows = Y.shape[1], rows
        self._paired = classes.partners[rows] > 0
        self._by: PlainRows | ProductRows | Singly
        if not compiled.in_use() or not np.isfinite(Y).all():
            self._by = PlainRows(Y, classes, rows)
            self.sums = self._by.sums
            return
        if Y.shape[0] >= PRODUCTS_FROM and max(Y.max(), -Y.min()) < LARGEST_COORDINATE:
            points = np.ascontiguousarray(Y.T)
            self._by = ProductRows(points, np.einsum("ij,ij->i", points, points), classes, rows)
            self.sums = self._by.sums
            return
        n = self._n
        asked = np.zeros(n, dtype=bool)
        asked[rows] = True
        self._by = Singly(np.ascontiguousarray(Y), classes, asked, np.zeros(n, dtype=bool))
        values = np.full((4, n), -np.inf)
        self._by.put(*values)
        log_z, log_s, log_p, entropy = values[:, rows]
        log_s[~self._paired] = log_p[~self._paired] = -np.inf
        self.sums = NeighbourSums(log_z, log_s, np.minimum(log_p, 0.0), np.maximum(entropy, 0.0))

    def gradient(self, d_log_s: np.ndarray, d_log_z: np.ndarray) -> np.ndarray:
        """∂F/∂Y, (n_components, n_samples), of an objective with these derivatives for the queries, (n_queries,)."""
        if not isinstance(self._by, Singly):
            return self._by.gradient(np.where(self._paired, d_log_s, 0.0), d_log_z)
        d_s, d_z = np.zeros((2, self._n))
        d_s[self._rows], d_z[self._rows] = np.where(self._paired, d_log_s, 0.0), d_log_z
        return 2.0 * self._by.take_gradient(d_s, d_z)
