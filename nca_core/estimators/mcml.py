"""MCML: maximally collapsing metric learning as a scikit-learn estimator."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nca_core.compat import one_of, parameter_constraints
from nca_core.estimators.base import TrainedEstimator, TrainedTransformer, codes_of
from nca_core.features.covariance import truncated
from nca_core.features.kernels import KERNELS, fit_kernel_features
from nca_core.features.validation import check_n_components
from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training.config import TrainingConfig
from nca_core.training.mcml import train_mcml
from nca_core.training.nca import train


@dataclass(eq=False, repr=False, kw_only=True)
class MCML(TrainedTransformer):
    """Maximally Collapsing Metric Learning.

    Finds the metric Q ⪰ 0 that minimises Σ_i KL[p⁰(· | i) ‖ p_Q(· | i)] + λ s tr Q, where p⁰ spreads a point's
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
    tol : float
        With rank "full" and λ > 0 the training ends where the duality gap is below 100 tol of the loss.
    random_state : int, RandomState or None
        Seed of the draw of landmarks, of more than 300 rows with a kernel.
    max_iter, warm_start, callback, verbose, keep_path
        As in NeighborhoodComponentsAnalysis.

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

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from nca_core import MCML
    >>> X, y = load_iris(return_X_y=True)
    >>> mcml = MCML(n_components=2).fit(X, y)
    >>> mcml.transform(X).shape
    (150, 2)
    >>> mcml.spectrum_[:2].round(2)  # one direction carries nearly all of the metric
    array([2.33, 0.  ])
    """

    _parameter_constraints = parameter_constraints(
        TrainedEstimator,
        rank=[one_of(("full", "low"))],
        kernel=[one_of(KERNELS), None],
    )

    n_components: int | None = field(default=None, kw_only=False)
    rank: str = "full"
    kernel: str | None = None
    regularisation: float = 1.0
    max_iter: int = 200
    random_state: Any = 0
    keep_path: bool = False

    def _train(self, X: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None, warm: bool) -> Trajectory:
        d, seed = self.n_components, self._seed()
        if self.kernel is None:
            self._kernel = None
        else:
            if not warm or self._kernel is None:  # a warm start goes on among the same kernel features
                self._kernel = fit_kernel_features(X, self.kernel, random_state=seed)
            X = self._kernel.apply(X)
            d = None if d is None else min(d, X.shape[1])
        d = X.shape[1] if d is None else d
        check_n_components(d, X.shape[1])
        self._n_features_out = int(d)
        full = self.rank == "full"
        config = self._config(
            TrainingConfig,
            objective="mcml",
            n_components=X.shape[1] if full else self._n_features_out,
            initialisation="pca" if full else "lda",
            random_state=seed,
        )
        learn, initial = train_mcml if full else train, self._root if warm else None
        return self._climb(learn, X, codes_of(y)[1], config, sample_weight=sample_weight, initial=initial)

    def _store(self, last: Snapshot, X: Any, y: np.ndarray) -> None:
        self._root = last.transformation
        self.components_, self.spectrum_ = truncated(self._root.T @ self._root, self._n_features_out)

    def _warning(self, end: Trajectory) -> str:
        return end.reason if end.ended == "max_iter" or "runs away" in end.reason else ""

    def _embed(self, rows: np.ndarray) -> Any:
        return super()._embed(rows if self._kernel is None else self._kernel.apply(rows))
