"""Input checked once, at the public door: one ValueError that names the parameter, the value and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np

_LARGEST_VALUE = 1e150


def check_choice(parameter: str, value: Any, allowed: Iterable[str]) -> None:
    names = list(allowed)
    if not isinstance(value, str) or value not in names:
        raise ValueError(f"{parameter} is {value!r}; the names there are: {', '.join(names)}.")


def check_features(X: Any) -> np.ndarray:
    """X as finite float64 (n_samples, n_features) with at least 2 rows, or one ValueError."""
    if hasattr(X, "toarray"):
        raise ValueError("X is a sparse matrix; give a dense array, such as X.toarray().")
    try:
        given = np.asarray(X)
    except ValueError:
        raise ValueError("X has rows of unequal length.") from None
    if given.dtype.kind == "c":
        raise ValueError("X holds complex numbers; give their real and imaginary parts as columns.")
    if given.dtype.kind in "Mm":
        raise ValueError("X holds dates or times; give them as numbers first.")
    try:
        X = given.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        raise ValueError("X holds something that is not a number; encode or drop those columns first.") from None
    if X.ndim != 2:
        raise ValueError(f"X has {X.ndim} dimension(s); it must have 2: (n_samples, n_features).")
    if len(X) < 2 or X.shape[1] < 1:
        raise ValueError(f"X has shape {X.shape}; NCA needs at least 2 rows and 1 column.")
    if not np.isfinite(X).all():
        row, column = np.argwhere(~np.isfinite(X))[0]
        raise ValueError(f"X[{row}, {column}] is {X[row, column]}; every value must be finite.")
    if max(-X.min(), X.max()) > _LARGEST_VALUE:
        row, column = np.argwhere(np.abs(X) > _LARGEST_VALUE)[0]
        raise ValueError(
            f"X[{row}, {column}] is {X[row, column]:g}; squares of values beyond {_LARGEST_VALUE:g} overflow, so "
            "scale the column down."
        )
    return X


def _one_for_each_row(name: str, values: Any, n_samples: int) -> np.ndarray:
    try:
        values = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} has entries of unequal length; it must be one value for each row.") from None
    if values.ndim != 1:
        raise ValueError(f"{name} has {values.ndim} dimensions; it must have 1: (n_samples,).")
    if len(values) != n_samples:
        raise ValueError(f"X has {n_samples} rows and {name} has {len(values)} labels; the numbers must be equal.")
    return values


def check_codes(y: Any, n_samples: int) -> np.ndarray:
    """y as int64 class codes, (n_samples,), negative for unlabelled; or one ValueError."""
    y = _one_for_each_row("y", y, n_samples)
    if y.dtype.kind not in "iub":
        raise ValueError(f"y holds {y.dtype} values; it must hold integer class codes (negative: unlabelled).")
    return y.astype(np.int64)


def check_targets(targets: Any, n_samples: int) -> np.ndarray:
    """Numeric targets as finite float64, (n_samples,), or one ValueError."""
    targets = _one_for_each_row("targets", targets, n_samples)
    try:
        if targets.dtype.kind == "c":
            raise TypeError
        targets = targets.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError("targets hold something that is not a real number.") from None
    bad = np.flatnonzero(~(np.abs(targets) <= _LARGEST_VALUE))
    if bad.size:
        raise ValueError(f"targets[{bad[0]}] is {targets[bad[0]]:g}; every target must be finite and below 1e150.")
    return targets


def check_labelled_data(X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """X as finite float64 (n_samples, n_features) and y as class codes (n_samples,), or one ValueError."""
    X = check_features(X)
    return X, check_codes(y, len(X))


def check_initial(initial: Any, n_components: int, n_features: int) -> np.ndarray:
    """A start A as finite float64 (n_components, n_features), or one ValueError."""
    try:
        start = np.asarray(initial, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("initial holds something that is not a real number.") from None
    if start.shape != (n_components, n_features) or not np.isfinite(start).all():
        raise ValueError(f"initial has shape {start.shape}; it must be {(n_components, n_features)} and finite.")
    return start


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
    try:
        X, y = np.asarray(held_out[0], dtype=np.float64), np.asarray(held_out[1])
    except (TypeError, ValueError, IndexError):
        raise ValueError("held_out must be a pair (X_test, y_test) of numbers.") from None
    if X.ndim != 2 or X.shape[1] != n_features or len(X) != len(y):
        raise ValueError(f"held_out has shapes {X.shape} and {y.shape}; it must be (m, {n_features}) and (m,).")
    if not np.isfinite(X).all():
        raise ValueError("held_out holds a value that is not finite.")
    return X, y


def check_n_components(n_components: int, n_features: int) -> None:
    if not isinstance(n_components, Integral) or not 1 <= n_components <= n_features:
        raise ValueError(f"n_components is {n_components}; it must be between 1 and the {n_features} features.")
