"""Principal component analysis as a method."""

from __future__ import annotations

import numpy as np

from nca_core.covariance import principal_axes
from nca_core.methods.method import Fitted, Method


def fit(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """Orthonormal rows: the leading principal axes of X; labels are not looked at."""
    return Fitted(principal_axes(X - X.mean(axis=0), n_components))


PCA = Method(
    key="pca",
    title="PCA",
    description="The directions in which the rows vary most; labels are not looked at.",
    formula="A = leading eigenvectors of Σ",
    kind="solved",
    fit=fit,
)
