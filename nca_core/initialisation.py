"""INITIALISATIONS: name -> the A from which a training starts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nca_core.evaluator import Evaluation, Evaluator
from nca_core.k_estimate import k_mean_entropy
from nca_core.projections.lda import LDA
from nca_core.projections.pca import PCA

Initialiser = Callable[[np.ndarray, np.ndarray, int, np.random.Generator], np.ndarray]


def _pca(X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    return PCA(d).fit(X).transformation


def _lda(X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    return LDA(d).fit(X, y).transformation


def _identity(X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    return np.eye(d, X.shape[1])


def _random(X: np.ndarray, y: np.ndarray, d: int, rng: np.random.Generator) -> np.ndarray:
    return rng.standard_normal((d, X.shape[1]))


INITIALISATIONS: dict[str, Initialiser] = {
    "pca": _pca,
    "lda": _lda,
    "identity": _identity,
    "random": _random,
}

_SAMPLE = 1_000
_LARGEST_LOG_SCALE = 20.0


def scale_to_sensible_k(transformation: np.ndarray, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`transformation` times one positive number, so that the first K̂ lies between 3 and a third of the points.

    Too large a start gives each point one neighbour, too small a one gives it all of them; in both the gradient
    vanishes. A start that is already between stays as it is. Measured on at most 1,000 points.
    """
    n = len(X)
    rows = np.linspace(0, n - 1, min(n, _SAMPLE)).astype(int)
    evaluator = Evaluator(X[rows], y[rows])

    def at(log_scale: float) -> Evaluation:
        return evaluator.evaluate(transformation * np.exp(log_scale))

    def pull(log_scale: float) -> float:
        """How strongly the objective answers to a relative change of A."""
        return float(np.linalg.norm(at(log_scale).gradient) * np.exp(log_scale))

    low, high = min(3.0, len(rows) / 4), max(len(rows) / 3, 1.5)
    if not np.any(transformation) or low <= k_mean_entropy(at(0.0).entropy) <= high:
        return transformation
    target = np.sqrt(low * high)
    small, large = -_LARGEST_LOG_SCALE, _LARGEST_LOG_SCALE  # K̂ falls as the scale grows
    for _ in range(30):
        middle = 0.5 * (small + large)
        if k_mean_entropy(at(middle).entropy) > target:
            small = middle
        else:
            large = middle
    # Many duplicates can make K̂ jump: then the start as it was may pull more than the scaled one.
    return transformation * np.exp(large) if pull(large) > pull(0.0) else transformation


def start_transformation(
    X: np.ndarray,
    y: np.ndarray,
    n_components: int,
    initialisation: str,
    random_state: int,
    *,
    scale_start: bool = True,
) -> np.ndarray:
    """The A of iteration 0, (n_components, n_features).

    Raises:
        ValueError: for a name that INITIALISATIONS does not hold.
    """
    from nca_core.validation import check_choice

    check_choice("initialisation", initialisation, INITIALISATIONS)
    start = INITIALISATIONS[initialisation](X, y, n_components, np.random.default_rng(random_state))
    return scale_to_sensible_k(start, X, y) if scale_start else start
