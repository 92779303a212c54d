"""VariableKernelClassifier: neighbours vote by a Gaussian of variable width, in a metric that is learnt for it."""

from contextlib import nullcontext
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin

from nca_core.compat import at_least, one_of, parameter_constraints
from nca_core.estimators.base import TrainedEstimator, codes_of
from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training import variable_kernel as kernel
from nca_core.training.problem import Recorder, climb


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
        K, cut to the number of other rows. The GVSM paper does not give its own; Lowe took 10.
    r : float or None
        The width of the kernel, in mean distances to the M nearest neighbours; None: learnt too, from 0.5 to 5.
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
        TrainedEstimator,
        metric=[one_of(kernel.METRICS)],
        n_neighbors=[at_least(Integral, 1)],
        r=[at_least(Real, 0, closed="neither"), None],
    )

    metric: str = field(default="full", kw_only=False)
    n_neighbors: int = 10
    r: float | None = None
    max_iter: int = 60

    def _train(self, X: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None, warm: bool) -> Trajectory:
        codes = codes_of(y)[1]
        rows = codes >= 0  # a row without a class has no say here
        if rows.sum() < 2:
            raise ValueError(f"y has labels in {rows.sum()} rows; at least 2 are needed.")
        X = X[rows]
        config = self._config(kernel.VariableKernelConfig, n_neighbours=int(self.n_neighbors))
        spread = kernel.spread_of(X)
        self._problem = kernel.KernelMetricProblem(
            Recorder(X, codes[rows], nullcontext, on_snapshot=self._on_iteration, keep_path=False),
            (X - X.mean(axis=0)) / spread,
            codes[rows],
            config,
            self.components_ * spread if warm else kernel.start_of(None, spread, self.metric),
            self.r_ if warm else 1.0,
            spread=spread,
            sample_weight=None if sample_weight is None else sample_weight[rows],
        )
        return climb(self._problem, config.max_iter, config.tol)

    def _store(self, last: Snapshot, X: np.ndarray, y: np.ndarray) -> None:
        self.components_: np.ndarray = np.array(last.transformation)
        self.r_: float = self._problem.learnt.r
        del self._problem
        self.error_: float = -last.objective
        self.classes_: np.ndarray
        self.classes_, codes = codes_of(y)
        labelled, self._codes = X[codes >= 0], codes[codes >= 0]
        self.n_neighbors_: int = min(int(self.n_neighbors), len(labelled))
        self._centre: np.ndarray = labelled.mean(axis=0)
        self._rows: np.ndarray = (labelled - self._centre) @ self.components_.T

    def _embed(self, rows: np.ndarray) -> Any:
        return super()._embed(rows - self._centre)

    def predict_proba(self, X: Any) -> np.ndarray:
        """p_i of each class of `classes_`, (n_queries, n_classes); rows sum to 1."""
        queries = self._project(X)
        neighbours = kernel.nearest(self._rows, self.n_neighbors_, queries)
        weights = kernel.votes(self._rows, neighbours, self.r_, queries).weights
        return kernel.class_shares(weights, self._codes[neighbours], len(self.classes_))

    def predict(self, X: Any) -> np.ndarray:
        """The class of the largest p_i, (n_queries,)."""
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[shares.argmax(axis=1)])
