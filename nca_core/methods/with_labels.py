"""Matrices that are solved from class labels: LDA, RCA, both together, and discriminant common vectors."""

import numpy as np

from nca_core.features.covariance import (
    class_statistics,
    completion,
    discriminant_axes,
    principal_axes,
    times,
    whitening_within,
)
from nca_core.features.rows import spreads
from nca_core.methods.method import Fitted, Method

_COLLINEAR = 1e-10  # of the greatest variance
_TIED = 1e-9  # a variance this close to 1, the spread within classes, owes nothing to the class means


def _lda(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """The discriminant axes, completed by principal axes where the classes span too few."""
    transformation, note = discriminant_axes(X, y, n_components)
    return Fitted(transformation, note=note)


def _rca(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """Σ_w^(−1/2), then the leading axes of the total covariance of the rows that it gives.

    After RCA the total covariance is I plus the one between classes, so its leading axes are those that separate the
    class means. k classes give k − 1 of them; along all others the variance is 1. Of these, the ones with the most
    spread within classes in the given features come first.

    Bar-Hillel, Hertz, Shental, Weinshall (2003), Learning distance functions using equivalence relations.
    """
    X, y = X[y >= 0], y[y >= 0]
    centred = X - X.mean(axis=0)
    classes = class_statistics(centred, y)
    whiten, shrunk = whitening_within(classes, spreads(X))
    share = np.sqrt(classes.counts / len(X))[:, None]  # (n_classes, 1)
    between = share * classes.means @ whiten  # (n_classes, n_features), or fewer columns
    _, strength, axes = np.linalg.svd(between, full_matrices=True)
    n_axes = min(n_components, int(np.sum(strength**2 > _TIED * max(1.0, strength[0] ** 2))))
    rows, notes = axes[:n_axes], [shrunk]
    if n_axes < n_components:
        rest = axes[n_axes:]  # (n_rest, n_features), where all variances are 1
        within = times(rest @ whiten.T, classes.within)  # spread along the given features, pulled back
        order = principal_axes(within.T, n_components - n_axes) if within.any() else np.eye(len(rest))
        rows = np.vstack([rows, order[: n_components - n_axes] @ rest])
        notes.append(f"class means differ along {n_axes}; of the other directions, those of most spread within classes")
    A = np.zeros((n_components, X.shape[1]))  # fewer rows than components leave some 0
    A[: len(rows)] = rows @ whiten.T
    return Fitted(A, note="; ".join(note for note in notes if note))


def _lda_rca(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """A = Σ_w^(−1/2) A_lda, with Σ_w the covariance within classes of the rows projected by A_lda.

    The axes of LDA have unit spread within classes already, so this differs from LDA only where LDA was completed by
    other axes or shrunk. A direction without spread within classes stays as LDA scaled it.

    Goldberger, Roweis, Hinton, Salakhutdinov (2004), figure 1; RCA: Bar-Hillel et al. (2003).
    """
    A, note = discriminant_axes(X, y, n_components)
    labelled = y >= 0
    within = times(np.eye(len(A)), class_statistics(X[labelled] @ A.T, y[labelled]).within)
    values, vectors = np.linalg.eigh(within)
    spread = values > _COLLINEAR * max(values[-1], np.finfo(float).tiny)
    # Symmetric, so that it turns nothing: with the spread within classes the same already, A stays A.
    root = vectors / np.sqrt(np.where(spread, values, 1.0)) @ vectors.T
    return Fitted(root @ A, note=note)


def _dcv(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """The leading axes between classes within the null space of Σ_w, orthonormal.

    There the rows of a class fall on one point, its common vector. k classes give at most k − 1 axes; missing ones are
    completed with the leading principal axes of what is left.

    Raises ValueError where the rows vary within their classes in every direction in which they vary at all.

    Cevikalp, Neamtu, Wilkes, Barkana (2005), Discriminative common vectors for face recognition.
    """
    X, y = X[y >= 0], y[y >= 0]
    centred = X - X.mean(axis=0)
    unit = float(np.abs(centred).max()) or 1.0
    # The rows that are left when directions without any spread are taken out, (n_samples, rank).
    _, spread, axes = np.linalg.svd(centred / unit, full_matrices=False)
    axes = axes[spread**2 > _COLLINEAR * max(spread[0] ** 2, np.finfo(float).tiny)]
    classes = class_statistics(centred / unit @ axes.T, y)
    values, vectors = np.linalg.eigh(classes.within) if len(axes) else (np.zeros(0), np.zeros((0, 0)))
    empty = vectors[:, values <= _COLLINEAR * max(float(np.max(spread**2)) / len(X), np.finfo(float).tiny)]
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


LDA = Method(
    key="lda",
    title="LDA",
    description="The directions that separate class means best, relative to the spread within classes.",
    formula="A = leading solutions of S_b a = λ S_w a",
    fit=_lda,
    needs_labels=True,
)
RCA = Method(
    key="rca",
    title="RCA",
    description="Relevant component analysis: the same spread within classes in every direction, then the leading "
    "axes of what varies.",
    formula="A = Vᵀ Σ_w^(−1/2), V leading axes of the total covariance after RCA",
    fit=_rca,
    needs_labels=True,
)
LDA_RCA = Method(
    key="lda_rca",
    title="LDA + RCA",
    description="LDA, then the spread within classes made the same in every direction.",
    formula="A = Σ_w^(−1/2) A_LDA",
    fit=_lda_rca,
    needs_labels=True,
)
DCV = Method(
    key="dcv",
    title="DCV",
    description="Discriminant common vectors: where rows of a class fall on one point, the directions that separate "
    "these points best.",
    formula="max tr A S_b Aᵀ,  A S_w Aᵀ = 0, A Aᵀ = I",
    fit=_dcv,
    needs_labels=True,
)
