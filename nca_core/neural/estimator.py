"""NeuralNCA: NCA through a network with one hidden layer, as a scikit-learn estimator."""

from __future__ import annotations

from numbers import Integral
from typing import Any, cast
from warnings import warn

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags

from nca_core.estimator_checks import codes_of, labelled_rows, new_rows
from nca_core.network import Network
from nca_core.neural.train import NetworkConfig, train_network
from nca_core.validation import check_sample_weight


class NeuralNCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Neighbourhood Components Analysis of y = V s(W x + b), s the logistic function (section 5 of the NCA paper).

    Maximises an objective of NCA over the weights; `transform` has a place for any row.

    Parameters
    ----------
    n_components : int
        d, outputs of the network; at most as many as there are features.
    n_hidden : int
        Hidden units.
    units : str
        "logistic", or "linear", with which this is NCA.
    objective : str
        A key of OBJECTIVES.
    init : str
        A key of INITIALISATIONS, whose picture the start follows.
    regularisation : float
        λ of the penalty −λ (‖W‖² + ‖V‖²); features count in units of their spread.
    max_iter : int
        Most iterations.
    tol : float
        As for NeighborhoodComponentsAnalysis.
    random_state : int
        Seed of the first hidden units.

    Attributes
    ----------
    network_ : Network
        W, b, V and the units of the features.
    objective_ : float
        What was maximised.
    k_estimate_ : float
        K̂ = exp(mean entropy).
    n_iter_ : int
        Iterations made.
    ended_, reason_ : str
        How the training ended, as in Trajectory.

    References
    ----------
    Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood Components Analysis, NIPS 2004, section 5.
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_hidden: int = 100,
        units: str = "logistic",
        objective: str = "f",
        init: str = "pca",
        regularisation: float = 0.0,
        max_iter: int = 100,
        tol: float = 1e-5,
        random_state: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_hidden = n_hidden
        self.units = units
        self.objective = objective
        self.init = init
        self.regularisation = regularisation
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def fit(self, X: Any, y: Any, point_weight: Any = None) -> NeuralNCA:
        """Learn the weights from X, (n_samples, n_features), and class labels y, (n_samples,).

        `point_weight`, (n_samples,), weighs each point's term of the objective.

        Raises
        ------
        ValueError
            For parameters or data that cannot be trained on.
        """
        X, y = labelled_rows(self, X, y)
        if point_weight is not None:
            point_weight = check_sample_weight(point_weight, len(X), "point_weight")
        wanted = self.n_components
        if isinstance(wanted, Integral) and wanted > X.shape[1]:
            raise ValueError(f"n_components is {wanted}; it must be between 1 and n_features = {X.shape[1]}.")
        config = NetworkConfig(
            objective=self.objective,
            n_components=wanted,
            initialisation=self.init,
            regularisation=self.regularisation,
            max_iter=self.max_iter,
            tol=self.tol,
            random_state=self.random_state,
            n_hidden=self.n_hidden,
            units=self.units,
        )
        codes = codes_of(y)[1]
        end = train_network(X, codes, config, sample_weight=point_weight, measure_accuracy=False, keep_path=False)
        last = end.snapshots[-1]
        self.network_: Network = cast(Network, last.network)
        self.objective_, self.k_estimate_ = last.objective, last.k_mean_entropy
        self.n_iter_ = max(1, last.iteration)
        self.ended_, self.reason_ = end.ended, end.reason
        self._n_features_out = int(wanted)
        if end.ended in ("max_iter", "cannot_move"):
            warn(f"[{type(self).__name__}] {end.reason}", ConvergenceWarning, stacklevel=2)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """The places of rows X, (n_samples, n_components)."""
        X = new_rows(self, X)
        return np.asarray(self.network_.apply(X))
