"""The scatter of points within their classes, Σ_i ω_i Σ_{j∈C_i} ‖y_i − y_j‖², from class moments: O(n d)."""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.sums import Classes


def scatter_within_classes(Y: np.ndarray, classes: Classes, weights: np.ndarray) -> tuple[float, np.ndarray]:
    """−Σ_i ω_i Σ_{j∈C_i} ‖y_i − y_j‖² and its derivative in Y.

    With z_i = y_i − mean of its class, n_c members, W = Σ ω_i and R = Σ ‖z_i‖² within the class,

        Σ_i ω_i Σ_j ‖y_i − y_j‖² = n_c Σ_i ω_i ‖z_i‖² + W R,   ∂/∂y_m = 2 [(ω_m n_c + W) z_m − Σ_j ω_j z_j];

    centring each class first keeps the digits of a tight class far from the origin.

    Parameters
    ----------
    Y : ndarray
        (n_components, n_samples), sorted by class.
    weights : ndarray
        ω_i, (n_samples,).

    Returns
    -------
    tuple[float, ndarray]
        The value, and (n_components, n_samples).
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
