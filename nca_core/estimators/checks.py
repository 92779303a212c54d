"""Checks of features, labels and starts for the estimators; the sentences are scikit-learn's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_array, check_consistent_length, validate_data

from nca_core.features.rows import SparseRows
from nca_core.features.validation import UNLABELLED, check_features, check_size, refuse_before_conversion
from nca_core.neighbours.pairwise_similarity import Similarity
from nca_core.parts.dask_chunks import is_of_dask
from nca_core.parts.features_in_parts import FeaturesInParts, features_of
from nca_core.training.train import Supervision, check_supervision, slices_of


def check_labels(y: np.ndarray) -> None:
    """ValueError for labels that are no classes, or are of several types."""
    try:
        check_classification_targets(y)
        np.unique(y)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in y})
        raise ValueError(f"y mixes {', '.join(kinds)}; give all labels as text, or all as numbers.") from None


def codes_of(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(classes, rising; the place of each label among them, int64 (n_samples,), UNLABELLED where y is that number)."""
    alone = y == UNLABELLED if y.dtype.kind == "i" else np.zeros(len(y), dtype=bool)
    codes = np.full(len(y), UNLABELLED, dtype=np.int64)
    classes, codes[~alone] = np.unique(y[~alone], return_inverse=True)
    return classes, codes


def supervision_of(y: np.ndarray, target_similarity: str | np.ndarray | Similarity | None) -> Supervision:
    """The labels or numbers that an estimator was given, as the engine takes them; `target_similarity` as for
    NeighborhoodComponentsAnalysis."""
    if target_similarity is None:
        check_labels(y)
        return check_supervision(codes_of(y)[1], len(y), None)
    if isinstance(target_similarity, np.ndarray):  # y only says what classes a start is to see
        numeric = y.dtype.kind == "f" and type_of_target(y) == "continuous"
        codes = slices_of(y) if numeric else codes_of(y)[1]
        return check_supervision(codes, len(y), target_similarity)
    labels = check_supervision(y, len(y), target_similarity)
    return replace(labels, codes=labels.start_codes)


def check_init(init: str | np.ndarray, n_components: int | None, n_features: int) -> str | np.ndarray:
    """The start as given; shapes that do not fit get scikit-learn's own sentences.

    init: as for NeighborhoodComponentsAnalysis.
    n_components: d, or None for all features.
    n_features: columns of X.

    Raises ValueError for shapes that do not fit one another.
    """
    if n_components is not None and n_components > n_features:
        raise ValueError(
            f"The preferred dimensionality of the projected space `n_components` ({n_components}) cannot be greater "
            f"than the given data dimensionality ({n_features})!"
        )
    if not isinstance(init, np.ndarray):
        return init
    if np.iscomplexobj(init):
        raise ValueError("Complex data not supported: init holds complex numbers; give real numbers.")
    start: np.ndarray = check_array(init)
    check_size("init", start)
    d, D = start.shape
    if n_features != D:
        raise ValueError(
            f"The input dimensionality ({D}) of the given linear transformation `init` must match the dimensionality "
            f"of the given inputs `X` ({n_features})."
        )
    if d > D:
        raise ValueError(
            f"The output dimensionality ({d}) of the given linear transformation `init` cannot be greater than its "
            f"input dimensionality ({D})."
        )
    if n_components is not None and n_components != d:
        raise ValueError(
            f"The preferred dimensionality of the projected space `n_components` ({n_components}) does not match the "
            f"output dimensionality of the given linear transformation `init` ({d})!"
        )
    return start


def labelled_features(
    estimator: BaseEstimator, X: Any, y: Any, *, parts: bool, reset: bool = True
) -> tuple[Any, np.ndarray]:
    """X, (n_samples, n_features), as the engine takes it, and y, (n_samples,).

    estimator: whose n_features_in_ and feature_names_in_ are set (`reset`) or held to.
    X, y: as given to `fit`.
    parts: take a sparse X and X in parts too.

    Raises ValueError with scikit-learn's texts, or one that names the part, for what cannot be used.
    """
    X, y = features_of(X), y.compute() if is_of_dask(y) else y
    if parts and isinstance(X, FeaturesInParts):
        refuse_before_conversion((), y)
        y = validate_data(estimator, X="no_validation", y=y, reset=reset)
        check_consistent_length(X, y)
        return features_in_parts(estimator, X, reset=reset), y
    refuse_before_conversion(X, y, sparse=parts)
    accepted = "csr" if parts else False
    X, y = validate_data(estimator, X, y, reset=reset, ensure_min_samples=2, accept_sparse=accepted)
    single = parts and getattr(estimator, "dtype", "") == X.dtype == "float32"
    X = SparseRows(X) if issparse(X) else X if single else np.asarray(X, dtype=np.float64)
    check_size("X", X)
    return X, y


def new_features(estimator: BaseEstimator, X: Any, *, parts: bool) -> Any:
    """New rows for a fitted estimator, (n_queries, n_features): an array, or with `parts` also a sparse matrix or
    parts, by which a matrix can be multiplied."""
    X = features_of(X)
    if parts and isinstance(X, FeaturesInParts):
        return features_in_parts(estimator, X, reset=False)
    refuse_before_conversion(X, sparse=parts)
    X = validate_data(estimator, X, reset=False, accept_sparse="csr" if parts else False)
    check_size("X", X)
    return X


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
