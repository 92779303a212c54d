"""Relevant component analysis as a method: the spread within classes is made the same in every direction."""

from __future__ import annotations

import numpy as np

from nca_core.covariance import class_statistics, principal_axes
from nca_core.discriminant import whitening_within
from nca_core.methods.method import Fitted, Method

_TIED = 1e-9  # a variance this close to 1, the spread within classes, owes nothing to the class means


def fit(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """Σ_w^(−1/2), then the leading axes of the total covariance of the rows that it gives.

    After RCA the total covariance is I plus the one between classes, so its leading axes are those that separate the
    class means. k classes give k − 1 of them; along all others the variance is 1. Of these, the ones with the most
    spread within classes in the given features come first.

    References
    ----------
    Bar-Hillel, Hertz, Shental, Weinshall (2003), Learning distance functions using equivalence relations.
    """
    X, y = X[y >= 0], y[y >= 0]
    centred = X - X.mean(axis=0)
    classes = class_statistics(centred, y)
    whiten, shrunk = whitening_within(classes.within)
    share = np.sqrt(classes.counts / len(X))[:, None]  # (n_classes, 1)
    between = share * classes.means @ whiten  # (n_classes, n_features)
    _, strength, axes = np.linalg.svd(between, full_matrices=True)
    n_axes = min(n_components, int(np.sum(strength**2 > _TIED * max(1.0, strength[0] ** 2))))
    rows, notes = axes[:n_axes], [shrunk]
    if n_axes < n_components:
        rest = axes[n_axes:]  # (n_rest, n_features), where all variances are 1
        within = rest @ whiten.T @ classes.within  # spread along the given features, pulled back
        order = principal_axes(within.T, n_components - n_axes) if within.any() else np.eye(len(rest))
        rows = np.vstack([rows, order[: n_components - n_axes] @ rest])
        notes.append(f"class means differ along {n_axes}; of the other directions, those of most spread within classes")
    return Fitted(rows @ whiten.T, note="; ".join(note for note in notes if note))


RCA = Method(
    key="rca",
    title="RCA",
    description="Relevant component analysis: the same spread within classes in every direction, then the leading "
    "axes of what varies.",
    formula="A = Vᵀ Σ_w^(−1/2), V leading axes of the total covariance after RCA",
    kind="solved",
    fit=fit,
    needs_labels=True,
)
