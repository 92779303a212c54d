"""Input validation: one ValueError naming parameter, value and choices.

What numpy would convert silently is refused by the estimators (`refuse_before_conversion`), the engine's public door.
"""

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np

from nca_core.features.rows import SparseRows
from nca_core.parts.features_in_parts import LARGEST_VALUE, FeaturesInParts

_LARGEST_TARGET, _SMALLEST_WEIGHT = 1e150, 1e-250
# Among the numbered labels that an estimator is given, of a row without a class: a neighbour to all, correct for none.
UNLABELLED = -(2**63)


def check_choice(parameter: str, value: Any, allowed: Iterable[str]) -> None:
    names = list(allowed)
    if not isinstance(value, str) or value not in names:
        said = repr(value) if isinstance(value, str | int | float | None) else f"of type {type(value).__name__}"
        raise ValueError(f"{parameter} is {said}; the names there are: {', '.join(names)}.")


def check_features(X: Any, dtype: str = "float64") -> Any:
    """X as finite float64 (n_samples, n_features) with at least 2 rows, or one ValueError; SparseRows and
    FeaturesInParts stay so, and with dtype "float32" an array of that type."""
    if not isinstance(X, SparseRows | FeaturesInParts):
        X = np.asarray(X)
        X = X if dtype == X.dtype == "float32" else X.astype(np.float64, copy=False)
    if len(X.shape) != 2 or X.shape[0] < 2 or X.shape[1] < 1:
        raise ValueError(f"X has shape {X.shape}; NCA needs at least 2 rows and 1 column.")
    if isinstance(X, FeaturesInParts):
        if (bad := X.first_invalid()) is not None:
            where, value = bad
            raise _too_large(where, value) if np.isfinite(value) else _not_finite(where, value)
        return X
    values = X.stored if isinstance(X, SparseRows) else X
    if not np.isfinite(values).all():
        place = tuple(np.argwhere(~np.isfinite(values))[0])
        where = "A value of X" if isinstance(X, SparseRows) else f"X[{place[0]}, {place[1]}]"
        raise _not_finite(where, values[place])
    check_size("X", X)
    return X


def _not_finite(where: str, value: float) -> ValueError:
    return ValueError(f"{where} is {value}; every value must be finite.")


def _too_large(where: str, value: float) -> ValueError:
    return ValueError(
        f"{where} is {value:g}; a gradient with values beyond {LARGEST_VALUE:g} overflows, so scale the column down."
    )


def refuse_before_conversion(X: Any, y: Any = (), *, sparse: bool = False) -> None:
    """Raise ValueError for what scikit-learn's validation converts silently or reports unclearly; `sparse` allows a
    sparse X."""
    for name, values in (("X", X), ("y", y)):
        if hasattr(values, "toarray") and not (sparse and name == "X"):
            raise ValueError(f"{name} is sparse; sparse data cannot be used, so give a dense array: {name}.toarray().")
        if np.ma.is_masked(values):
            raise ValueError(f"{name} has masked cells; fill them or leave out their rows first.")
        kind = getattr(getattr(values, "dtype", None), "kind", "")
        if kind == "c":
            raise ValueError(f"Complex data not supported: {name} holds complex numbers; give real numbers.")
        if kind in ("M", "m") and name == "X":
            raise ValueError("X holds dates or times; give them as numbers first.")
    for column, dtype in zip(getattr(X, "columns", ()), getattr(X, "dtypes", ()), strict=False):  # a table of pandas
        if getattr(dtype, "kind", "") in ("M", "m"):
            raise ValueError(f"X holds dates or times in column {column!r}; give them as numbers first.")
    refuse_parts(X)
    if X is None or (isinstance(X, str | bytes | dict | set) and not hasattr(X, "toarray")):
        raise ValueError(f"X is {type(X).__name__}; it must be a table of numbers, (n_samples, n_features).")


def refuse_parts(X: Any) -> None:
    """Raise ValueError for X in parts, where an array is needed."""
    if isinstance(X, FeaturesInParts):
        raise ValueError(
            "X is in parts, which only NeighborhoodComponentsAnalysis and NCAClassifier take; give an array instead."
        )


