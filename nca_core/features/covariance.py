"""Means, covariances, and the axes that projections and starts are made from: principal, whitening, discriminant."""

from dataclasses import dataclass, replace

import numpy as np

from nca_core.features.rows import SparseRows, spreads
from nca_core.parts.features_in_parts import FeaturesInParts
from nca_core.parts.sources import classes_of, members_of, slices_of_rows

_COLLINEAR = 1e-10  # of the greatest eigenvalue of a correlation matrix
_ALONG = 1e-6  # share of the distances of class means that rounding may leave along a direction
_NOTHING = 1e-13  # of the greatest singular value
_FLAT = 1e-14  # share of a feature's variance that rounding may leave within classes


@dataclass(frozen=True)
class ClassStatistics:
    """Means and pooled covariance of labelled points."""

    counts: np.ndarray  # members of each class, (n_classes,)
    means: np.ndarray  # mean of each class, (n_classes, n_features)
    # S_w = 1/n Σ_i (x_i − mean of its class)(x_i − mean of its class)ᵀ, (n_features, n_features); of fewer points than
    # features a root of it, R with RᵀR = S_w, (n_samples, n_features)
    within: np.ndarray


def covariance(X: np.ndarray | FeaturesInParts) -> np.ndarray:
    """1/n Σ_i (x_i − mean)(x_i − mean)ᵀ, (n_features, n_features), of points X, (n_samples, n_features); of fewer
    points than features a root of it, (n_samples, n_features)."""
    if isinstance(X, FeaturesInParts):
        return X.covariance()
    return _covariance_or_root(X - X.mean(axis=0))


def _covariance_or_root(centred: np.ndarray) -> np.ndarray:
    n, n_features = centred.shape
    return centred / np.sqrt(n) if n < n_features else centred.T @ centred / n


def _is_root(covariance: np.ndarray) -> bool:
    return covariance.shape[0] < covariance.shape[1]


