"""Discriminant common vectors as a method: directions along which the members of each class coincide."""

from __future__ import annotations

import numpy as np

from nca_core.covariance import class_statistics
from nca_core.discriminant import completion
from nca_core.methods.method import Fitted, Method

_NOTHING = 1e-10  # of the greatest variance


def fit(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """The leading axes between classes within the null space of Σ_w, orthonormal.

    There the rows of a class fall on one point, its common vector. k classes give at most k − 1 axes; missing ones are
    completed with the leading principal axes of what is left.

    Raises
    ------
    ValueError
        Where the rows vary within their classes in every direction in which they vary at all.

    References
    ----------
    Cevikalp, Neamtu, Wilkes, Barkana (2005), Discriminative common vectors for face recognition.
    """
    X, y = X[y >= 0], y[y >= 0]
    centred = X - X.mean(axis=0)
    unit = float(np.abs(centred).max()) or 1.0
    # The rows that are left when directions without any spread are taken out, (n_samples, rank).
    _, spread, axes = np.linalg.svd(centred / unit, full_matrices=False)
    axes = axes[spread**2 > _NOTHING * max(spread[0] ** 2, np.finfo(float).tiny)]
    classes = class_statistics(centred / unit @ axes.T, y)
    values, vectors = np.linalg.eigh(classes.within) if len(axes) else (np.zeros(0), np.zeros((0, 0)))
    empty = vectors[:, values <= _NOTHING * max(float(np.max(spread**2)) / len(X), np.finfo(float).tiny)]
    if not empty.shape[1]:
        raise ValueError(
            "the rows vary within their classes in every direction. That takes fewer rows than features and classes "
            "together, or features that are combinations of each other within the classes."
        )
    share = np.sqrt(classes.counts / len(X))[:, None]
    common = share * (classes.means - share.T**2 @ classes.means) @ empty  # (n_classes, n_empty)
    _, strength, turned = np.linalg.svd(common, full_matrices=False)
    n_axes = min(n_components, int(np.sum(strength > 1e-9 * max(strength[0], np.finfo(float).tiny))))
    A = turned[:n_axes] @ empty.T @ axes
    note = f"the classes coincide along {n_axes} {'axis' if n_axes == 1 else 'axes'}"
    if n_axes < n_components:
        A = np.vstack([A, completion(centred, A, n_components - n_axes)])
        note += "; completed with principal axes"
    return Fitted(A, note=note)


DCV = Method(
    key="dcv",
    title="DCV",
    description="Discriminant common vectors: where rows of a class fall on one point, the directions that separate "
    "these points best.",
    formula="max tr A S_b Aᵀ,  A S_w Aᵀ = 0, A Aᵀ = I",
    kind="solved",
    fit=fit,
    needs_labels=True,
)
