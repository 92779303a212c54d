"""Fisher's linear discriminant axes: those that separate class means best, relative to the spread within classes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nca_core.covariance import ClassStatistics, axes_of_covariance, class_statistics, principal_axes
from nca_core.features_in_parts import FeaturesInParts

_COLLINEAR = 1e-10


def discriminant_axes(X: np.ndarray | FeaturesInParts, y: np.ndarray, n_components: int) -> tuple[np.ndarray, str]:
    """The leading solutions of S_b a = λ S_w a, scaled so that the spread within classes is 1 along each axis.

    k classes span at most k − 1 such axes; missing ones are completed with the leading principal axes of what is
    left after these are taken out. A singular S_w is shrunk towards its mean variance.

    Parameters
    ----------
    X : ndarray or FeaturesInParts of shape (n_samples, n_features)
        Training rows.
    y : ndarray of shape (n_samples,)
        Class codes; rows with a negative one are left out.
    n_components : int
        Axes that are wanted.

    Returns
    -------
    transformation : ndarray of shape (n_components, n_features)
    note : str
        What was completed or shrunk, as a sentence; empty where nothing was.
    """
    centred: np.ndarray | None = None
    if isinstance(X, FeaturesInParts):
        classes = _about_their_mean(class_statistics(X, y))
    else:
        centred = X[y >= 0]
        centred = centred - centred.mean(axis=0)
        classes = class_statistics(centred, y[y >= 0])
    n_classes = len(classes.counts)
    notes = []
    whiten, shrunk = whitening_within(classes.within)
    if shrunk:
        notes.append(shrunk)
    between = (
        np.sqrt(classes.counts / classes.counts.sum())[:, None] * classes.means @ whiten
    )  # (n_classes, n_features)
    _, strength, axes = np.linalg.svd(between, full_matrices=False)
    n_axes = min(n_components, n_classes - 1, int(np.sum(strength > 1e-9 * max(strength[0], 1e-300))))
    transformation = axes[:n_axes] @ whiten.T
    if n_axes < n_components:
        missing = n_components - n_axes
        if centred is not None:
            more = completion(centred, transformation, missing)
        else:
            more = _completion_of(classes, transformation, missing)
        transformation = np.vstack([transformation, more])
        notes.append(
            f"{n_classes} classes give {n_axes} {'axis' if n_axes == 1 else 'axes'}: completed with {missing} "
            f"principal {'axis' if missing == 1 else 'axes'}"
        )
    return transformation, "; ".join(notes)


def _about_their_mean(classes: ClassStatistics) -> ClassStatistics:
    return replace(classes, means=classes.means - classes.counts @ classes.means / classes.counts.sum())


def _completion_of(classes: ClassStatistics, axes: np.ndarray, missing: int) -> np.ndarray:
    """`completion` of points of which these statistics about their mean are known."""
    share = classes.counts / classes.counts.sum()
    covariance = classes.within + (classes.means.T * share) @ classes.means
    if len(axes):
        basis = np.linalg.qr(axes.T)[0]
        left = np.eye(len(covariance)) - basis @ basis.T
        covariance = left @ covariance @ left
    extra = axes_of_covariance(covariance, missing)
    deviation = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", extra, covariance, extra), 0.0))
    return extra / np.where(deviation > 0, deviation, 1.0)[:, None]


def whitening_within(within: np.ndarray) -> tuple[np.ndarray, str]:
    """V Λ^(−1/2) of S_w = V Λ Vᵀ, (n_features, n_features), which makes the spread within classes 1.

    A singular S_w is shrunk towards its mean variance; what was done is said in a sentence, else that is empty.
    """
    values, vectors = np.linalg.eigh(within)
    values = np.maximum(values, 0.0)
    mean_variance = values.mean()
    note = ""
    if mean_variance == 0.0:
        values = np.ones_like(values)
        note = "no spread within classes: class means only"
    elif values[0] < _COLLINEAR * values[-1]:
        values = 0.999 * values + 0.001 * mean_variance
        note = "collinear features: some repeat others, so one alone means little; the picture is hardly touched"
    return vectors / np.sqrt(values), note


def completion(centred: np.ndarray, axes: np.ndarray, missing: int) -> np.ndarray:
    """Leading principal axes of what is left, (missing, n_features), scaled to unit variance like the LDA axes."""
    if len(axes):
        basis = np.linalg.qr(axes.T)[0]  # (n_features, n_axes)
        centred = centred - centred @ basis @ basis.T
    extra = principal_axes(centred, missing)
    deviation = np.sqrt(np.mean((centred @ extra.T) ** 2, axis=0))
    return extra / np.where(deviation > 0, deviation, 1.0)[:, None]