def times(rows: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """rows Σ, (n_rows, n_features), of Σ or a root of it."""
    return rows @ covariance.T @ covariance if _is_root(covariance) else rows @ covariance


def eigen(
    covariance: np.ndarray, scale: np.ndarray | None = None, rows: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues, rising, and eigenvectors, as columns, of diag(scale) Σ diag(scale); scale is 1 unless given.

    Of a root of Σ only those in the span of its rows, and of `rows`, (n_rows, n_features): it takes
    O(n_samples² n_features).
    """
    scale = np.ones(covariance.shape[1]) if scale is None else scale
    if not _is_root(covariance):
        return tuple(np.linalg.eigh(covariance * np.outer(scale, scale)))  # type: ignore[return-value]
    root = covariance * scale
    _, strength, axes = np.linalg.svd(root if rows is None else np.vstack([root, rows]), full_matrices=False)
    axes = axes[strength > _NOTHING * strength[0]]
    inner = root @ axes.T
    values, turned = np.linalg.eigh(inner.T @ inner)
    return values, axes.T @ turned


def class_statistics(X: np.ndarray | FeaturesInParts, y: np.ndarray) -> ClassStatistics:
    """Of points X, (n_samples, n_features), with class codes y, (n_samples,), without those whose code is negative."""
    if isinstance(X, FeaturesInParts):
        classes = classes_of(y)[0]
        return ClassStatistics(*X.class_moments(members_of(y, classes[classes >= 0])))
    if np.any(y < 0):
        X, y = X[y >= 0], y[y >= 0]
    codes, members = np.unique(y, return_inverse=True)
    counts = np.bincount(members)
    means = np.zeros((len(codes), X.shape[1]))
    np.add.at(means, members, X)
    means /= counts[:, None]
    return ClassStatistics(counts, means, _covariance_or_root(X - means[members]))


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
    for block in slices_of_rows(0, n, D):
        centred = X[block] - mean
        scatter += centred.T @ centred
    return axes_of_covariance(scatter, n_components)


def axes_of_covariance(covariance: np.ndarray, n_components: int) -> np.ndarray:
    """`principal_axes` of points with that covariance, or a multiple of it, (n_features, n_features)."""
    return _with_positive_sign(np.linalg.eigh(covariance)[1].T[::-1][:n_components])


def principal_axes(centred: np.ndarray, n_components: int) -> np.ndarray:
    """The leading right singular vectors, (n_components, n_features), each with its largest entry positive.

    centred: points whose mean is 0, (n_samples, n_features).
    """
    n, D = centred.shape
    if n >= D:
        return axes_of_covariance(centred.T @ centred, n_components)
    return _with_positive_sign(np.linalg.svd(centred, full_matrices=n_components > n)[2][:n_components])


def _with_positive_sign(axes: np.ndarray) -> np.ndarray:
    largest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]
    return axes * np.where(largest < 0, -1.0, 1.0)[:, None]


def whitening_axes(covariance: np.ndarray, n_components: int, spread: np.ndarray) -> np.ndarray:
    """The leading rows of Λ^(−1/2) Vᵀ, which is Σ^(−1/2) up to a rotation, (n_components, n_features).

    Directions without spread come out as zero rows. The correlations decide which these are, so that the units
    of the features do not matter: in all dimensions the distances are the same for any.

    covariance: Σ = V Λ Vᵀ, (n_features, n_features), or a root of it.
    spread: standard deviation of each feature, (n_features,), 0 for one that does not vary; `spreads`.
    """
    size = _sizes(covariance, spread)
    unit = np.where(size > 0, size, 1.0)
    values, vectors = eigen(covariance, (size > 0) / unit)
    alive = values > _COLLINEAR * values.max(initial=np.finfo(float).tiny)
    roots, vectors = np.sqrt(values[alive]), vectors[:, alive]
    factor = vectors * roots * unit[:, None]  # (n_features, rank), factor factorᵀ = Σ
    order = np.linalg.eigh(factor.T @ factor)[1][:, ::-1]  # by variance in the given units
    rows = (vectors / roots / unit[:, None] @ order).T[:n_components]
    return np.vstack([rows, np.zeros((n_components - len(rows), len(size)))])


def _sizes(covariance: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Root of each variance, (n_features,); 0 where it is none beside that of all rows, whose root is `spread`."""
    variance = np.sum(covariance**2, axis=0) if _is_root(covariance) else np.diag(covariance)
    return np.where(variance > _FLAT * spread**2, np.sqrt(np.maximum(variance, 0.0)) * (spread > 0), 0.0)


def discriminant_axes(X: np.ndarray | FeaturesInParts, y: np.ndarray, n_components: int) -> tuple[np.ndarray, str]:
    """The leading solutions of S_b a = λ S_w a, scaled so that the spread within classes is 1 along each axis.

    k classes span at most k − 1 such axes, the same ones in any units of the features; missing ones are completed with
    the leading principal axes of what is left after these are taken out. A singular S_w is shrunk.

    X: training rows, (n_samples, n_features).
    y: class codes; rows with a negative one are left out, (n_samples,).

    Returns transformation, (n_components, n_features); note, what was completed or shrunk, as a sentence; empty where
    nothing was.
    """
    centred: np.ndarray | None = None
    if isinstance(X, FeaturesInParts):
        classes = _about_their_mean(class_statistics(X, y))
    else:
        centred = X[y >= 0]
        centred = centred - centred.mean(axis=0)
        classes = class_statistics(centred, y[y >= 0])
    n_classes = len(classes.counts)
    whiten, shrunk = whitening_within(classes, spreads(X if centred is None else X[y >= 0]))
    notes = [shrunk] if shrunk else []
    share = np.sqrt(classes.counts / classes.counts.sum())[:, None]  # (n_classes, 1)
    between = share * classes.means @ whiten  # (n_classes, n_features)
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
            f"{n_classes} classes give {n_axes} {'axis' if n_axes == 1 else 'axes'}; for the rest {missing} "
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


def whitening_within(classes: ClassStatistics, spread: np.ndarray) -> tuple[np.ndarray, str]:
    """W with Wᵀ S_w W = I, (n_features, n_features), which makes the spread within classes 1; of fewer points than
    features without the columns that are 0 for all of these, (n_features, rank).

    Features are taken in units of their spread within classes, of their `spread` where they have none there. Where S_w
    is singular, directions in which nothing varies get columns of zeros; where class means differ along the others, S_w
    is shrunk towards its mean variance in these units. The second value says so, or is empty.

    spread: standard deviation of each feature, (n_features,), 0 for one that does not vary; `spreads`.
    """
    size = _sizes(classes.within, spread)
    inside, constant = size > 0, spread == 0
    unit = np.where(inside, size, np.where(constant, 1.0, spread))
    if not inside.any():
        return np.diag(1.0 / unit), "no spread within classes: class means only"
    within, means = classes.within, _about_their_mean(classes).means / unit
    if not _is_root(within):
        within = within * np.outer(inside, inside)
        within[constant, constant] = 1.0  # nothing is learnt from it, and nothing lost
    values, vectors = eigen(within, (inside | constant) / unit, means)
    flat = values < _COLLINEAR * values[-1]
    if not flat.any() and len(values) == len(unit):
        return vectors / np.sqrt(values) / unit[:, None], ""
    means = means @ vectors  # (n_classes, n_values)
    if np.linalg.norm(means[:, flat]) <= _ALONG * np.linalg.norm(means):
        scale = np.divide(1.0, np.sqrt(np.abs(values)), out=np.zeros_like(values), where=~flat)
        return vectors * scale / unit[:, None], "collinear features: some repeat others, so one alone means little"
    few = classes.counts.sum() - len(classes.counts) < np.count_nonzero(inside)
    values = 0.999 * np.maximum(values, 0.0) + 0.001 * np.count_nonzero(inside | constant) / len(unit)
    said = "there are fewer rows than features" if few else "in some directions rows vary only between classes"
    return vectors / np.sqrt(values) / unit[:, None], f"{said}, so the spread within classes was regularised"


def completion(centred: np.ndarray, axes: np.ndarray, missing: int) -> np.ndarray:
    """Leading principal axes of what is left, (missing, n_features), scaled to unit variance like the LDA axes."""
    if len(axes):
        basis = np.linalg.qr(axes.T)[0]  # (n_features, n_axes)
        centred = centred - centred @ basis @ basis.T
    extra = principal_axes(centred, missing)
    deviation = np.sqrt(np.mean((centred @ extra.T) ** 2, axis=0))
    return extra / np.where(deviation > 0, deviation, 1.0)[:, None]


def truncated(Q: np.ndarray, n_components: int) -> tuple[np.ndarray, np.ndarray]:
    """The leading eigenvectors of Q times the roots of their eigenvalues, and all eigenvalues.

    No A of so many rows comes nearer: ‖AᵀA − Q‖ is least (Eckart, Young 1936). Rows are signed so that the largest
    entry of each is positive.

    Q: positive semidefinite, (n_features, n_features).

    Returns A, (n_components, n_features); spectrum, eigenvalues, the greatest first, (n_features,).
    """
    values, vectors = np.linalg.eigh((Q + Q.T) / 2.0)
    values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
    A = (vectors[:, :n_components] * np.sqrt(values[:n_components])).T
    return _with_positive_sign(A), values


def turned_towards(A: np.ndarray, before: np.ndarray, X: np.ndarray) -> np.ndarray:
    """A rotated (or reflected) so that it puts the centred rows X as near as it can to where `before` put them.

    Eigenvectors change their sign and their order from one iteration to the next; on the screen that would be a jump,
    and no distance depends on it.
    """
    left, _, right = np.linalg.svd((X @ before.T).T @ (X @ A.T))
    return left @ right @ A
