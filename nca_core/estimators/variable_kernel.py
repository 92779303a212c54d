"""VariableKernelClassifier: neighbours vote by a Gaussian of variable width, in a metric that is learnt for it."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from nca_core.estimators.checks import codes_of, labelled_rows, new_rows
from nca_core.training.variable_kernel import (
    Learner,
    Learnt,
    VariableKernelConfig,
    class_shares,
    nearest,
    spread_of,
    start_of,
    votes,
)


class VariableKernelClassifier(ClassifierMixin, BaseEstimator):
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

    Attributes
    ----------
    components_ : ndarray of shape (n_features, n_features)
        L.
    r_ : float
        The width in use.
    error_ : float
        E = Σ_t Σ_i (s_ti − p_ti)² of the training rows, leave one out.
    n_neighbors_ : int
        The K in use.
    classes_ : ndarray
        The labels, sorted.
    n_iter_ : int
        Times that the neighbours were found anew.

    References
    ----------
    Naudé, van Wyk, van Wyk: Generalized variable-kernel similarity metric learning, SSPR 2004.
    """

    def __init__(
        self,
        metric: str = "full",
        *,
        n_neighbors: int = 10,
        r: float | None = None,
        max_iter: int = 60,
        tol: float = 1e-5,
    ) -> None:
        self.metric = metric
        self.n_neighbors = n_neighbors
        self.r = r
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: Any, y: Any) -> VariableKernelClassifier:
        """Learn L and r from X, (n_samples, n_features), and class labels y, (n_samples,).

        Raises
        ------
        ValueError
            For parameters or data that cannot be trained on.
        """
        X, y = labelled_rows(self, X, y)
        if not isinstance(self.n_neighbors, Integral) or self.n_neighbors < 1:
            raise ValueError(f"n_neighbors is {self.n_neighbors!r}; it must be a whole number of at least 1.")
        config = VariableKernelConfig(
            n_components=1,
            metric=self.metric,
            n_neighbours=int(self.n_neighbors),
            r=self.r,
            max_iter=self.max_iter,
            tol=self.tol,
        )
        config.check(X.shape[1])
        self.classes_: np.ndarray
        self._codes: np.ndarray
        self.classes_, codes = codes_of(y)
        X, self._codes = X[codes >= 0], codes[codes >= 0]  # a row without a class has no say here
        if len(X) < 2:
            raise ValueError(f"y has labels in {len(X)} rows; at least 2 are needed.")
        self._centre: np.ndarray = X.mean(axis=0)
        spread = spread_of(X)
        learner = Learner((X - self._centre) / spread, self._codes, config)
        at: Learnt = learner.at(start_of(None, X.shape[1], spread, self.metric), self.r or 1.0)
        path = [at]
        learner.climb(at, self.max_iter, path.append)
        at = path[-1]
        self.n_iter_ = max(1, len(path) - 1)
        self.components_: np.ndarray = at.L / spread
        self.r_: float = at.r
        self.error_: float = at.error
        self.n_neighbors_: int = min(int(self.n_neighbors), len(X))
        self._rows: np.ndarray = (X - self._centre) @ self.components_.T
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """p_i of each class of classes_, (n_queries, n_classes); rows sum to 1."""
        X = new_rows(self, X)
        queries = (X - self._centre) @ self.components_.T
        neighbours = nearest(self._rows, self.n_neighbors_, queries)
        weights = votes(self._rows, neighbours, self.r_, queries).weights
        return class_shares(weights, self._codes[neighbours], len(self.classes_))

    def predict(self, X: Any) -> np.ndarray:
        """The class of the largest p_i, (n_queries,)."""
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[shares.argmax(axis=1)])
