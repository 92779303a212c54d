"""The fitted steps of a preparation, each linear: scalers, PCA, selection, whitening; PREPROCESSING, what there is.

A step is learned on training rows and then only applied, so that held-out rows, new rows and an exported script go
the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from datasets.base.words import counted, percent

_NEARLY_CONSTANT = 1e-12
_COLLINEAR = 1e-10  # of the greatest variance; eigenvalues of a covariance are known to about 1e-16 of it


class Step(Protocol):
    """A fitted linear step, x -> M (x − offset)."""

    @property
    def name(self) -> str: ...

    @property
    def sentence(self) -> str:
        """What it does, in words."""
        ...

    def apply(self, X: np.ndarray) -> np.ndarray:
        """Rows sent through, (n_samples, n_in) -> (n_samples, n_out)."""
        ...

    def back(self, A: np.ndarray) -> np.ndarray:
        """A M: rows that act on what comes out as rows that act on what goes in, (d, n_out) -> (d, n_in)."""
        ...

    def forth(self, A: np.ndarray) -> np.ndarray:
        """B with B M = A, or the nearest there is: the other way round, (d, n_in) -> (d, n_out)."""
        ...


@dataclass(frozen=True)
class LinearStep:
    """x -> (x − offset) * scale, column by column; `scale` is 0 where a column is constant."""

    name: str  # key of PREPROCESSING, or "standardise" where that is the first half of it
    offset: np.ndarray  # float64 (n_features,)
    scale: np.ndarray  # float64 (n_features,)
    sentence: str = ""  # what it does, in words

    def __post_init__(self) -> None:
        self.offset.flags.writeable = False
        self.scale.flags.writeable = False

    def apply(self, X: np.ndarray) -> np.ndarray:
        return (X - self.offset) * self.scale

    def back(self, A: np.ndarray) -> np.ndarray:
        return A * self.scale

    def forth(self, A: np.ndarray) -> np.ndarray:
        return np.divide(A, self.scale, out=np.zeros_like(A), where=self.scale != 0.0)


@dataclass(frozen=True)
class MatrixStep:
    """x -> up · down · (x − offset); in two factors, as whitening of many features by few rows would fill memory."""

    name: str  # "pca", "random projection" or "whitening"
    offset: np.ndarray  # float64 (n_in,)
    down: np.ndarray  # float64 (rank, n_in)
    up: np.ndarray | None = None  # float64 (n_out, rank); None is the identity
    sentence: str = ""  # what it does, in words

    def __post_init__(self) -> None:
        for array in (self.offset, self.down, self.up):
            if array is not None:
                array.flags.writeable = False

    def apply(self, X: np.ndarray) -> np.ndarray:
        low = (X - self.offset) @ self.down.T  # (n_samples, rank)
        return low if self.up is None else low @ self.up.T

    def back(self, A: np.ndarray) -> np.ndarray:
        return (A if self.up is None else A @ self.up) @ self.down

    def forth(self, A: np.ndarray) -> np.ndarray:
        through = A @ np.linalg.pinv(self.down)
        return through if self.up is None else through @ np.linalg.pinv(self.up)


@dataclass(frozen=True)
class SelectStep:
    """x -> x[kept]: some of the columns, as they are."""

    name: str  # "selection"
    kept: np.ndarray  # int (n_out,), places of the columns that stay
    n_in: int  # how many columns there were
    sentence: str = ""  # what it does, in words

    def __post_init__(self) -> None:
        self.kept.flags.writeable = False

    def apply(self, X: np.ndarray) -> np.ndarray:
        return X[:, self.kept]

    def back(self, A: np.ndarray) -> np.ndarray:
        whole = np.zeros((len(A), self.n_in))
        whole[:, self.kept] = A
        return whole

    def forth(self, A: np.ndarray) -> np.ndarray:
        return A[:, self.kept]


def _inverse(spread: np.ndarray, size: np.ndarray) -> np.ndarray:
    """1 / spread; 0 for columns that are constant up to rounding."""
    constant = spread <= _NEARLY_CONSTANT * np.maximum(size, 1e-300)
    return np.where(constant, 0.0, 1.0 / np.where(constant, 1.0, spread))


def none(X: np.ndarray) -> LinearStep:
    """The features as they came."""
    return LinearStep("none", np.zeros(X.shape[1]), np.ones(X.shape[1]), "The features stay as they are.")


def standardise(X: np.ndarray) -> LinearStep:
    """Mean 0 and standard deviation 1, the population's (divided by n) as in scikit-learn."""
    scale = _inverse(X.std(axis=0), np.abs(X).max(axis=0))
    words = "Each feature is shifted to mean 0 and divided by its standard deviation."
    return LinearStep("standardise", X.mean(axis=0), scale, words)


