"""TrainedEstimator: the one `fit` of every estimator. TrainedTransformer: with `transform` and names of its columns.

The sentences about features, labels and starts that cannot be used are scikit-learn's."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import partial
from numbers import Integral, Real
from typing import Any, Self, TypeVar, cast
from warnings import catch_warnings, filterwarnings, warn

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.neighbors import NeighborhoodComponentsAnalysis as ScikitLearnNCA
from sklearn.utils import Tags, check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, validate_data

import nca_core
from nca_core.compat import at_least, check_parameters, one_of, parameter_constraints
from nca_core.features import validation
from nca_core.features.rows import SparseRows
from nca_core.neighbours.similarity import Similarity
from nca_core.objectives import OBJECTIVES
from nca_core.parts.dask_chunks import is_dask
from nca_core.parts.features_in_parts import FeaturesInParts, features_of
from nca_core.parts.sources import classes_of, members_of, slices_of_rows
from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training.config import TrainingConfig
from nca_core.training.train import Supervision, check_supervision, slices_of

Config = TypeVar("Config", bound=TrainingConfig)


def codes_of(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(classes, rising; the place of each label among them, (n_samples,), below 0 where y is UNLABELLED).

    ValueError for labels that are no classes, or are of several types.
    """
    try:
        for block in slices_of_rows(0, len(y)):
            check_classification_targets(y[block])
        return _codes_of(y)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in y})
        raise ValueError(f"y mixes {', '.join(kinds)}; give all labels as text, or all as numbers.") from None


