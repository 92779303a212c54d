"""TrainedEstimator: the one `fit` of every estimator. TrainedTransformer: with `transform` and names of its columns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from numbers import Integral
from typing import Any, Self
from warnings import warn

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted

import nca_core
from nca_core.compat import check_parameters
from nca_core.estimators.checks import labelled_features, new_features
from nca_core.features.validation import check_sample_weight
from nca_core.snapshot import Snapshot, Trajectory


class TrainedEstimator(BaseEstimator):
    """A subclass gives `_train`, which trains, and `_keep`, which keeps what was learnt."""

    _takes_parts = False  # sparse X and X in parts too
    random_state: Any = None
    warm_start: bool
    callback: Any
    verbose: int
    keep_path = False
    _observer: Callable[[Snapshot], None] | None = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from labelled rows.

        Ctrl-C ends a training; the best iterate so far is kept, and the KeyboardInterrupt goes on.

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
        X, y = labelled_features(self, X, y, parts=self._takes_parts)
        if sample_weight is not None:
            sample_weight = check_sample_weight(sample_weight, len(X))
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
                self._finish(best, X, y)
            raise
        finally:
            del self._best, self._path
        if self._warns(end) and not (warm and end.ended == "cannot_move"):  # to stay at the last fit is no news
            warn(f"[{name}] {self._warning(end)}", ConvergenceWarning, stacklevel=2)
        if self.verbose:
            print(f"[{name}] Training took {time.perf_counter() - began:8.2f}s.")
        return self

    def _train(self, X: Any, y: np.ndarray, sample_weight: np.ndarray | None, warm: bool) -> Trajectory:
        """Train, with `_heard` called at each snapshot; `warm`: from what the last fit learnt."""
        raise NotImplementedError

    def _keep(self, last: Snapshot, X: Any, y: np.ndarray) -> None:
        raise NotImplementedError

    def _finish(self, end: Trajectory, X: Any, y: np.ndarray) -> None:
        last = end.snapshots[-1]
        self.objective_: float = last.objective
        self.n_iter_: int = max(1, self._iterations)  # scikit-learn's checks want at least one
        self.ended_: str = end.ended
        self.reason_: str = end.reason
        if self.keep_path:
            self.path_: tuple[Snapshot, ...] = tuple(self._path)
        self._keep(last, X, y)

    def _warns(self, end: Trajectory) -> bool:
        """Whether the end of the training is worth a warning."""
        return end.ended in ("max_iter", "cannot_move")

    def _warning(self, end: Trajectory) -> str:
        return end.reason

    def _heard(self, snapshot: Snapshot, made: int = 0) -> None:
        """Print and pass on an iteration; `made` were made before the first of this climb."""
        number, name = snapshot.iteration + made, type(self).__name__
        first = self._best is None
        if self.verbose:
            if first:
                header = f"{'Iteration':>10} {'Objective Value':>20} {'Time(s)':>10}"  # scikit-learn's columns
                print(f"[{name}]\n[{name}] {header}\n[{name}] {'-' * len(header)}")
            print(f"[{name}] {number:>10} {snapshot.objective:>20.6e} {snapshot.seconds:>10.2f}", flush=True)
        if self._best is None or snapshot.objective >= self._best.objective:
            self._best = snapshot
        if snapshot.iteration > 0 or first:  # the start of a second climb is no iteration
            counted = replace(snapshot, iteration=number)
            if self.keep_path:
                self._path.append(counted)
            if self._observer is not None:
                self._observer(counted)
        if snapshot.iteration == 0:
            return
        self._iterations = number
        if self.callback is not None:
            self.callback(snapshot.transformation.ravel(), number)

    @contextmanager
    def observed_by(self, observer: Callable[[Snapshot], None]) -> Iterator[Self]:
        """Call `observer` with each Snapshot of a fit within the context, from iteration 0, the start."""
        self._observer = observer
        try:
            yield self
        finally:
            del self._observer

    def _seed(self) -> int:
        """`random_state` as the seed of the engine."""
        if isinstance(self.random_state, Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _project(self, X: Any) -> np.ndarray:
        """Places of new rows, (n_queries, n_components)."""
        check_is_fitted(self)
        return np.asarray(new_features(self, X, parts=self._takes_parts) @ self._matrix().T)

    def _matrix(self) -> np.ndarray:
        components: np.ndarray = self.components_
        return components

    def get_mahalanobis_matrix(self) -> np.ndarray:
        """Q = AᵀA, (n_features, n_features), of the distance that was learnt: (x − z)ᵀ Q (x − z) = ‖A x − A z‖²."""
        check_is_fitted(self)
        A = self._matrix()
        return np.asarray(A.T @ A)

    def pair_distance(self, pairs: Any) -> np.ndarray:
        """Distances that were learnt, ‖A x − A z‖, (n_pairs,), of pairs (x, z), (n_pairs, 2, n_features)."""
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
    """An estimator that projects new rows."""

    def transform(self, X: Any) -> np.ndarray:
        """Places of rows X, (n_queries, n_components)."""
        return self._project(X)