def min_max(X: np.ndarray) -> LinearStep:
    """Training rows fill [0, 1] in each feature."""
    low, high = X.min(axis=0), X.max(axis=0)
    scale = _inverse(high - low, np.abs(X).max(axis=0))
    return LinearStep("min-max", low, scale, "Each feature is shifted and stretched to run from 0 to 1.")


def robust(X: np.ndarray) -> LinearStep:
    """Median 0 and interquartile range 1; the standard deviation where the quartiles coincide."""
    low, middle, high = np.percentile(X, [25, 50, 75], axis=0)
    spread = np.where(high > low, high - low, X.std(axis=0))
    words = "Each feature is shifted to median 0 and divided by its interquartile range."
    return LinearStep("robust", middle, _inverse(spread, np.abs(X).max(axis=0)), words)


def principal_axes(X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean (D,), principal axes as rows (rank, D) and the standard deviations along them (rank,), greatest first.

    Directions in which the rows do not spread are left out, so rank ≤ min(n − 1, D). The smaller one of the two Gram
    matrices is decomposed. Each axis points to where its greatest entry in size is positive.
    """
    n, D = X.shape
    mean = X.mean(axis=0)
    centred = X - mean
    centred[:, np.abs(centred).max(axis=0) <= _NEARLY_CONSTANT * np.abs(X).max(axis=0)] = 0.0  # rounding of the mean
    unit = float(np.abs(centred).max()) or 1.0  # squares of huge or tiny values leave the range of floats
    centred /= unit
    values, vectors = np.linalg.eigh(centred.T @ centred / n if n >= D else centred @ centred.T / n)
    values, vectors = values[::-1], vectors[:, ::-1]
    alive = values > _COLLINEAR * max(values[0], np.finfo(float).tiny)
    values, axes = values[alive], vectors[:, alive].T
    if n < D:
        axes = axes @ centred / np.sqrt(n * values)[:, None]
    greatest = np.abs(axes).argmax(axis=1)
    axes = axes * np.sign(axes[np.arange(len(axes)), greatest])[:, None]
    return mean, axes, np.sqrt(values) * unit


def pca(X: np.ndarray, n_components: int) -> MatrixStep:
    """The leading principal components, unscaled; fewer where the rows span fewer directions."""
    mean, axes, deviations = principal_axes(X)
    kept = np.ascontiguousarray(axes[:n_components])
    parts = np.square(deviations / deviations.max(initial=np.finfo(float).tiny))
    share = parts[: len(kept)].sum() / max(parts.sum(), 1.0)
    words = f"PCA keeps {counted(len(kept), 'direction')} with {percent(share, 1)} of the variance."
    return MatrixStep("pca", mean, kept, sentence=words)


def whitening(X: np.ndarray) -> MatrixStep:
    """x -> C^(-1/2) (x − mean), C the covariance of X: every direction gets variance 1, and none is mixed with others
    more than need be. A direction without spread becomes 0 (the pseudo-inverse is meant).

    It follows `standardise`, so C is the correlation matrix of the raw features and the rank does not depend on their
    units. W = C^(-1/2) diag(σ)⁻¹ has Wᵀ W = Σ⁻¹: the distances are those of Σ^(-1/2), the Mahalanobis distances, and
    of all whitenings this one stays nearest to the single features (Kessy, Lewin and Strimmer 2018, "ZCA-cor").
    """
    mean, axes, deviations = principal_axes(X)
    up = axes.T / deviations  # (n_features, rank)
    words = "Whitening: correlations are taken out and every direction gets variance 1."
    return MatrixStep("whitening", mean, axes, up, words)


@dataclass(frozen=True)
class Preprocessing:
    """A choice of the page: `scale` comes first, fewer features next where asked for, `last` at the end."""

    scale: Callable[[np.ndarray], LinearStep]
    last: Callable[[np.ndarray], MatrixStep] | None = None


PREPROCESSING: dict[str, Preprocessing] = {
    "standardise": Preprocessing(standardise),
    "min-max": Preprocessing(min_max),
    "robust": Preprocessing(robust),
    "whitening": Preprocessing(standardise, whitening),
    "none": Preprocessing(none),
}
