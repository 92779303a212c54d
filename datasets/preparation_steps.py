"""The fitted steps of a preparation, each linear: PREPROCESSING, scalers and whitening; REDUCTIONS, to fewer features.

A step is learned on training rows and then only applied, so that held-out rows, new rows and an exported script go
the same way.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from datasets.base.dataset import ReadOnlyArrays
from datasets.base.errors import DataError
from datasets.base.words import counted, numbered, percent

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
class LinearStep(ReadOnlyArrays):
    """x -> (x − offset) * scale, column by column; `scale` is 0 where a column is constant."""

    name: str  # key of PREPROCESSING, or "standardise" where that is the first half of it
    offset: np.ndarray  # float64 (n_features,)
    scale: np.ndarray  # float64 (n_features,)
    sentence: str = ""  # what it does, in words

    def apply(self, X: np.ndarray) -> np.ndarray:
        return (X - self.offset) * self.scale

    def back(self, A: np.ndarray) -> np.ndarray:
        return A * self.scale

    def forth(self, A: np.ndarray) -> np.ndarray:
        return np.divide(A, self.scale, out=np.zeros_like(A), where=self.scale != 0.0)


@dataclass(frozen=True)
class MatrixStep(ReadOnlyArrays):
    """x -> up · down · (x − offset); in two factors, as whitening of many features by few rows would fill memory."""

    name: str  # "pca", "random projection" or "whitening"
    offset: np.ndarray  # float64 (n_in,)
    down: np.ndarray  # float64 (rank, n_in)
    up: np.ndarray | None = None  # float64 (n_out, rank); None is the identity
    sentence: str = ""  # what it does, in words

    def apply(self, X: np.ndarray) -> np.ndarray:
        low = (X - self.offset) @ self.down.T  # (n_samples, rank)
        return low if self.up is None else low @ self.up.T

    def back(self, A: np.ndarray) -> np.ndarray:
        return (A if self.up is None else A @ self.up) @ self.down

    def forth(self, A: np.ndarray) -> np.ndarray:
        through = A @ np.linalg.pinv(self.down)
        return through if self.up is None else through @ np.linalg.pinv(self.up)


@dataclass(frozen=True)
class SelectStep(ReadOnlyArrays):
    """x -> x[kept]: some of the columns, as they are."""

    name: str  # "selection"
    kept: np.ndarray  # int (n_out,), places of the columns that stay
    n_in: int  # how many columns there were
    sentence: str = ""  # what it does, in words

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


def axes_and_deviations(X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
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
    mean, axes, deviations = axes_and_deviations(X)
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
    mean, axes, deviations = axes_and_deviations(X)
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


@dataclass(frozen=True)
class Training:
    """The training rows that a reduction is learned on."""

    X: np.ndarray  # scaled features, (n_samples, n_features)
    y: np.ndarray  # class codes, (n_samples,)
    target: np.ndarray | None  # labels that were kept as numbers, (n_samples,)
    random_state: int  # seed of what is drawn


@dataclass(frozen=True)
class Reduced:
    """A fitted reduction."""

    step: Step  # sends rows through
    names: tuple[str, ...]  # one for each feature that comes out
    notes: tuple[str, ...] = ()  # what a reader of the accuracies has to know


@dataclass(frozen=True)
class Reduction:
    """A choice of the page."""

    title: str  # shown as the choice
    one: str  # what comes out, as in "30 principal components"
    several: str  # what comes out, as in "30 principal components"
    # ``fit(training, n_components, names)``, the names those of the features that go in
    fit: Callable[[Training, int, tuple[str, ...]], Reduced]
    sees_labels: bool = False  # whether it looks at the labels of the training rows

    def to(self, n_components: int) -> str:
        """What is trained on, as in "30 principal components"."""
        return counted(n_components, self.one, self.several)


def _pca(training: Training, n_components: int, names: tuple[str, ...]) -> Reduced:
    step = pca(training.X, n_components)
    rank = len(step.down)
    notes: tuple[str, ...] = ()
    if rank < n_components:
        notes = (f"The training rows span {counted(rank, 'direction')} only, so PCA keeps {rank}.",)
    return Reduced(step, numbered("PC", rank), notes)


def _random_projection(training: Training, n_components: int, names: tuple[str, ...]) -> Reduced:
    """Gaussian entries of variance 1 / n_components: squared distances are kept in the mean.

    References
    ----------
    Johnson and Lindenstrauss (1984); Dasgupta and Gupta (2003), An elementary proof of a theorem of theirs.
    """
    from sklearn.random_projection import GaussianRandomProjection

    drawn = GaussianRandomProjection(n_components, random_state=training.random_state).fit(training.X[:1])
    words = f"Random projection to {counted(n_components, 'direction')}: distances stay about as they are."
    down = np.array(drawn.components_)
    return Reduced(
        MatrixStep("random projection", training.X.mean(axis=0), down, sentence=words), numbered("RP", n_components)
    )


def _best_by_f_value(training: Training, n_components: int, names: tuple[str, ...]) -> Reduced:
    """The features whose class means differ most beside their spread within classes: the F-value of an analysis of
    variance; of a label of numbers, that of a linear regression. The columns keep their order."""
    from sklearn.feature_selection import f_classif, f_regression

    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of constant columns, which have no F-value
        if training.target is None:
            values = f_classif(training.X, training.y)[0]
        else:
            values = f_regression(training.X, training.target, force_finite=False)[0]
    has_one = np.flatnonzero(~np.isnan(values))
    if not len(has_one):
        raise DataError(
            "No feature has an F-value on the training rows: it needs a class of two rows and a feature that varies. "
            "Choose another way to fewer features under 'Advanced'."
        )
    best = has_one[np.argsort(-values[has_one], kind="stable")[:n_components]]
    kept = np.sort(best)
    n = f"{len(kept):,} of {counted(len(values), 'feature')}"
    words = f"The {n} with the highest F-value on the training rows are kept."
    notes = [
        f"The {n} that tell the training rows' labels apart best were kept (F-value), so accuracies on the training "
        "rows flatter; those on held-out rows do not."
    ]
    if len(kept) < n_components:
        notes.append(f"Only {counted(len(kept), 'feature varies', 'features vary')} in the training rows.")
    return Reduced(SelectStep("selection", kept, len(values), words), tuple(names[k] for k in kept), tuple(notes))


REDUCTIONS: dict[str, Reduction] = {
    "pca": Reduction("PCA", "principal component", "principal components", _pca),
    "random_projection": Reduction("random projection", "random projection", "random projections", _random_projection),
    "feature_selection": Reduction(
        "best by F-value",
        "feature of the highest F-value",
        "features of the highest F-values",
        _best_by_f_value,
        sees_labels=True,
    ),
}
