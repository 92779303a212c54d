"""NeuralNCA: NCA through a network with one hidden layer, as a scikit-learn estimator."""

from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, cast

import numpy as np

from nca_core.compat import at_least, one_of, parameter_constraints
from nca_core.estimators.base import TrainedEstimator, TrainedTransformer, codes_of
from nca_core.snapshot import UNITS, Network, Snapshot, Trajectory
from nca_core.training.network import NetworkConfig, train_network
from nca_core.training.starts import INITIALISATIONS


@dataclass(eq=False, repr=False, kw_only=True)
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
    random_state : int, RandomState or None
        Seed of the first hidden units.
    max_iter, tol, warm_start, callback, verbose, keep_path
        As in NeighborhoodComponentsAnalysis; the callback gets V.

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

    Examples
    --------
    >>> import numpy as np
    >>> from nca_core import NeuralNCA
    >>> angle = np.arange(60) * np.pi / 15
    >>> radius = np.repeat([1.0, 2.0], 30)
    >>> X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])  # a ring around another
    >>> y = np.repeat([0, 1], 30)
    >>> network = NeuralNCA(n_components=1, n_hidden=10).fit(X, y)
    >>> network.transform(X).shape
    (60, 1)
    >>> round(network.objective_)  # Σ p_i: how many of the 60 rows pick their own ring
    60
    """

    _parameter_constraints = parameter_constraints(
        TrainedEstimator,
        n_components=[at_least(Integral, 1)],
        n_hidden=[at_least(Integral, 1)],
        units=[one_of(UNITS)],
        init=[one_of(INITIALISATIONS)],
    )

    n_components: int = field(default=2, kw_only=False)
    n_hidden: int = 100
    units: str = "logistic"
    objective: str = "f"
    init: str = "pca"
    regularisation: float = 0.0
    max_iter: int = 100
    random_state: Any = 0
    keep_path: bool = False

    def _train(self, X: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None, warm: bool) -> Trajectory:
        config = self._config(NetworkConfig, initialisation=self.init, random_state=self._seed())
        initial = self.network_ if warm else None
        return self._climb(train_network, X, codes_of(y)[1], config, sample_weight=sample_weight, initial=initial)

    def _store(self, last: Snapshot, X: Any, y: np.ndarray) -> None:
        self.network_: Network = cast(Network, last.network)
        self.k_estimate_ = last.k_mean_entropy
        self._n_features_out = len(self.network_.V)

    def _embed(self, rows: np.ndarray) -> np.ndarray:
        return self.network_.apply(rows)

    def _matrix(self) -> np.ndarray:
        if self.units != "linear":
            raise AttributeError("NeuralNCA with logistic units has no matrix; pair_distance gives its distances.")
        return self.network_.V @ self.network_.W / self.network_.spread
