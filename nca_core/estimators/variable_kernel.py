"""VariableKernelClassifier: neighbours vote by a Gaussian of variable width, in a metric that is learnt for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.neighbors import NeighborhoodComponentsAnalysis as ScikitLearnNCA
from sklearn.utils.validation import check_is_fitted

from nca_core.compat import above, at_least, one_of, parameter_constraints
from nca_core.estimators.base import TrainedEstimator, codes_of, new_features
from nca_core.optimisers import OptimiserResult
from nca_core.snapshot import Snapshot, Trajectory, append_to
from nca_core.training.variable_kernel import (
    METRICS,
    Learner,
    Learnt,
    VariableKernelConfig,
    class_shares,
    nearest,
    spread_of,
    start_of,
    votes,
)


@dataclass(eq=False, repr=False, kw_only=True)
class VariableKernelClassifier(ClassifierMixin, TrainedEstimator):
    """K nearest neighbours with a Gaussian kernel of variable width: VSM (Lowe 1995) and GVSM (Naudé et al. 2004).

    p_i = Σ_k n_k s_ki / Σ_k n_k over the K nearest, n_k = exp(−d_k² / 2σ²), σ = (r/M) Σ_{m≤M} d_m with M = K/2.

    Parameters
    ----------
    metric : str
        "none": the Euclidean distance; "diagonal" (VSM): a weight for each feature; "full" (GVSM): d² = ‖L (x − c)‖²,
        L upper triangular. Learnt by lowering the squared error of p, leave one out.
    n_neighbors : int
        K, cut to the number of other rows. The GVSM paper does not say its own; Lowe took 10.
    r : float or None
        The width of the kernel, in mean distances to the M nearest neighbours; None: learnt too.
    max_iter : int
        Most times that the neighbours are found anew.
    tol : float
        Smaller means longer.
    warm_start, callback, verbose
        As in NeighborhoodComponentsAnalysis; the callback gets L.

    Attributes
    ----------
    components_ : ndarray of shape (n_features, n_features)
        L.
    r_ : float
        The width in use.
    error_, objective_ : float
        E = Σ_t ω_t Σ_i (s_ti − p_ti)² of the training rows, leave one out, ω_t their weights; and −E.
    n_neighbors_ : int
        The K in use.
    classes_ : ndarray
        The labels, sorted.
    n_iter_ : int
        Times that the neighbours were found anew.
    ended_, reason_ : str
        How the training ended, as in Trajectory.

    References
    ----------
    Naudé, van Wyk, van Wyk: Generalized variable-kernel similarity metric learning, SSPR 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nca_core import VariableKernelClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> classifier = VariableKernelClassifier("diagonal").fit(X[::2], y[::2])
    >>> classifier.predict(X[[1, 51, 101]])
    array([0, 1, 2])
    >>> round(classifier.score(X[1::2], y[1::2]), 2)
    0.96
    """

    _parameter_constraints = parameter_constraints(
        ScikitLearnNCA,
        metric=[one_of(METRICS)],
        n_neighbors=[at_least(Integral, 1)],
        r=[above(0), None],
    )

    metric: str = field(default="full", kw_only=False)
    n_neighbors: int = 10
    r: float | None = None
    max_iter: int = 60
    tol: float = 1e-5
    warm_start: bool = False
    callback: Callable[[np.ndarray, int], None] | None = None
    verbose: int = 0

    def _train(self, X: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None, warm: bool) -> Trajectory:
        codes = codes_of(y)[1]
        rows = codes >= 0  # a row without a class has no say here
        if rows.sum() < 2:
            raise ValueError(f"y has labels in {rows.sum()} rows; at least 2 are needed.")
        X, weights = X[rows], None if sample_weight is None else sample_weight[rows]
        spread = spread_of(X)
        config = VariableKernelConfig(
            metric=self.metric, n_neighbours=int(self.n_neighbors), r=self.r, tol=float(self.tol)
        )
        learner = Learner((X - X.mean(axis=0)) / spread, codes[rows], config, weights)
        start = self.components_ * spread if warm else start_of(None, X.shape[1], spread, self.metric)
        path: list[Snapshot] = []
        began = time.perf_counter()

        def on_step(at: Learnt) -> None:
            self._learnt, seconds = at, time.perf_counter() - began  # each lowers the error
            number = path[-1].iteration + 1 if path else 0
            last = Snapshot(number, at.L / spread, objective=-at.error, gradient_norm=np.nan, seconds=seconds)
            append_to(path, last, keep_path=False)
            self._heard(last)

        try:
            on_step(learner.at(start, self.r or (self.r_ if warm else 1.0)))
            end = learner.climb(self._learnt, int(self.max_iter), on_step)
        except StopIteration:
            end = OptimiserResult("stopped", "Stopped.")
        return Trajectory(tuple(path), end.ended, end.reason)

    def _keep(self, last: Snapshot, X: np.ndarray, y: np.ndarray) -> None:
        self.components_: np.ndarray = last.transformation
        self.r_: float = self._learnt.r
        del self._learnt
        self.error_: float = -last.objective
        self.classes_: np.ndarray
        self.classes_, codes = codes_of(y)
        labelled, self._codes = X[codes >= 0], codes[codes >= 0]
        self.n_neighbors_: int = min(int(self.n_neighbors), len(labelled))
        self._centre: np.ndarray = labelled.mean(axis=0)
        self._rows: np.ndarray = (labelled - self._centre) @ self.components_.T

    def _project(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return np.asarray((new_features(self, X, parts=False) - self._centre) @ self.components_.T)

    def predict_proba(self, X: Any) -> np.ndarray:
        """p_i of each class of `classes_`, (n_queries, n_classes); rows sum to 1."""
        queries = self._project(X)
        neighbours = nearest(self._rows, self.n_neighbors_, queries)
        weights = votes(self._rows, neighbours, self.r_, queries).weights
        return class_shares(weights, self._codes[neighbours], len(self.classes_))

    def predict(self, X: Any) -> np.ndarray:
        """The class of the largest p_i, (n_queries,)."""
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[shares.argmax(axis=1)])
