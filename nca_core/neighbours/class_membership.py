"""ClassMembership: points belong together by class. PairwiseSimilarity has the same methods for M_ij in [0, 1]."""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.sums import Classes
from nca_core.neighbours.choose import Summation, summed_by, summed_for
from nca_core.neighbours.pairs.block_sums import BlockSums
from nca_core.neighbours.pairs.exact_rows import Queries


class ClassMembership:
    """Points belong together that share a class.

    codes: class codes of points that are sorted by them, (n_samples,); negative: unlabelled.
    method: a key of SUMMATION_METHODS, or "auto".
    logs: compute log p_i exactly even where p_i is negligible.
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

    def at(self, Y: np.ndarray, rows: np.ndarray | None = None) -> Summation | Queries | BlockSums:
        """The sums at Y, (n_components, n_samples), of the points `rows` (all), rising, over all others."""
        if rows is None:
            return summed_by(self._method, Y, self._classes, self._logs)
        return summed_for(rows, Y, self._classes)

    def scatter(self, Y: np.ndarray, weights: np.ndarray, rows: np.ndarray | None = None) -> tuple[float, np.ndarray]:
        """−Σ_i ω_i Σ_{j∈C_i} ‖y_i − y_j‖² over the points `rows` (all), and its derivative in Y."""
        if rows is not None:
            of_rows, weights = weights, np.zeros(Y.shape[1])
            weights[rows] = of_rows
        return scatter_within_classes(Y, self._classes, weights)


def scatter_within_classes(Y: np.ndarray, classes: Classes, weights: np.ndarray) -> tuple[float, np.ndarray]:
    """−Σ_i ω_i Σ_{j∈C_i} ‖y_i − y_j‖² and its derivative in Y.

    With z_i = y_i − mean of its class, n_c members, W = Σ ω_i and R = Σ ‖z_i‖² within the class,

        Σ_i ω_i Σ_j ‖y_i − y_j‖² = n_c Σ_i ω_i ‖z_i‖² + W R,   ∂/∂y_m = 2 [(ω_m n_c + W) z_m − Σ_j ω_j z_j];

    centring each class first keeps the digits of a tight class far from the origin.

    Y: (n_components, n_samples), sorted by class.
    weights: ω_i, (n_samples,).

    Returns the value, and (n_components, n_samples).
    """
    first = np.unique(classes.start)  # an unlabelled point is a class of its own, and adds nothing
    members = np.diff(np.append(first, Y.shape[1]))  # (n_classes,)

    def in_class(values: np.ndarray) -> np.ndarray:
        """The sum over each point's class, at every point."""
        return np.repeat(np.add.reduceat(values, first, axis=-1), members, axis=-1)

    size = np.repeat(members, members).astype(np.float64)
    z = Y - in_class(Y) / size
    z -= in_class(z) / size  # what rounding left of the mean
    squares = np.einsum("ij,ij->j", z, z)
    total = in_class(weights)
    # W R summed over classes is Σ_m W ‖z_m‖².
    value = float(np.sum((weights * size + total) * squares))
    return -value, -2.0 * ((weights * size + total) * z - in_class(weights * z))
