"""Checks of labels and starts whose sentences are scikit-learn's, for the estimators."""

from __future__ import annotations

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array

from nca_core.validation import check_size


def check_labels(y: np.ndarray) -> None:
    """ValueError for labels that are no classes, or that cannot be told apart because they are of several kinds."""
    try:
        check_classification_targets(y)
        np.unique(y)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in y})
        raise ValueError(f"y mixes {', '.join(kinds)}; give all labels as text, or all as numbers.") from None


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
