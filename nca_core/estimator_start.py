"""Where the estimators' climb begins: scikit-learn's own starts, so that both begin at the same place, or ours."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.neighbors import NeighborhoodComponentsAnalysis as ScikitLearnNCA

from nca_core.covariance import class_statistics, leading_axes
from nca_core.discriminant import discriminant_axes
from nca_core.features_in_parts import FeaturesInParts
from nca_core.initialisation import scaled_start
from nca_core.simple_starts import Start
from nca_core.sparse_rows import SparseRows

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
    point_weight: np.ndarray | None = None,
) -> Start:
    """A of iteration 0, (n_components, n_features), as it is, without a scale for K̂.

    Parameters
    ----------
    X : ndarray or SparseRows or FeaturesInParts
        (n_samples, n_features). A sparse X too large to be dense for a moment has the engine's own PCA.
    codes : ndarray
        Class codes, (n_samples,).
    init : str or ndarray
        As for NeighborhoodComponentsAnalysis, checked.
    random_state : RandomState
        Which random starts are drawn from.
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
            X, codes, n_components, str(init), seed, scale_start=False, sample_weight=point_weight, diagonal=diagonal
        )
    model: Any = ScikitLearnNCA(n_components, verbose=verbose)
    model.random_state_ = random_state
    start = np.asarray(model._initialize(X, codes, init), dtype=np.float64)
    if isinstance(init, str) and len(start) < n_components and isinstance(X, np.ndarray):  # collinear features
        start = discriminant_axes(X, codes, n_components)[0]
    return Start(start, 1.0)


def _of_auto(X: FeaturesInParts, codes: np.ndarray, n_components: int) -> str:
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
