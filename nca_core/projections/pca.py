"""Principal component analysis: the axes of largest variance."""

from __future__ import annotations

import numpy as np


def principal_axes(centred: np.ndarray, n_components: int) -> np.ndarray:
    """The leading right singular vectors, (n_components, n_features), each with its largest entry positive."""
    n, D = centred.shape
    if n >= D:
        _, vectors = np.linalg.eigh(centred.T @ centred)
        axes = vectors.T[::-1][:n_components]
    else:
        axes = np.linalg.svd(centred, full_matrices=True)[2][:n_components]
    largest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]
    return axes * np.where(largest < 0, -1.0, 1.0)[:, None]


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