def check_size(name: str, X: Any) -> None:
    """ValueError for finite values so large that their squares leave the range of numbers; X is (n, n_features);
    of a sparse X the stored values count."""
    if isinstance(X, SparseRows):
        X = X.stored
    elif hasattr(X, "toarray"):
        X = X.data
    if X.size and max(-float(X.min()), float(X.max())) > LARGEST_VALUE:
        place = tuple(int(k) for k in np.argwhere(np.abs(X) > LARGEST_VALUE)[0])
        where = f"{name}[{', '.join(map(str, place))}]" if len(place) > 1 else f"A value of {name}"
        raise _too_large(where, X[place])


def _as_real(name: str, values: Any) -> np.ndarray:
    try:
        values = np.asarray(values)
        if values.dtype.kind == "c":
            raise TypeError
        return values.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        raise ValueError(f"{name} holds something that is not a real number.") from None


def check_codes(y: Any, n_samples: int) -> np.ndarray:
    """y as class codes, (n_samples,), negative for rows without a class; or one ValueError."""
    y = np.asarray(y)
    if y.shape != (n_samples,):
        raise ValueError(f"X has {n_samples} rows and y has shape {y.shape}; it must be one label for each row.")
    if y.dtype.kind not in "iub":
        raise ValueError(f"y holds {y.dtype} values; it must hold integer class codes.")
    return y if y.dtype.kind == "i" else y.astype(np.int64)


def check_targets(targets: Any, n_samples: int) -> np.ndarray:
    """Numeric targets as finite float64, (n_samples,), or one ValueError."""
    targets = _as_real("targets", targets)
    if targets.shape != (n_samples,):
        raise ValueError(f"X has {n_samples} rows and targets has shape {targets.shape}; it must be one for each row.")
    if (unlabelled := np.flatnonzero(targets == UNLABELLED)).size:
        raise ValueError(
            f"targets[{unlabelled[0]}] is UNLABELLED, which is for classes; leave out rows without a number."
        )
    bad = np.flatnonzero(~(np.abs(targets) <= _LARGEST_TARGET))
    if bad.size:
        raise ValueError(f"targets[{bad[0]}] is {targets[bad[0]]:g}; every target must be finite and below 1e150.")
    return targets


def check_initial(initial: Any, n_components: int, n_features: int) -> np.ndarray:
    """A start A as finite float64 (n_components, n_features), or one ValueError."""
    start = _as_real("initial", initial)
    if start.shape != (n_components, n_features) or not np.isfinite(start).all():
        raise ValueError(f"initial has shape {start.shape}; it must be {(n_components, n_features)} and finite.")
    check_size("initial", start)
    return start


def check_sample_weight(sample_weight: Any, n_samples: int) -> np.ndarray:
    """Finite weights of at least 0, not all 0, (n_samples,), or one ValueError."""
    weights = _as_real("sample_weight", sample_weight)
    if weights.shape != (n_samples,):
        raise ValueError(f"sample_weight has shape {weights.shape}; it must be ({n_samples},), one for each row.")
    # NaN fails both comparisons.
    bad = np.flatnonzero(~((weights >= 0) & (weights <= LARGEST_VALUE)))
    if bad.size:
        raise ValueError(
            f"sample_weight[{bad[0]}] is {weights[bad[0]]:g}; weights must be finite, at least 0 and at most "
            f"{LARGEST_VALUE:g}."
        )
    if weights.max() < _SMALLEST_WEIGHT:  # products with values of X would underflow
        raise ValueError(
            f"sample_weight is zero or below {_SMALLEST_WEIGHT:g} everywhere; it must be larger for some row."
        )
    return weights


def check_n_components(n_components: int, n_features: int) -> None:
    if not isinstance(n_components, Integral) or isinstance(n_components, bool) or not 1 <= n_components <= n_features:
        raise ValueError(f"n_components is {n_components!r}; it must be between 1 and n_features = {n_features}.")
