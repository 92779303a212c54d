"""Where the estimators' climb begins: scikit-learn's own starts, so that both begin at the same place, or ours."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.neighbors import NeighborhoodComponentsAnalysis as ScikitLearnNCA

from nca_core.discriminant import discriminant_axes
from nca_core.initialisation import scaled_start
from nca_core.simple_starts import Start
from nca_core.sparse_rows import SparseRows

SCIKIT_LEARN_STARTS = ("auto", "pca", "lda", "identity", "random")
_WITHOUT_DATA = ("identity", "random")


def estimator_start(
    X: np.ndarray | SparseRows,
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
    X : ndarray or SparseRows
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
