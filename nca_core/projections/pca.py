"""Principal component analysis: the axes of largest variance."""

from __future__ import annotations

import numpy as np

from nca_core.covariance import principal_axes


class PCA:
    """Orthogonal projection on the n_components leading principal axes; labels are not looked at.

    Attributes after fit:
        transformation: (n_components, n_features), orthonormal rows.
        mean: (n_features,), taken off before projecting.
        note: what a reader should know; empty here.
    """

    def __init__(self, n_components: int = 2) -> None:
        self.n_components = n_components
        self.note = ""

    def fit(self, X: np.ndarray, y: np.ndarray | None = None) -> PCA:
        self.mean = X.mean(axis=0)
        self.transformation = principal_axes(X - self.mean, self.n_components)
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        """(X − mean) transformationᵀ, (n_samples, n_components)."""
        return (X - self.mean) @ self.transformation.T
