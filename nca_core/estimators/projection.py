"""Projection: any entry of METHODS as a scikit-learn estimator."""

from collections.abc import Callable
from inspect import signature
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.multiclass import type_of_target

from nca_core.compat import at_least, one_of, parameter_constraints
from nca_core.estimators.base import TrainedEstimator, TrainedTransformer, codes_of
from nca_core.features.validation import UNLABELLED
from nca_core.methods import METHODS
from nca_core.methods.method import Method
from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training.train import slices_of


def _entry(estimator: "Projection") -> Method | None:
    return METHODS.get(estimator.method) if isinstance(estimator.method, str) else None


class Projection(TrainedTransformer):
    """A projection by any method of the registry METHODS.

    Parameters
    ----------
    method : str
        A key of METHODS: "pca", "lda", "nca", "rca", "mlkr", "tsne" and others.
    n_components : int
        d, dimensions of the projection.
    start : str or None
        A key of INITIALISATIONS from which a method that trains begins; None: the method's own.
    random_state : int, RandomState or None
        Seed of whatever is drawn.
    warm_start : bool
        A method that trains goes on from the projection of the last fit.
    tol, callback, verbose
        As in NeighborhoodComponentsAnalysis, for a method that trains.
    **settings
        Settings of the method, such as ``objective="g"`` of "nca"; `get_params` lists them with their defaults.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        A, of a method with a matrix.
    network_ : Network
        Of "neural_nca".
    embedding_ : ndarray of shape (n_samples, n_components)
        Places of the rows given to fit, of a method without a matrix.
    objective_ : float
        What a training maximised; NaN of a method that is solved.
    n_iter_ : int
        Iterations made, 1 of a method that is solved.
    ended_, reason_ : str
        How it ended, as in Trajectory; of a method that is solved the reason is its remark.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nca_core import Projection
    >>> X, y = load_iris(return_X_y=True)
    >>> Projection("lda", n_components=2).fit_transform(X, y).shape
    (150, 2)
    >>> rca = Projection("rca").fit(X, y)
    >>> rca.get_mahalanobis_matrix().shape
    (4, 4)
    >>> Projection("nca", objective="g").get_params()["objective"]
    'g'
    """

    def __init__(
        self,
        method: str = "nca",
        n_components: int = 2,
        *,
        start: str | None = None,
        tol: float = 1e-5,
        random_state: Any = None,
        warm_start: bool = False,
        callback: Callable[[np.ndarray, int], None] | None = None,
        verbose: int = 0,
        **settings: Any,
    ) -> None:
        self.method = method
        self.n_components = n_components
        self.start = start
        self.tol = tol
        self.random_state = random_state
        self.warm_start = warm_start
        self.callback = callback
        self.verbose = verbose
        self.__dict__.update(settings)

    _parameter_constraints = parameter_constraints(
        TrainedEstimator, method=[one_of(METHODS)], n_components=[at_least(Integral, 1)], start=[str, None]
    )
    del _parameter_constraints["objective"]  # a setting, of which a method may offer less

    def _set_settings(self) -> set[str]:
        own = {name for name in vars(self) if not name.startswith("_") and not name.endswith("_")}
        return own - signature(type(self).__init__).parameters.keys()

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters and settings by name."""
        named = super().get_params(deep)
        entry = _entry(self)
        defaults = {} if entry is None else entry.with_defaults({})
        return {**named, **defaults, **{name: getattr(self, name) for name in self._set_settings()}}

    def set_params(self, **params: Any) -> Self:
        """Set parameters and settings; a change of `method` drops settings that the new one does not have."""
        if "method" in params:
            self.method = params["method"]
            own = set() if (entry := _entry(self)) is None else {setting.key for setting in entry.settings}
            for name in self._set_settings() - own if entry else ():
                delattr(self, name)
        super().set_params(**params)
        return self

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from rows X, (n_samples, n_features), and labels y, (n_samples,), which some methods do without.

        Labels may be numbers for the methods that train on them (`takes_numbers` of the entry).
        """
        entry = _entry(self)
        if y is None and entry is not None and not entry.needs_labels:
            y = np.full(np.shape(X)[0], UNLABELLED)
        return super().fit(X, y, sample_weight)

    def _train(self, X: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None, warm: bool) -> Trajectory:
        method, seed, d = METHODS[self.method], self._seed(), int(self.n_components)
        settings = self._settings()
        numbers = method.takes_numbers and y.dtype.kind == "f" and type_of_target(y) == "continuous"
        if not numbers:
            settings.pop("target_similarity", None)
        codes = slices_of(y) if numbers else codes_of(y)[1]
        problem = method.problem(X, codes, d)
        if problem:
            raise ValueError(problem)
        if method.kind != "trained":
            assert method.fit is not None
            if sample_weight is not None:
                raise ValueError(f"{method.title} takes no sample_weight.")
            found = method.fit(X, codes, d, seed, **settings)
            A = np.empty((0, X.shape[1])) if found.transformation is None else found.transformation
            only = Snapshot(0, A, objective=np.nan, gradient_norm=np.nan, coordinates=found.embedding)
            return Trajectory((only,), "converged", found.note)
        assert method.train is not None
        start = method.starts[0] if self.start is None else self.start
        if start not in method.starts:
            raise ValueError(f"start is {start!r}; those of {self.method} are: {', '.join(method.starts)}.")
        return self._climb(
            method.train,
            X,
            codes,
            method.config(d, start, seed, {**settings, "tol": float(self.tol)}),
            sample_weight=sample_weight,
            initial=getattr(self, "network_", getattr(self, "components_", None)) if warm else None,
            targets=y if numbers else None,
        )

    def _settings(self) -> dict[str, Any]:
        domains = {setting.key: setting.domain for setting in METHODS[self.method].settings}
        for name in self._set_settings():
            value = getattr(self, name)
            if name not in domains:
                raise ValueError(f"{self.method} has no setting {name!r}; it has: {', '.join(domains) or 'none'}.")
            if not domains[name].accepts(value.item() if isinstance(value, np.generic) else value):
                allowed = domains[name].allowed
                raise ValueError(f"The '{name}' parameter of Projection must be {allowed}. Got {value!r} instead.")
        return {key: value for key, value in self.get_params(deep=False).items() if key in domains}

    def _store(self, last: Snapshot, X: Any, y: np.ndarray) -> None:
        for name in ("network_", "components_", "embedding_"):
            self.__dict__.pop(name, None)
        self._n_features_out = int(self.n_components)
        if last.network is not None:
            self.network_ = last.network
        elif last.coordinates is not None:
            self.embedding_ = last.coordinates
        else:
            self.components_ = np.array(last.transformation)

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> np.ndarray:
        """Fit, and project the same rows, (n_samples, n_components)."""
        self.fit(X, y, **fit_params)
        return self.embedding_ if hasattr(self, "embedding_") else self._project(X)

    def _embed(self, rows: np.ndarray) -> np.ndarray:
        if hasattr(self, "embedding_"):
            raise AttributeError(
                f"{METHODS[self.method].title} cannot project new rows; `embedding_` and `fit_transform` have "
                "the projection of the rows given to fit."
            )
        return self.network_.apply(rows) if hasattr(self, "network_") else rows @ self.components_.T

    def _matrix(self) -> np.ndarray:
        if not hasattr(self, "components_"):
            raise AttributeError(f"{METHODS[self.method].title} has no matrix.")
        return self.components_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        entry = _entry(self)
        tags.target_tags.required = entry is not None and entry.needs_labels
        return tags
