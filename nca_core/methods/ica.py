"""Independent component analysis as a method, by scikit-learn."""

from __future__ import annotations

import warnings

import numpy as np

from nca_core.covariance import whitening_axes
from nca_core.methods.method import Fitted, Method


def fit(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """The whitened leading principal axes, turned so that the coordinates are as independent as they can be.

    So it is whitening up to a rotation, and has the same neighbours.

    References
    ----------
    Hyvärinen, Oja (2000), Independent component analysis: algorithms and applications (FastICA).
    """
    from sklearn.decomposition import FastICA
    from sklearn.exceptions import ConvergenceWarning

    centred = X - X.mean(axis=0)
    A = whitening_axes(centred.T @ centred / len(X), n_components)
    alive = A.any(axis=1)
    notes = []
    if alive.sum() > 1:
        white = A[alive]
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always", ConvergenceWarning)
            turn = FastICA(whiten=False, random_state=random_state, max_iter=500).fit(centred @ white.T)
        if any(issubclass(warning.category, ConvergenceWarning) for warning in heard):
            notes.append("the search for independent directions did not settle")
        A[alive] = np.asarray(turn.components_) @ white
    if not alive.all():
        notes.append(f"the rows vary in {alive.sum()} directions only; the rest stays 0")
    return Fitted(A, note="; ".join(notes))


ICA = Method(
    key="ica",
    title="ICA",
    description="Independent component analysis: whitening, turned so that the coordinates are as independent as they "
    "can be; labels are not looked at.",
    formula="A = R Λ^(−1/2) Vᵀ, R by FastICA",
    kind="solved",
    fit=fit,
)
