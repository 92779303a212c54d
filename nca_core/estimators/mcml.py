"""MCML: maximally collapsing metric learning as a scikit-learn estimator."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nca_core.estimators.base import TrainedTransformer
from nca_core.estimators.checks import new_rows
from nca_core.features.covariance import truncated
from nca_core.features.kernels import fit_kernel_features
from nca_core.features.validation import check_choice, check_n_components
from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training.config import TrainingConfig
from nca_core.training.mcml import train_mcml
from nca_core.training.nca import train


class MCML(TrainedTransformer):
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

    def _train(self, X: np.ndarray, codes: np.ndarray, point_weight: np.ndarray | None) -> Trajectory:
        check_choice("rank", self.rank, ("full", "low"))
        d, self._kernel = self.n_components, None
        if self.kernel is not None:
            self._kernel = fit_kernel_features(X, self.kernel, random_state=self.random_state)
            X = self._kernel.apply(X)
            d = min(d, X.shape[1]) if isinstance(d, Integral) else d
        d = X.shape[1] if d is None else d
        check_n_components(d, X.shape[1])
        self._n_features_out = int(d)
        full = self.rank == "full"
        config = TrainingConfig(
            objective="mcml",
            n_components=X.shape[1] if full else self._n_features_out,
            initialisation="pca" if full else "lda",
            regularisation=self.regularisation,
            max_iter=self.max_iter,
            tol=self.tol,
            random_state=self.random_state,
        )
        trains = train_mcml if full else train
        return trains(X, codes, config, sample_weight=point_weight, measure_accuracy=False, keep_path=False)

    def _keep(self, last: Snapshot) -> None:
        A = last.transformation
        self.components_, self.spectrum_ = truncated(A.T @ A, self._n_features_out)

    def _warns(self, end: Trajectory) -> bool:
        return end.ended == "max_iter" or "runs away" in end.reason

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
