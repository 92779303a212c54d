"""The names of scikit-learn and numba that their documentation does not promise; each is tested as installed."""

from typing import Any

# Without the next four, errors about parameters would be in other words than scikit-learn's.


def parameter_constraints(estimator: Any, **more: list[Any]) -> dict[str, list[Any]]:
    """What each parameter of a scikit-learn class may be, with further ones."""
    return {**estimator._parameter_constraints, **more}


def one_of(names: Any) -> Any:
    """The constraint of a text that is one of several."""
    from sklearn.utils._param_validation import StrOptions

    return StrOptions(set(names))


def at_least(kind: type, least: float, closed: str = "left") -> Any:
    """The constraint of a number that is no smaller; with `closed` "neither", of one that is larger."""
    from sklearn.utils._param_validation import Interval

    return Interval(kind, least, None, closed=closed)


def check_parameters(estimator: Any) -> None:
    """Raise scikit-learn's error for a parameter that its constraints exclude; True and False are no numbers."""
    for name, value in estimator.get_params(deep=False).items():
        constraints = estimator._parameter_constraints.get(name, ())
        if isinstance(value, bool) and not {"boolean", "verbose"} & {c for c in constraints if isinstance(c, str)}:
            raise ValueError(f"The {name!r} parameter of {type(estimator).__name__} must not be {value}.")
    estimator._validate_params()


def scikit_learns_start(X: Any, y: Any, n_components: int, init: str, random_state: Any, verbose: int) -> Any:
    """A of iteration 0, (n_components, n_features), of scikit-learn's NeighborhoodComponentsAnalysis."""
    from sklearn.neighbors import NeighborhoodComponentsAnalysis

    theirs = NeighborhoodComponentsAnalysis(n_components, verbose=verbose)
    theirs.random_state_ = random_state
    return theirs._initialize(X, y, init)


def loop_options(called_by_python: bool, **options: Any) -> dict[str, Any]:
    """Options of `njit` that leave out unused wrappers; without, compiling takes a tenth longer."""
    return {**options, "no_cfunc_wrapper": True, "no_cpython_wrapper": not called_by_python}


def prefer_wide_vectors(function: Any) -> None:
    """Let LLVM use vectors of 512 bits where there are; without, loops take up to twice as long on such processors."""
    # llvmlite's own `add` takes only attributes that it knows.
    set.add(function.attributes, '"prefer-vector-width"="512"')
