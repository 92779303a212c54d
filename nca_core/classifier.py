"""NCAClassifier: an NCA projection and the nearest-neighbour rule on it, as one scikit-learn classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from nca_core.estimator import NeighborhoodComponentsAnalysis
from nca_core.evaluation import class_probabilities, nearest_neighbours, vote
from nca_core.validation import check_choice

_RULES = ("neighbours", "stochastic")


class NCAClassifier(ClassifierMixin, BaseEstimator):
    """K nearest neighbours on Y = X Aᵀ, with A and K both learnt by NCA (Goldberger et al. 2004, sections 2 and 6).

    `predict` lets the K nearest training points vote, K = round(K̂) unless given; `predict_proba` is the stochastic
    rule P(c | x) = Σ_{j: c_j = c} p_xj, p_xj ∝ exp(−‖A x − A x_j‖²), over all training points. The two rules may
    differ near a border between classes; with rule="stochastic" `predict` follows the probabilities.

    Parameters:
        n_components: d, rows of A; None keeps all features.
        n_neighbors: K; None takes round(K̂).
        rule: "neighbours" or "stochastic", what `predict` follows.
        init, max_iter, tol, random_state, objective, optimiser, regularisation, scale_start: as in
            NeighborhoodComponentsAnalysis.

    Attributes:
        components_: A, (n_components, n_features).
        embedding_: Y of the training points, (n_samples, n_components); X itself is not kept.
        classes_: the labels, sorted.
        k_estimate_: K̂ = exp(mean entropy).
        n_neighbors_: the K that votes.
    """

    def __init__(
        self,
        n_components: int | None = 2,
        *,
        n_neighbors: int | None = None,
        rule: str = "neighbours",
        init: str | np.ndarray = "auto",
        max_iter: int = 50,
        tol: float = 1e-5,
        random_state: Any = None,
        objective: str = "f",
        optimiser: str = "l-bfgs",
        regularisation: float = 0.0,
        scale_start: bool = True,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.rule = rule
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.objective = objective
        self.optimiser = optimiser
        self.regularisation = regularisation
        self.scale_start = scale_start

    def fit(self, X: Any, y: Any) -> NCAClassifier:
        """Learn A and K from X, (n_samples, n_features), and class labels y, (n_samples,)."""
        X, y = validate_data(self, X, y, ensure_min_samples=2, dtype=np.float64)
        check_classification_targets(y)
        if self.n_neighbors is not None and self.n_neighbors < 1:
            raise ValueError(f"n_neighbors is {self.n_neighbors}; it must be at least 1, or None for round(K̂).")
        check_choice("rule", self.rule, _RULES)
        nca = NeighborhoodComponentsAnalysis(
            None if self.n_components is None else min(self.n_components, X.shape[1]),
            init=self.init,
            max_iter=self.max_iter,
            tol=self.tol,
            random_state=self.random_state,
            objective=self.objective,
            optimiser=self.optimiser,
            regularisation=self.regularisation,
            scale_start=self.scale_start,
        ).fit(X, y)
        self.classes_, self._codes = np.unique(y, return_inverse=True)
        self.components_ = nca.components_
        self.n_iter_ = nca.n_iter_
        self._centre = X.mean(axis=0)
        self.embedding_ = (X - self._centre) @ self.components_.T
        self.k_estimate_ = nca.k_estimate_
        wanted = round(self.k_estimate_) if self.n_neighbors is None else int(self.n_neighbors)
        self.n_neighbors_ = min(max(1, wanted), len(X))
        return self

    def _projected(self, X: Any) -> np.ndarray:
        return (validate_data(self, X, reset=False, dtype=np.float64) - self._centre) @ self.components_.T

    def predict(self, X: Any) -> np.ndarray:
        """The class that most of the K nearest training points have, (n_queries,); of tied ones the nearer.

        With rule="stochastic" the class of the largest probability.
        """
        check_is_fitted(self)
        if self.rule == "stochastic":
            return self.classes_[self.predict_proba(X).argmax(axis=1)]
        Y = self._projected(X)
        codes = self._codes[nearest_neighbours(self.embedding_, Y, self.n_neighbors_)]
        return self.classes_[vote(codes, len(self.classes_))]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Σ_{j: c_j = c} p_xj for each class c of classes_, (n_queries, n_classes); rows sum to 1."""
        check_is_fitted(self)
        return class_probabilities(self.embedding_, self._codes, self._projected(X), len(self.classes_))
