"""Features as an estimator is given them: arrays and sparse matrices by scikit-learn's validation, parts by ours."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_consistent_length, validate_data

from nca_core.features_in_parts import FeaturesInParts, features_of
from nca_core.parts.dask_chunks import is_of_dask
from nca_core.sparse_rows import SparseRows
from nca_core.validation import check_features, check_size, refuse_before_conversion


def labelled_features(
    estimator: BaseEstimator, X: Any, y: Any, *, reset: bool
) -> tuple[np.ndarray | SparseRows | FeaturesInParts, np.ndarray]:
    """X, (n_samples, n_features), as the engine takes it, and y, (n_samples,).

    Parameters
    ----------
    estimator : BaseEstimator
        Whose n_features_in_ and feature_names_in_ are set (`reset`) or held to.
    X, y : array-like
        As for NeighborhoodComponentsAnalysis.fit.

    Raises
    ------
    ValueError
        With scikit-learn's texts, or one that names the part, for what cannot be used.
    """
    X = features_of(X)
    if isinstance(X, FeaturesInParts):
        y = y.compute() if is_of_dask(y) else y
        refuse_before_conversion((), y)
        y = validate_data(estimator, X="no_validation", y=y, reset=reset)
        check_consistent_length(X, y)
        return features_in_parts(estimator, X, reset=reset), y
    refuse_before_conversion(X, y, sparse=True)
    X, y = validate_data(estimator, X, y, reset=reset, ensure_min_samples=2, accept_sparse="csr")
    X = SparseRows(X) if issparse(X) else np.asarray(X, dtype=np.float64)
    check_size("X", X)
    return X, y


def new_features(estimator: BaseEstimator, X: Any) -> Any:
    """New rows for a fitted estimator, (n_queries, n_features): an array, a sparse matrix or parts, by which a matrix
    can be multiplied."""
    X = features_of(X)
    if isinstance(X, FeaturesInParts):
        return features_in_parts(estimator, X, reset=False)
    refuse_before_conversion(X, sparse=True)
    return validate_data(estimator, X, reset=False, accept_sparse="csr")


def features_in_parts(estimator: Any, X: FeaturesInParts, *, reset: bool) -> FeaturesInParts:
    """X, its cells looked at, with the estimator's n_features_in_ and feature_names_in_ set or held to."""
    names = None if X.source.columns is None else np.array(X.source.columns, dtype=object)
    if reset:
        estimator.n_features_in_ = X.shape[1]
        if names is not None:
            estimator.feature_names_in_ = names
        elif hasattr(estimator, "feature_names_in_"):
            del estimator.feature_names_in_
    elif X.shape[1] != estimator.n_features_in_:
        raise ValueError(
            f"X has {X.shape[1]} features, but {type(estimator).__name__} is expecting {estimator.n_features_in_} "
            "features as input."
        )
    elif names is not None and not np.array_equal(names, getattr(estimator, "feature_names_in_", names)):
        raise ValueError("The feature names should match those that were passed during fit, in the same order.")
    return check_features(X)
