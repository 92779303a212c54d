"""Whitening as a method: every direction is given the same variance."""

from __future__ import annotations

import numpy as np

from nca_core.covariance import whitening_axes
from nca_core.methods.method import Fitted, Method


def fit(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """The leading principal axes, each scaled to unit variance; in all dimensions Σ^(−1/2) up to a rotation."""
    centred = X - X.mean(axis=0)
    A = whitening_axes(centred.T @ centred / len(X), n_components)
    empty = int(np.sum(~A.any(axis=1)))
    spread = n_components - empty
    note = f"the rows vary in {spread} direction{'' if spread == 1 else 's'} only; the rest stays 0" if empty else ""
    return Fitted(A, note=note)


WHITENING = Method(
    key="whitening",
    title="Whitening",
    description="The principal axes, each scaled to variance 1; labels are not looked at.",
    formula="A = Λ^(−1/2) Vᵀ, Σ = V Λ Vᵀ",
    kind="solved",
    fit=fit,
)
