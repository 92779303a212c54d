"""ClassMembership: points belong together by class. PairwiseSimilarity has the same methods for M_ij in [0, 1]."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nca_core.neighbours.base.sums import Classes
from nca_core.neighbours.choose import summed_by
from nca_core.neighbours.scatter import scatter_within_classes

if TYPE_CHECKING:
    from nca_core.neighbours.choose import Summation
    from nca_core.neighbours.queries import Queries


class ClassMembership:
    """Points belong together that share a class.

    Parameters
    ----------
    codes : ndarray
        Class codes of points that are sorted by them, (n_samples,); negative: unlabelled.
    method : str
        A key of SUMMATION_METHODS, or "auto".
    logs : bool
        log p_i shall be exact even where p_i is negligible.
    """

    def __init__(self, codes: np.ndarray, method: str, logs: bool) -> None:
        self._codes, self._method, self._logs = codes, method, logs
        self._classes = Classes.of(codes)

    def among(self, kept: np.ndarray) -> ClassMembership:
        """The same among the points `kept` alone, rising row numbers."""
        return ClassMembership(self._codes[kept], self._method, self._logs)

    def partners(self, rows: np.ndarray | None = None) -> np.ndarray:
        """How many others each of the rows (all) goes with, (n_rows,)."""
        return self._classes.partners if rows is None else self._classes.partners[rows]

    def at(self, Y: np.ndarray, rows: np.ndarray | None = None) -> Summation | Queries:
        """The sums at Y, (n_components, n_samples), of the points `rows` (all), rising, over all others."""
        if rows is None:
            return summed_by(self._method, Y, self._classes, self._logs)
        from nca_core.neighbours.queries import Queries

        return Queries(Y, self._classes, rows)

    def scatter(self, Y: np.ndarray, weights: np.ndarray, rows: np.ndarray | None = None) -> tuple[float, np.ndarray]:
        """−Σ_i ω_i Σ_{j∈C_i} ‖y_i − y_j‖² over the points `rows` (all), and its derivative in Y."""
        if rows is not None:
            of_rows, weights = weights, np.zeros(Y.shape[1])
            weights[rows] = of_rows
        return scatter_within_classes(Y, self._classes, weights)
