"""Where the estimators' climb begins: scikit-learn's own starts, so that both begin at the same place, or ours.

better_from_a_smaller_start: a second climb where the start lets each point see one neighbour alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.decomposition import PCA

from nca_core.features.covariance import class_statistics, discriminant_axes, leading_axes
from nca_core.features.rows import SparseRows
from nca_core.parts.features_in_parts import FeaturesInParts
from nca_core.snapshot import Trajectory
from nca_core.training.matrix import SOLVED
from nca_core.training.starts import Start, scale_to_sensible_k, scaled_start

SCIKIT_LEARN_STARTS = ("auto", "pca", "lda", "identity", "random")
_WITHOUT_DATA = ("identity", "random")
_THEIR_TOLERANCE = 1e-4


def estimator_start(
    X: np.ndarray | SparseRows | FeaturesInParts,
    codes: np.ndarray,
    n_components: int,
    init: str | np.ndarray,
    random_state: np.random.RandomState,
    *,
    verbose: int = 0,
    diagonal: bool = False,
    sample_weight: np.ndarray | None = None,
) -> Start:
    """A of iteration 0, (n_components, n_features), as it is, without a scale for K̂.

    X: (n_samples, n_features). A sparse X too large to be dense for a moment has the engine's own PCA.
    codes: class codes, (n_samples,).
    init: as for NeighborhoodComponentsAnalysis, checked.
    random_state: which random starts are drawn from.
    """
    if isinstance(X, SparseRows):
        X = X.dense_where_small()
    theirs = not isinstance(init, str) or init in SCIKIT_LEARN_STARTS
    if isinstance(X, SparseRows) and isinstance(init, str) and init not in _WITHOUT_DATA:
        theirs = False
    if isinstance(init, str) and init == "lda" and n_components >= len(np.unique(codes)):
        theirs = False  # which refuses; ours is completed with principal axes
    if theirs and isinstance(X, FeaturesInParts) and isinstance(init, str):
        init = _of_auto(X, codes, n_components) if init == "auto" else init
        if init == "pca":
            return Start(leading_axes(X, n_components), 1.0)
        if init == "lda":
            start = _their_lda(X, codes, n_components)
            if len(start) < n_components:
                start = discriminant_axes(X, codes, n_components)[0]
            return Start(start, 1.0)
    if not theirs:
        seed = int(random_state.randint(2**31 - 1))
        return scaled_start(
            X, codes, n_components, str(init), seed, scale_start=False, sample_weight=sample_weight, diagonal=diagonal
        )
    start = _of_scikit_learn(X, codes, n_components, init, random_state, verbose)
    if isinstance(init, str) and len(start) < n_components and isinstance(X, np.ndarray):  # collinear features
        start = discriminant_axes(X, codes, n_components)[0]
    return Start(start, 1.0)


_SAID = {"pca": "Finding principal components... ", "lda": "Finding most discriminative components... "}


def _of_scikit_learn(
    X: Any,
    codes: np.ndarray,
    n_components: int,
    init: str | np.ndarray,
    random_state: np.random.RandomState,
    verbose: int,
) -> np.ndarray:
    """The start of scikit-learn's NeighborhoodComponentsAnalysis, by the estimators that it takes it from."""
    if not isinstance(init, str):
        return np.asarray(init, dtype=np.float64)
    if init == "auto":
        init = _of_auto(X, codes, n_components)
    if init == "identity":
        return np.eye(n_components, X.shape[1])
    if init == "random":
        return random_state.standard_normal(size=(n_components, X.shape[1]))
    began = time.perf_counter()
    if verbose:
        print(_SAID[init], end="", flush=True)
    if init == "pca":
        start = PCA(n_components, random_state=random_state).fit(X).components_
    else:
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis  # takes long to import

        start = LinearDiscriminantAnalysis(n_components=n_components).fit(X, codes).scalings_.T[:n_components]
    if verbose:
        print(f"done in {time.perf_counter() - began:5.2f}s")
    return np.asarray(start, dtype=np.float64)


def _of_auto(X: Any, codes: np.ndarray, n_components: int) -> str:
    """What scikit-learn's "auto" stands for."""
    n, D = X.shape
    if n_components <= min(D, len(np.unique(codes)) - 1):
        return "lda"
    return "pca" if n_components < min(D, n) else "identity"


def _their_lda(X: FeaturesInParts, codes: np.ndarray, n_components: int) -> np.ndarray:
    """The axes of scikit-learn's LinearDiscriminantAnalysis, (at most n_components, n_features), from moments of the
    classes; the sign of an axis is theirs but for rare ties of rounding."""
    classes = class_statistics(X, np.unique(codes, return_inverse=True)[1])
    n, n_classes = len(X), len(classes.counts)
    spread = np.sqrt(np.diag(classes.within))
    spread = np.where(spread > 0, spread, 1.0)
    within = classes.within / np.outer(spread, spread)
    try:
        _, size, axes = np.linalg.svd(np.linalg.cholesky(within).T)
    except np.linalg.LinAlgError:  # collinear features
        squares, vectors = np.linalg.eigh(within)
        size, axes = np.sqrt(np.maximum(squares[::-1], 0.0)), vectors.T[::-1]
    rank = int(np.sum(size > _THEIR_TOLERANCE))
    scalings = (axes[:rank] / spread).T / size[:rank]
    about = classes.means - (classes.counts / n) @ classes.means
    between = np.sqrt(classes.counts / max(1, n_classes - 1))[:, None] * about @ scalings
    _, strength, directions = np.linalg.svd(between, full_matrices=False)
    kept = int(np.sum(strength > _THEIR_TOLERANCE * strength[0]))
    return (scalings @ directions.T[:, :kept]).T[:n_components]


_ONE_NEIGHBOUR = 1.1  # K̂ at most so large: the gradient is nearly zero, and a climb ends where it began or close by


def better_from_a_smaller_start(
    end: Trajectory,
    X: np.ndarray,
    codes: np.ndarray,
    max_iter: int,
    least_gain: float,
    climb: Callable[[np.ndarray, int, int], Trajectory],
) -> tuple[Trajectory, float]:
    """The better of two climbs: the one that ended before `max_iter` from such a start, and one from a smaller start
    with the iterations that are left; and what the start was multiplied by, 1 where the first climb stands.

    end: the first climb.
    X, codes: features, (n_samples, n_features), and class codes, (n_samples,).
    max_iter: most iterations of both together.
    least_gain: of the objective, by which the second has to end higher.
    climb: climbs from a start, with the most iterations that it may take and the number of those made already.
    """
    first = end.snapshots[0]
    made = end.snapshots[-1].iteration
    if end.ended not in ("cannot_move", "converged") or made >= max_iter:
        return end, 1.0
    if first.k_mean_entropy > _ONE_NEIGHBOUR or first.mean_p >= SOLVED:
        return end, 1.0
    smaller = scale_to_sensible_k(first.transformation, X, codes)
    by = float(np.linalg.norm(smaller) / np.linalg.norm(first.transformation)) if np.any(smaller) else 1.0
    if by >= 1.0:
        return end, 1.0
    again = climb(smaller, max_iter - made, made)
    gained = again.snapshots[-1].objective - end.snapshots[-1].objective
    return (again, by) if gained > least_gain else (end, 1.0)
