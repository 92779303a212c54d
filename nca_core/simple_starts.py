"""SIMPLE_STARTS: name -> the A from which a training starts, made from the data at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np

from nca_core.accuracy.k_estimate import k_mean_entropy
from nca_core.covariance import class_statistics, covariance, leading_axes, whitening_axes
from nca_core.discriminant import discriminant_axes
from nca_core.evaluation import Evaluation
from nca_core.evaluator import Evaluator
from nca_core.snapshot import Candidate
from nca_core.sparse_rows import SparseRows

Initialiser = Callable[[np.ndarray, np.ndarray, int, np.random.Generator], np.ndarray]


def _pca(X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    return leading_axes(X, d)


def _lda(X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    return discriminant_axes(X, y, d)[0] if np.any(y >= 0) else _pca(X, y, d, rng)


def _identity(X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    return np.eye(d, X.shape[1])


def _random(X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    return rng.standard_normal((d, X.shape[1]))


def _uniform(X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    return rng.uniform(0.0, 1.0, (d, X.shape[1]))


def _whitening(X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    return whitening_axes(covariance(X), d)


def _pooled_whitening(X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    if not np.any(y >= 0):
        return _whitening(X, y, d, rng)
    return whitening_axes(class_statistics(X, y).within, d)


def _auto(X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    """scikit-learn's rule: LDA where the classes span enough axes, else PCA, else identity."""
    n, D = X.shape
    if d <= min(D, len(np.unique(y[y >= 0])) - 1):
        return _lda(X, y, d, rng)
    return _pca(X, y, d, rng) if d < min(D, n) else _identity(X, y, d, rng)


SIMPLE_STARTS: dict[str, Initialiser] = {
    "pca": _pca,
    "lda": _lda,
    "identity": _identity,
    "random": _random,
    "uniform": _uniform,
    "whitening": _whitening,
    "pooled_whitening": _pooled_whitening,
    "auto": _auto,
}

_NEED_DENSE = ("lda", "whitening", "pooled_whitening", "auto")
_SAMPLE = 1_000
_LARGEST_LOG_SCALE = 60.0
_LARGEST_FACTOR = 1e70


def nearest_diagonal(transformation: np.ndarray) -> np.ndarray:
    """diag(‖a_1‖, ‖a_2‖, ...) of the columns a_k of a square A: the weight of a feature is the length of its column,
    which is what a rotation of Y leaves as it is."""
    return np.diag(np.linalg.norm(transformation, axis=0))


def scale_to_sensible_k(transformation: np.ndarray, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`transformation` times one positive number, so that the first K̂ lies between 3 and a third of the points.

    Too large a start gives each point one neighbour, too small a one gives it all of them; in both the gradient
    vanishes. A start that is already between stays as it is. Measured on at most 1,000 points.
    """
    n = len(X)
    rows = np.linspace(0, n - 1, min(n, _SAMPLE)).astype(int)
    evaluator = Evaluator(X[rows], y[rows])
    Y = X[rows] @ transformation.T
    extent = float(np.abs(Y - Y.mean(axis=0)).max())  # scales are looked for around 1 / extent
    if not 1.0 / _LARGEST_FACTOR < extent < _LARGEST_FACTOR:
        return transformation

    def at(factor: float) -> Evaluation:
        return evaluator.evaluate(transformation * factor)

    def pull(factor: float) -> float:
        """How strongly the objective answers to a relative change of A."""
        return float(np.linalg.norm(at(factor).gradient) * factor)

    low, high = min(3.0, len(rows) / 4), max(len(rows) / 3, 1.5)
    if low <= k_mean_entropy(at(1.0).entropy) <= high:
        return transformation
    target = np.sqrt(low * high)
    small, large = -_LARGEST_LOG_SCALE, _LARGEST_LOG_SCALE  # K̂ falls as the scale grows
    for _ in range(32):
        middle = 0.5 * (small + large)
        if k_mean_entropy(at(np.exp(middle) / extent).entropy) > target:
            small = middle
        else:
            large = middle
    found = float(np.exp(large) / extent)
    if not 1.0 / _LARGEST_FACTOR < found < _LARGEST_FACTOR:
        return transformation
    # Many duplicates can make K̂ jump: then the start as it was may pull more than the scaled one.
    return transformation * found if pull(found) > pull(1.0) else transformation


@dataclass(frozen=True)
class Start:
    """Where a training begins.

    Attributes
    ----------
    transformation : ndarray
        A of iteration 0, (n_components, n_features).
    scaled_by : float
        The number by which the start was multiplied for a sensible K̂.
    tried : tuple[Candidate, ...]
        What "best_of_several" compared, best first; empty for every other start.
    """

    transformation: np.ndarray  # (n_components, n_features)
    scaled_by: float
    tried: tuple[Candidate, ...] = ()


def simple_start(
    X: np.ndarray,
    y: np.ndarray,
    n_components: int,
    name: str,
    rng: np.random.Generator,
    *,
    scale_start: bool = True,
    diagonal: bool = False,
    slot: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> Start:
    """The start of that name in SIMPLE_STARTS, scaled for a sensible K̂; parameters as for `scaled_start`."""
    with slot():
        if isinstance(X, SparseRows):
            X = X.dense_where_small()
            if isinstance(X, SparseRows) and name in _NEED_DENSE:
                if name != "auto":
                    raise ValueError(
                        f"The start {name!r} needs a dense X, and this sparse one of shape {X.shape} is too large for "
                        "that; choose 'pca', 'identity' or 'random'."
                    )
                name = "pca" if n_components < min(X.shape) else "identity"
        start = SIMPLE_STARTS[name](X, y, n_components, rng)
        if diagonal:
            start = nearest_diagonal(start)
        if not scale_start or not np.any(start):
            return Start(start, 1.0)
        scaled = scale_to_sensible_k(start, X, y)
    return Start(scaled, float(np.linalg.norm(scaled) / np.linalg.norm(start)))
