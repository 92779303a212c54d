"""Means, covariance within classes and principal axes, which projections and starts are made from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nca_core.features_in_parts import FeaturesInParts
from nca_core.sparse_rows import SparseRows

_COLLINEAR = 1e-10  # of the greatest variance
_BLOCK_CELLS = 500_000
_MEDIAN_OF = 1_001


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


def covariance(X: np.ndarray | FeaturesInParts) -> np.ndarray:
    """1/n Σ_i (x_i − mean)(x_i − mean)ᵀ, (n_features, n_features), of points X, (n_samples, n_features)."""
    if isinstance(X, FeaturesInParts):
        return X.covariance()
    centred = X - X.mean(axis=0)
    return centred.T @ centred / len(X)


def class_statistics(X: np.ndarray | FeaturesInParts, y: np.ndarray) -> ClassStatistics:
    """Of points X, (n_samples, n_features), with class codes y, (n_samples,), without those whose code is negative."""
    if isinstance(X, FeaturesInParts):
        members = np.full(len(y), -1)
        members[y >= 0] = np.unique(y[y >= 0], return_inverse=True)[1]
        return ClassStatistics(*X.class_moments(members))
    if np.any(y < 0):
        X, y = X[y >= 0], y[y >= 0]
    codes, members = np.unique(y, return_inverse=True)
    counts = np.bincount(members)
    means = np.zeros((len(codes), X.shape[1]))
    np.add.at(means, members, X)
    means /= counts[:, None]
    deviations = X - means[members]  # (n_samples, n_features)
    return ClassStatistics(counts, means, deviations.T @ deviations / len(X))


def _blocks(X: np.ndarray) -> list[slice]:
    """Rows that together take a few megabytes, so that no pass over X needs another of its size."""
    size = max(1, _BLOCK_CELLS // X.shape[1])
    return [slice(first, first + size) for first in range(0, len(X), size)]


def centred_rows(X: np.ndarray, order: np.ndarray, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """X[order] about its medians, as `dtype`, and the powers of two that its columns were divided by, (n_features,).

    The median is that of at most 1,001 rows: one value of 1e12 would draw a mean along, and all others would lose
    their digits. In float32, whose range ends at 3e38, columns come in units of their largest value.
    """
    asked = np.linspace(0, len(X) - 1, min(len(X), _MEDIAN_OF)).astype(np.int64)
    centre = np.median(X[asked], axis=0)
    units = np.ones(X.shape[1])
    if dtype == "float32":
        largest = np.max([np.abs(X[block] - centre).max(axis=0) for block in _blocks(X)], axis=0)
        units = 2.0 ** np.clip(np.frexp(largest)[1], -1000, 1000)
    result = np.empty(X.shape, dtype=dtype)
    for block in _blocks(X):
        rows = X[order[block]]
        rows -= centre
        rows /= units
        result[block] = rows
    return result, units


def deviations(X: np.ndarray | SparseRows | FeaturesInParts) -> np.ndarray:
    """Standard deviation of each column, (n_features,), without another array of the size of X."""
    if not isinstance(X, np.ndarray):
        return X.deviations()
    mean = X.mean(axis=0, dtype=np.float64)
    squares = sum(np.sum((X[block] - mean) ** 2, axis=0) for block in _blocks(X))
    return np.sqrt(squares / len(X))


def varies(X: np.ndarray | SparseRows | FeaturesInParts, deviation: np.ndarray) -> np.ndarray:
    """Which columns of X differ by more than rounding, (n_features,), told by their standard `deviation`."""
    largest = np.maximum(np.maximum(X.max(axis=0), -X.min(axis=0)), np.finfo(float).tiny)
    return deviation > 1e-12 * largest


def units_of(X: np.ndarray | SparseRows | FeaturesInParts) -> np.ndarray:
    """The unit to take each column in, (n_features,): its standard deviation, 1 where it does not vary."""
    deviation = deviations(X)
    return np.where(varies(X, deviation), deviation, 1.0)


def leading_axes(X: np.ndarray | SparseRows | FeaturesInParts, n_components: int) -> np.ndarray:
    """`principal_axes` of X about its mean, without a centred copy of a long X or a dense one of a large sparse X."""
    if isinstance(X, SparseRows):
        return _with_positive_sign(X.right_singular_vectors(n_components))
    if isinstance(X, FeaturesInParts):
        return axes_of_covariance(X.covariance(), n_components)
    n, D = X.shape
    mean = X.mean(axis=0)
    if n < D:
        return principal_axes(X - mean, n_components)
    scatter = np.zeros((D, D))
    for block in _blocks(X):
        centred = X[block] - mean
        scatter += centred.T @ centred
    return axes_of_covariance(scatter, n_components)


def axes_of_covariance(covariance: np.ndarray, n_components: int) -> np.ndarray:
    """`principal_axes` of points with that covariance, or a multiple of it, (n_features, n_features)."""
    return _with_positive_sign(np.linalg.eigh(covariance)[1].T[::-1][:n_components])


def principal_axes(centred: np.ndarray, n_components: int) -> np.ndarray:
    """The leading right singular vectors, (n_components, n_features), each with its largest entry positive.

    Parameters
    ----------
    centred : ndarray
        Points whose mean is 0, (n_samples, n_features).
    """
    n, D = centred.shape
    if n >= D:
        return axes_of_covariance(centred.T @ centred, n_components)
    return _with_positive_sign(np.linalg.svd(centred, full_matrices=True)[2][:n_components])


def _with_positive_sign(axes: np.ndarray) -> np.ndarray:
    largest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]
    return axes * np.where(largest < 0, -1.0, 1.0)[:, None]


def whitening_axes(covariance: np.ndarray, n_components: int) -> np.ndarray:
    """The leading rows of Λ^(−1/2) Vᵀ, which is Σ^(−1/2) up to a rotation, (n_components, n_features).

    Directions without spread come out as zero rows.

    Parameters
    ----------
    covariance : np.ndarray
        Σ = V Λ Vᵀ, (n_features, n_features).
    """
    values, vectors = np.linalg.eigh(covariance)
    values, vectors = values[::-1], vectors[:, ::-1]
    alive = values > _COLLINEAR * max(values[0], np.finfo(float).tiny)
    scale = np.where(alive, 1.0 / np.sqrt(np.where(alive, values, 1.0)), 0.0)
    return (vectors * scale).T[:n_components]