def _codes_of(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    classes = classes_of(y)[0]
    # Gaps filled with UNLABELLED make a column of pandas float, which holds the number exactly.
    classes = classes[classes != validation.UNLABELLED] if y.dtype.kind in "if" else classes
    return classes, members_of(y, classes)


def supervision_of(y: np.ndarray, target_similarity: str | np.ndarray | Similarity | None) -> Supervision:
    """Labels or numbers as the engine takes them; `target_similarity` as for NeighborhoodComponentsAnalysis."""
    if target_similarity is None:
        return check_supervision(codes_of(y)[1], len(y), None)
    if isinstance(target_similarity, np.ndarray):  # y only says what classes a start is to see
        if y.dtype.kind == "f" and type_of_target(y) == "continuous":
            codes, known = np.full(len(y), -1), y != validation.UNLABELLED
            codes[known] = slices_of(y[known])
        else:
            codes = _codes_of(y)[1]
        return check_supervision(codes, len(y), target_similarity)
    labels = check_supervision(y, len(y), target_similarity)
    return replace(labels, codes=labels.start_codes)


def check_init(init: str | np.ndarray, n_components: int | None, n_features: int) -> str | np.ndarray:
    """The start as given; shapes that do not fit get scikit-learn's own sentences.

    n_components: d, or None for all features.
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
    validation.check_size("init", start)
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


@dataclass(eq=False, repr=False, kw_only=True)
class TrainedEstimator(BaseEstimator):
    """A subclass implements `_train`, and `_store`, which sets the fitted attributes."""

    _takes_parts = False  # sparse X and X in parts too
    _observers = cast("tuple[Callable[[Snapshot], None], ...]", ())
    random_state = cast(Any, None)
    keep_path = False
    _parameter_constraints = parameter_constraints(
        ScikitLearnNCA,
        objective=[one_of(OBJECTIVES)],
        regularisation=[at_least(Real, 0)],
        keep_path=["boolean"],
    )

    tol: float = 1e-5
    warm_start: bool = False
    callback: Callable[[np.ndarray, int], None] | None = None
    verbose: int = 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from labelled rows.

        Ctrl-C ends a training; the best iterate so far is kept, `n_iter_` is its number, and the KeyboardInterrupt goes
        on.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.
        y : array-like of shape (n_samples,)
            Class labels, negative ones too; UNLABELLED of `nca_core` for a row without a class.
        sample_weight : array-like of shape (n_samples,) or None
            ω_i ≥ 0 of each row's own term of the objective. A row of weight 0 stays a neighbour to the others.

        Returns
        -------
        self
            The fitted estimator.

        Raises
        ------
        ValueError
            For parameters or data that cannot be trained on.
        """
        check_parameters(self)
        before = getattr(self, "n_features_in_", None)
        X, y = self._labelled_features(X, y, reset=True)
        if sample_weight is not None:
            sample_weight = validation.check_sample_weight(sample_weight, len(X))
        warm = self.warm_start and hasattr(self, "objective_")
        if warm and before != X.shape[1]:
            self.n_features_in_ = before
            raise ValueError(
                f"The new inputs dimensionality ({X.shape[1]}) does not match the input dimensionality of the "
                f"previously learned transformation ({before})."
            )
        began, name = time.perf_counter(), type(self).__name__
        self._iterations = 0
        self._best: Snapshot | None = None
        self._path: list[Snapshot] = []
        try:
            end = self._train(X, y, sample_weight, warm)
            self._finish(end, X, y)
        except KeyboardInterrupt:
            if self._best is not None:
                best = Trajectory((self._best,), "stopped", "Interrupted; the best iterate so far is kept.")
                self._iterations = self._best.iteration
                self._finish(best, X, y)
            raise
        finally:
            del self._best, self._path
        warning = self._warning(end)
        if warning and not (warm and end.ended == "cannot_move"):  # to stay at the last fit is no news
            warn(f"[{name}] {warning}", ConvergenceWarning, stacklevel=2)
        if self.verbose:
            print(f"[{name}] Training took {time.perf_counter() - began:8.2f}s.")
        return self

    def _labelled_features(self, X: Any, y: Any, *, reset: bool) -> tuple[Any, np.ndarray]:
        """X, (n_samples, n_features), as the engine takes it, and y, (n_samples,); n_features_in_ and feature_names_in_
        are set (`reset`) or held to.

        Raises ValueError with scikit-learn's texts, or one that names the part, for what cannot be used.
        """
        X, y, parts = features_of(X), y.compute() if is_dask(y) else y, self._takes_parts
        if parts and isinstance(X, FeaturesInParts):
            validation.refuse_before_conversion((), y)
            with catch_warnings():
                filterwarnings("ignore", "X does not have valid feature names")  # those of the parts are checked below
                y = validate_data(self, X="no_validation", y=y, reset=reset)  # drops those of an earlier fit if `reset`
            check_consistent_length(X, y)
            return self._features_in_parts(X, reset=reset), y
        validation.refuse_before_conversion(X, y, sparse=parts)
        accepted = "csr" if parts else False
        X, y = validate_data(self, X, y, reset=reset, ensure_min_samples=2, accept_sparse=accepted)
        single = parts and getattr(self, "dtype", "") == X.dtype == "float32"
        X = SparseRows(X) if issparse(X) else X if single else np.asarray(X, dtype=np.float64)
        validation.check_size("X", X)
        return X, y

    def _features_in_parts(self, X: FeaturesInParts, *, reset: bool) -> FeaturesInParts:
        """Validate the cells of X, and set or check n_features_in_ and feature_names_in_."""
        names = None if X.source.columns is None else np.array(X.source.columns, dtype=object)
        if reset:
            self.n_features_in_ = X.shape[1]
            if names is not None:
                self.feature_names_in_ = names
            return validation.check_features(X)
        self._check_width(X)
        if names is not None and not np.array_equal(names, getattr(self, "feature_names_in_", names)):
            raise ValueError("The feature names should match those that were passed during fit, in the same order.")
        return validation.check_features(X)

    def _check_width(self, X: Any) -> None:
        if X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features "
                "as input."
            )

    def _train(self, X: Any, y: np.ndarray, sample_weight: np.ndarray | None, warm: bool) -> Trajectory:
        """Train, calling `_on_iteration` at each snapshot; `warm`: from what the last fit learnt."""
        raise NotImplementedError

    def _config(self, kind: type[Config], **more: Any) -> Config:
        """A config from the parameters that are named as its fields, and `more`."""
        own = self.get_params(deep=False)
        values = {field.name: own[field.name] for field in fields(kind) if field.name in own} | more
        return kind(**{key: value.item() if isinstance(value, np.generic) else value for key, value in values.items()})

    def _climb(self, train: Callable[..., Trajectory], *of: Any, n_before: int = 0, **options: Any) -> Trajectory:
        """train(X, y, config), calling `_on_iteration` at each snapshot; only the first and the last are returned."""
        on_snapshot = partial(self._on_iteration, n_before=n_before)
        return train(*of, on_snapshot, measure_accuracy=False, keep_path=False, **options)

    def _store(self, last: Snapshot, X: Any, y: np.ndarray) -> None:
        raise NotImplementedError

    def _finish(self, end: Trajectory, X: Any, y: np.ndarray) -> None:
        last = end.snapshots[-1]
        self.objective_: float = last.objective
        self.n_iter_: int = max(1, self._iterations)  # scikit-learn's checks want at least one
        self.ended_: str = end.ended
        self.reason_: str = end.reason
        if self.keep_path:
            self.path_: tuple[Snapshot, ...] = tuple(self._path)
        self._store(last, X, y)

    def _warning(self, end: Trajectory) -> str:
        """What to warn of; usually empty."""
        return end.reason if end.ended in ("max_iter", "cannot_move") else ""

    def _on_iteration(self, snapshot: Snapshot, n_before: int = 0) -> None:
        """Print and pass on an iteration; `n_before` came before the first of this climb."""
        number, name = snapshot.iteration + n_before, type(self).__name__
        first = self._best is None
        if self.verbose:
            if first:
                header = f"{'Iteration':>10} {'Objective Value':>20} {'Time(s)':>10}"  # scikit-learn's columns
                print(f"[{name}]\n[{name}] {header}\n[{name}] {'-' * len(header)}")
            print(f"[{name}] {number:>10} {snapshot.objective:>20.6e} {snapshot.seconds:>10.2f}", flush=True)
        counted, best = replace(snapshot, iteration=number), self._best
        # An estimate, which may be too high, never beats an exact value.
        if best is None or (counted.sampled is None, counted.objective) >= (best.sampled is None, best.objective):
            self._best = counted
        if snapshot.iteration > 0 or first:  # the start of a second climb is no iteration
            if self.keep_path:
                self._path.append(counted)
            for observe in self._observers:
                observe(counted)
        if snapshot.iteration == 0:
            return
        self._iterations = number
        if self.callback is not None:
            self.callback(snapshot.transformation.ravel(), number)

    @contextmanager
    def observed_by(self, observer: Callable[[Snapshot], None]) -> Iterator[Self]:
        """Call `observer` with each Snapshot of a fit within the context, from iteration 0, the start."""
        self._observers = (observer,)
        try:
            yield self
        finally:
            del self._observers

    def _seed(self) -> int:
        if isinstance(self.random_state, Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _project(self, X: Any) -> np.ndarray:
        """Project new rows, (n_queries, n_components)."""
        check_is_fitted(self)
        X, parts = features_of(X), self._takes_parts
        if parts and isinstance(X, FeaturesInParts):
            return np.asarray(self._embed(self._features_in_parts(X, reset=False)))
        validation.refuse_before_conversion(X, sparse=parts)
        X = validate_data(self, X, reset=False, accept_sparse="csr" if parts else False)
        validation.check_size("X", X)
        return np.asarray(self._embed(X))

    def _embed(self, rows: Any) -> Any:
        return rows @ self._matrix().T

    def _matrix(self) -> np.ndarray:
        return self.components_

    def get_mahalanobis_matrix(self) -> np.ndarray:
        """Q = AᵀA, (n_features, n_features), of the learnt distance: (x − z)ᵀ Q (x − z) = ‖A x − A z‖²."""
        check_is_fitted(self)
        A = self._matrix()
        return np.asarray(A.T @ A)

    def pair_distance(self, pairs: Any) -> np.ndarray:
        """Learnt distances ‖A x − A z‖, (n_pairs,), of pairs (x, z), (n_pairs, 2, n_features)."""
        pairs = np.asarray(pairs)
        if pairs.ndim != 3 or pairs.shape[1] != 2:
            raise ValueError(f"pairs has shape {pairs.shape}; it must be (n_pairs, 2, n_features).")
        return np.asarray(np.linalg.norm(self._project(pairs[:, 0]) - self._project(pairs[:, 1]), axis=1))

    def pair_score(self, pairs: Any) -> np.ndarray:
        """Similarity of pairs, −`pair_distance`, (n_pairs,)."""
        return -self.pair_distance(pairs)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_version": nca_core.__version__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        saved = state.pop("_version", "an older version")
        if saved != nca_core.__version__:
            warn(
                f"{type(self).__name__} was saved by nca_core {saved}, and this is {nca_core.__version__}; "
                "results may differ, so fit it again where they matter.",
                stacklevel=2,
            )
        super().__setstate__(state)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = self._takes_parts
        return tags


class TrainedTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, TrainedEstimator):
    def transform(self, X: Any) -> np.ndarray:
        """Project rows X, (n_queries, n_components)."""
        return self._project(X)
