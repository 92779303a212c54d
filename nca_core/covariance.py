"""Means, covariance within classes and principal axes, which projections and starts are made from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_COLLINEAR = 1e-10  # of the greatest variance


@dataclass(frozen=True)
class ClassStatistics:
    """Means and pooled covariance of labelled points.

    Attributes
    ----------
    counts : ndarray
        Members of each class, (n_classes,).
    means : ndarray
        Mean of each class, (n_classes, n_features).
    within : ndarray
        S_w = 1/n Σ_i (x_i − mean of its class)(x_i − mean of its class)ᵀ, (n_features, n_features).
    """

    counts: np.ndarray
    means: np.ndarray
    within: np.ndarray


def class_statistics(X: np.ndarray, y: np.ndarray) -> ClassStatistics:
    """Of points X, (n_samples, n_features), with class codes y, (n_samples,); every point has a class."""
    codes, members = np.unique(y, return_inverse=True)
    counts = np.bincount(members)
    means = np.zeros((len(codes), X.shape[1]))
    np.add.at(means, members, X)
    means /= counts[:, None]
    deviations = X - means[members]  # (n_samples, n_features)
    return ClassStatistics(counts, means, deviations.T @ deviations / len(X))


def principal_axes(centred: np.ndarray, n_components: int) -> np.ndarray:
    """The leading right singular vectors, (n_components, n_features), each with its largest entry positive.

    Parameters
    ----------
    centred : ndarray
        Points whose mean is 0, (n_samples, n_features).
    """
    n, D = centred.shape
    if n >= D:
        _, vectors = np.linalg.eigh(centred.T @ centred)
        axes = vectors.T[::-1][:n_components]
    else:
        axes = np.linalg.svd(centred, full_matrices=True)[2][:n_components]
    largest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]
    return axes * np.where(largest < 0, -1.0, 1.0)[:, None]


def whitening_axes(covariance: np.ndarray, n_components: int) -> np.ndarray:
    """The leading rows of Λ^(−1/2) Vᵀ, which is Σ^(−1/2) up to a rotation, (n_components, n_features).

    Directions without spread come out as zero rows.

    Parameters:
        covariance: Σ = V Λ Vᵀ, (n_features, n_features).
    """
    values, vectors = np.linalg.eigh(covariance)
    values, vectors = values[::-1], vectors[:, ::-1]
    alive = values > _COLLINEAR * max(values[0], np.finfo(float).tiny)
    scale = np.where(alive, 1.0 / np.sqrt(np.where(alive, values, 1.0)), 0.0)
    return (vectors * scale).T[:n_components]
