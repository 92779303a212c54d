"""Checks of labels and starts for the estimators; the sentences are scikit-learn's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from nca_core.neighbours.pairwise_similarity import Similarity
from nca_core.supervision import Supervision, check_supervision, slices_of
from nca_core.validation import UNLABELLED, check_size, refuse_before_conversion


def check_labels(y: np.ndarray) -> None:
    """ValueError for labels that are no classes, or that cannot be told apart because they are of several kinds."""
    try:
        check_classification_targets(y)
        np.unique(y)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in y})
        raise ValueError(f"y mixes {', '.join(kinds)}; give all labels as text, or all as numbers.") from None


def labelled_rows(estimator: BaseEstimator, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """X, float64 (n_samples, n_features), and class labels y, (n_samples,), as `fit` was given them.

    Raises
    ------
    ValueError
        For what is no such thing.
    """
    refuse_before_conversion(X, y)
    X, y = validate_data(estimator, X, y, ensure_min_samples=2, dtype=np.float64)
    check_size("X", X)
    check_labels(y)
    return X, y


def new_rows(estimator: BaseEstimator, X: Any) -> np.ndarray:
    """X, float64 (n_queries, n_features), as a fitted estimator was given it; ValueError for what does not fit it."""
    check_is_fitted(estimator)
    refuse_before_conversion(X)
    X = validate_data(estimator, X, reset=False, dtype=np.float64)
    check_size("X", X)
    return np.asarray(X)


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


def check_init(
    init: str | np.ndarray, n_components: int | None, n_features: int, learned: np.ndarray | None
) -> str | np.ndarray:
    """The start as given; shapes that do not fit get scikit-learn's own sentences.

    Parameters
    ----------
    init : str or ndarray
        As for NeighborhoodComponentsAnalysis.
    n_components : int or None
        d, or None for all features.
    n_features : int
        Columns of X.
    learned : ndarray or None
        A from which a warm start goes on, (n_components, n_features).

    Raises
    ------
    ValueError
        For shapes that do not fit one another.
    """
    if n_components is not None and n_components > n_features:
        raise ValueError(
            "The preferred dimensionality of the "
            f"projected space `n_components` ({n_components}) cannot "
            "be greater than the given data "
            f"dimensionality ({n_features})!"
        )
    if learned is not None and learned.shape[1] != n_features:
        raise ValueError(
            f"The new inputs dimensionality ({n_features}) does not "
            "match the input dimensionality of the "
            f"previously learned transformation ({learned.shape[1]})."
        )
    if not isinstance(init, np.ndarray):
        return init
    if np.iscomplexobj(init):
        raise ValueError("Complex data not supported: init holds complex numbers; give real numbers.")
    start: np.ndarray = check_array(init)
    check_size("init", start)
    if start.shape[1] != n_features:
        raise ValueError(
            f"The input dimensionality ({start.shape[1]}) of the given "
            "linear transformation `init` must match the "
            f"dimensionality of the given inputs `X` ({n_features})."
        )
    if start.shape[0] > start.shape[1]:
        raise ValueError(
            f"The output dimensionality ({start.shape[0]}) of the given "
            "linear transformation `init` cannot be "
            f"greater than its input dimensionality ({start.shape[1]})."
        )
    if n_components is not None and n_components != start.shape[0]:
        raise ValueError(
            "The preferred dimensionality of the "
            f"projected space `n_components` ({n_components}) does"
            " not match the output dimensionality of "
            "the given linear transformation "
            f"`init` ({start.shape[0]})!"
        )
    return start
