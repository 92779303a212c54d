"""LDA, then relevant component analysis within its axes (the "LDA + RCA" of the NCA paper's figure 1)."""

from __future__ import annotations

import numpy as np

from nca_core.covariance import class_statistics
from nca_core.discriminant import discriminant_axes
from nca_core.methods.method import Fitted, Method

_COLLINEAR = 1e-10  # of the greatest variance


def fit(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """A = Σ_w^(−1/2) A_lda, with Σ_w the covariance within classes of the rows projected by A_lda.

    The axes of LDA have unit spread within classes already, so this differs from LDA only where LDA was completed by
    other axes or shrunk. A direction without spread within classes stays as LDA scaled it.

    References
    ----------
    Goldberger, Roweis, Hinton, Salakhutdinov (2004), figure 1; RCA: Bar-Hillel et al. (2003).
    """
    A, note = discriminant_axes(X, y, n_components)
    labelled = y >= 0
    within = class_statistics(X[labelled] @ A.T, y[labelled]).within
    values, vectors = np.linalg.eigh(within)
    spread = values > _COLLINEAR * max(values[-1], np.finfo(float).tiny)
    # Symmetric, so that it turns nothing: with the spread within classes the same already, A stays A.
    root = vectors / np.sqrt(np.where(spread, values, 1.0)) @ vectors.T
    return Fitted(root @ A, note=note)


LDA_RCA = Method(
    key="lda_rca",
    title="LDA + RCA",
    description="LDA, then the spread within classes made the same in every direction.",
    formula="A = Σ_w^(−1/2) A_LDA",
    kind="solved",
    fit=fit,
    needs_labels=True,
)
