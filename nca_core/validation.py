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
    return X, y


def check_n_components(n_components: int, n_features: int) -> None:
    if not 1 <= n_components <= n_features:
        raise ValueError(f"n_components is {n_components}; it must be between 1 and the {n_features} features.")
