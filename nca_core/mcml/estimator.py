"""MCML: maximally collapsing metric learning as a scikit-learn estimator."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any
from warnings import warn

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from nca_core.estimator_checks import codes_of, labelled_rows, new_rows
from nca_core.kernel_features import KERNELS, fit_kernel_features
from nca_core.mcml.train import train_mcml
from nca_core.training import TrainingConfig, train
from nca_core.truncation import truncated
from nca_core.validation import check_choice, check_sample_weight


class MCML(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Maximally Collapsing Metric Learning.

    Finds the metric Q ⪰ 0 that minimises Σ_i KL[p⁰(·|i) ‖ p_Q(·|i)] + λ s tr Q, where p⁰ spreads a point's
    probability over the other members of its class and s is the mean variance of a feature. `transform` gives A x with
    AᵀA = Q, or its leading axes.

    Parameters
    ----------
    n_components : int or None
        d, rows of A; None keeps all features.
    rank : str
        "full": the convex problem over all Q, then eigen-truncation to d rows. "low": A of d rows is itself looked
        for, from LDA; linear in n, and with local optima.
    kernel : str or None
        A key of KERNELS ("rbf", "polynomial", "linear"): learn in features of the rows' similarities; None in X.
    regularisation : float
        λ ≥ 0. With rank "full" it is multiplied by s, so that it means the same in every unit.
    max_iter : int
        Most iterations.
    tol : float
        With rank "full" and λ > 0 the training ends where the duality gap is below 100 tol of the loss.
    random_state : int
        Seed of the draw of landmarks, of more than 300 rows with a kernel.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        A; of kernel features where there is a kernel.
    spectrum_ : ndarray of shape (n_features,)
        Eigenvalues of Q, the greatest first.
    objective_ : float
        Σ_i Σ_j p⁰(j|i) log p_Q(j|i) less the penalty, which was maximised.
    n_iter_ : int
        Iterations made.
    ended_, reason_ : str
        How the training ended, with the certificate of the optimum; as in Trajectory.

    References
    ----------
    Globerson, Roweis: Metric learning by collapsing classes, NIPS 2005.
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        rank: str = "full",
        kernel: str | None = None,
        regularisation: float = 1.0,
        max_iter: int = 200,
        tol: float = 1e-5,
        random_state: int = 0,
    ) -> None:
        self.n_components = n_components
        self.rank = rank
        self.kernel = kernel
        self.regularisation = regularisation
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def fit(self, X: Any, y: Any, point_weight: Any = None) -> MCML:
        """Learn A from X, (n_samples, n_features), and class labels y, (n_samples,).

        `point_weight`, (n_samples,), weighs each point's term of the objective.

        Raises
        ------
        ValueError
            For parameters or data that cannot be trained on.
        """
        X, y = labelled_rows(self, X, y)
        self._check(X.shape[1])
        codes = codes_of(y)[1]
        if point_weight is not None:
            point_weight = check_sample_weight(point_weight, len(X), "point_weight")
        self._kernel = None
        if self.kernel is not None:
            self._kernel = fit_kernel_features(X, self.kernel, random_state=int(self.random_state))
            X = self._kernel.apply(X)
        wanted = min(int(self.n_components or X.shape[1]), X.shape[1])
        full = self.rank == "full"
        config = TrainingConfig(
            objective="mcml",
            n_components=X.shape[1] if full else wanted,
            initialisation="pca" if full else "lda",
            regularisation=float(self.regularisation),
            max_iter=int(self.max_iter),
            tol=float(self.tol),
            random_state=int(self.random_state),
        )
        trains = train_mcml if full else train
        end = trains(X, codes, config, sample_weight=point_weight, measure_accuracy=False, keep_path=False)
        last = end.snapshots[-1]
        A, self.spectrum_ = truncated(last.transformation.T @ last.transformation, wanted)
        self.components_ = A
        self.objective_, self.n_iter_ = last.objective, max(1, last.iteration)
        self.ended_, self.reason_ = end.ended, end.reason
        self._n_features_out = wanted
        if end.ended == "max_iter" or "runs away" in end.reason:
            warn(f"[{type(self).__name__}] {end.reason}", ConvergenceWarning, stacklevel=2)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """A x of each row, (n_samples, n_components)."""
        X = new_rows(self, X)
        if self._kernel is not None:
            X = self._kernel.apply(X)
        return np.asarray(X @ self.components_.T)

    def get_metric_matrix(self) -> np.ndarray:
        """Q = AᵀA, (n_features, n_features); of kernel features where there is a kernel."""
        check_is_fitted(self)
        return np.asarray(self.components_.T @ self.components_)

    def _check(self, n_features: int) -> None:
        check_choice("rank", self.rank, ("full", "low"))
        if self.kernel is not None:
            check_choice("kernel", self.kernel, KERNELS)
        d = self.n_components
        if d is not None and (not isinstance(d, Integral) or isinstance(d, bool) or d < 1):
            raise ValueError(f"n_components is {d!r}; it must be a whole number of at least 1, or None for all.")
        if d is not None and self.kernel is None and d > n_features:
            raise ValueError(f"n_components is {d}; it must be between 1 and n_features = {n_features}.")
        if not (isinstance(self.regularisation, Real) and 0 <= self.regularisation < np.inf):
            raise ValueError(f"regularisation is {self.regularisation!r}; it must be a finite number of at least 0.")
        if not isinstance(self.random_state, Integral) or self.random_state < 0:
            raise ValueError(f"random_state is {self.random_state!r}; it must be a whole number of at least 0.")
