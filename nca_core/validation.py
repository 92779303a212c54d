"""Input checked once, at the public door: one ValueError that names the parameter, the value and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np


def check_choice(parameter: str, value: Any, allowed: Iterable[str]) -> None:
    names = list(allowed)
    if value not in names:
        raise ValueError(f"{parameter} is {value!r}; the names there are: {', '.join(names)}.")


def check_labelled_data(X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """X as finite float64 (n_samples, n_features) and y as (n_samples,), or one ValueError."""
    try:
        X = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("X holds something that is not a number; encode or drop those columns first.") from None
    y = np.asarray(y)
    if X.ndim != 2:
        raise ValueError(f"X has {X.ndim} dimension(s); it must have 2: (n_samples, n_features).")
    if y.ndim != 1:
        raise ValueError(f"y has {y.ndim} dimensions; it must have 1: (n_samples,).")
    if len(X) != len(y):
        raise ValueError(f"X has {len(X)} rows and y has {len(y)} labels; the numbers must be equal.")
    if len(X) < 2 or X.shape[1] < 1:
        raise ValueError(f"X has shape {X.shape}; NCA needs at least 2 rows and 1 column.")
    if not np.isfinite(X).all():
        row, column = np.argwhere(~np.isfinite(X))[0]
        raise ValueError(f"X[{row}, {column}] is {X[row, column]}; every value must be finite.")
    if y.dtype.kind not in "iub":
        raise ValueError(f"y holds {y.dtype} values; it must hold integer class codes (negative: unlabelled).")
    return X, y.astype(np.int64)


def check_sample_weight(sample_weight: Any, n_samples: int) -> np.ndarray:
    """Finite weights of at least 0, not all 0, (n_samples,), or one ValueError."""
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("sample_weight holds something that is not a number.") from None
    if weights.shape != (n_samples,):
        raise ValueError(f"sample_weight has shape {weights.shape}; it must be ({n_samples},), one for each row.")
    if not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise ValueError("sample_weight must be finite and at least 0, and above 0 for some row.")
    return weights


def check_held_out(held_out: Any, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """(X_test, y_test) with as many features as the training rows, or one ValueError."""
    X, y = np.asarray(held_out[0], dtype=np.float64), np.asarray(held_out[1])
    if X.ndim != 2 or X.shape[1] != n_features or len(X) != len(y):
        raise ValueError(f"held_out has shapes {X.shape} and {y.shape}; it must be (m, {n_features}) and (m,).")
    if not np.isfinite(X).all():
        raise ValueError("held_out holds a value that is not finite.")
    return X, y


def check_n_components(n_components: int, n_features: int) -> None:
    if not 1 <= n_components <= n_features:
        raise ValueError(f"n_components is {n_components}; it must be between 1 and the {n_features} features.")
