"""NeuralNCA: NCA through a network with one hidden layer, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from nca_core.estimators.base import TrainedTransformer
from nca_core.estimators.checks import new_rows
from nca_core.network import Network
from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training.network import NetworkConfig, train_network


class NeuralNCA(TrainedTransformer):
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

    def _train(self, X: np.ndarray, codes: np.ndarray, point_weight: np.ndarray | None) -> Trajectory:
        config = NetworkConfig(
            objective=self.objective,
            n_components=self.n_components,
            initialisation=self.init,
            regularisation=self.regularisation,
            max_iter=self.max_iter,
            tol=self.tol,
            random_state=self.random_state,
            n_hidden=self.n_hidden,
            units=self.units,
        )
        return train_network(X, codes, config, sample_weight=point_weight, measure_accuracy=False, keep_path=False)

    def _keep(self, last: Snapshot) -> None:
        self.network_: Network = cast(Network, last.network)
        self.k_estimate_ = last.k_mean_entropy
        self._n_features_out = len(self.network_.V)

    def transform(self, X: Any) -> np.ndarray:
        """The places of rows X, (n_samples, n_components)."""
        X = new_rows(self, X)
        return np.asarray(self.network_.apply(X))
