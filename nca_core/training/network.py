"""train_network: an objective of NCA over the outputs of a network with one hidden layer."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from nca_core.features.rows import units_of
from nca_core.objectives.evaluator import Evaluation
from nca_core.snapshot import UNITS, Network, frozen
from nca_core.training.config import TrainingConfig
from nca_core.training.problem import NEARLY_ALL, Iterate, Problem, Recorder
from nca_core.training.starts import scale_to_sensible_k
from nca_core.training.train import CheckedInput, initial_matrix, train_problem

_GAIN = {"logistic": 2.0, "linear": 1.0}  # of the input of a unit; with much more, units saturate
# Ridge of the fit of V, as a share of the mean square of a unit's output.
_RIDGE = {"logistic": 1e-3, "linear": 1e-12}


class Weights:
    """The network of rows X, (n_samples, n_features), whose weights may change; `units` is a key of UNITS."""

    def __init__(self, X: np.ndarray, units: str, n_hidden: int, n_components: int) -> None:
        self.units, self.n_hidden, self.n_components = units, n_hidden, n_components
        self.centre, self.spread = frozen(X.mean(axis=0)), frozen(units_of(X))
        self.Z = (X - self.centre) / self.spread

    def packed(self, W: np.ndarray, b: np.ndarray, V: np.ndarray) -> np.ndarray:
        return np.concatenate([W.ravel(), b, V.ravel()])

    def unpacked(self, packed: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        h, D = self.n_hidden, self.Z.shape[1]
        W, b, V = np.split(packed, [h * D, h * D + h])
        return W.reshape(h, D), b, V.reshape(self.n_components, h)

    def of_network(self, network: Network) -> np.ndarray:
        """The weights of a network of the same rows, packed.

        Raises ValueError for one of other features, units, hidden units or outputs.
        """
        shapes = (self.n_hidden, self.Z.shape[1]), (self.n_components, self.n_hidden)
        if (network.W.shape, network.V.shape, network.units) != (*shapes, self.units):
            raise ValueError(f"The network has weights {network.W.shape} and {network.V.shape}; needed are {shapes}.")
        return self.packed(network.W, network.b, network.V)

    def network(self, packed: np.ndarray) -> Network:
        W, b, V = (frozen(part.copy()) for part in self.unpacked(packed))
        return Network(self.units, self.centre, self.spread, W, b, V)

    def hidden(self, packed: np.ndarray) -> np.ndarray:
        """Activations of the hidden units, (n_samples, n_hidden)."""
        W, b, _ = self.unpacked(packed)
        return UNITS[self.units].value(self.Z @ W.T + b)

    def gradient(self, packed: np.ndarray, hidden: np.ndarray, d_Y: np.ndarray) -> np.ndarray:
        """∂F/∂weights, as packed, of ∂F/∂Y, (n_samples, n_components):

        ∂F/∂V = (∂F/∂Y)ᵀ H,   δ = (∂F/∂Y V) ∘ s'(H),   ∂F/∂W = δᵀ Z,   ∂F/∂b = Σ_i δ_i.
        """
        delta = d_Y @ self.unpacked(packed)[2] * UNITS[self.units].slope(hidden)
        return self.packed(delta.T @ self.Z, delta.sum(axis=0), d_Y.T @ hidden)

    def start(self, A: np.ndarray, y: np.ndarray, random_state: int) -> np.ndarray:
        """Random hidden units, and the V whose projection is nearest to that of A, (n_components, n_features), scaled
        to a sensible K̂; so a training begins at a known picture."""
        rng = np.random.default_rng(random_state)
        D, gain = self.Z.shape[1], _GAIN[self.units]
        W = gain * rng.standard_normal((self.n_hidden, D)) / np.sqrt(D)
        b = gain * rng.uniform(-1.0, 1.0, self.n_hidden)
        hidden = UNITS[self.units].value(self.Z @ W.T + b)
        hidden = hidden - hidden.mean(axis=0)
        followed = A * self.spread
        size = float(np.linalg.norm(followed))
        wanted = self.Z @ (followed / size).T if 0.0 < size < np.inf else np.zeros((len(self.Z), len(A)))
        square = hidden.T @ hidden
        ridge = max(_RIDGE[self.units] * float(np.trace(square)) / self.n_hidden, np.finfo(float).tiny)
        V = np.linalg.solve(square + ridge * np.eye(self.n_hidden), hidden.T @ wanted).T
        return self.packed(W, b, scale_to_sensible_k(V, hidden, y) if np.any(V) else V)


@dataclass(frozen=True)
class NetworkConfig(TrainingConfig):
    """How to train a network; `regularisation` is λ of the penalty −λ (‖W‖² + ‖V‖²), W over standardised features."""

    n_hidden: int = 100  # hidden units; the NCA paper took 100
    # key of UNITS: "logistic", or "linear", with which the network is a matrix of rank n_hidden
    units: str = "logistic"

    def numbers_in_a_snapshot(self, n_features: int) -> int:
        return self.n_hidden * (n_features + 1 + self.n_components)


class NetworkProblem(Problem):
    """An objective of NCA over the outputs of y = V s(W x + b), in the weights.

    Each snapshot has the network, the coordinates of the rows, and as `transformation` V.

    initial: an A, (n_components, n_features), whose picture the start follows, in place of `config.initialisation`; or
        a network of these rows to go on from.
    shown_rows: rows, (n_shown, n_features), of which the snapshots have `coordinates`; X where None.

    Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood Components Analysis, NIPS 2004, section 5.
    """

    compares_targets = True

    def __init__(
        self,
        inputs: CheckedInput,
        config: NetworkConfig,
        recorder: Recorder,
        initial: np.ndarray | Network | None = None,
        *,
        shown_rows: np.ndarray | None = None,
    ) -> None:
        X = inputs.X
        super().__init__(recorder, len(X), inputs.total(config))
        self.optimiser, self._penalty = config.optimiser, config.regularisation
        self.nothing_to_learn = inputs.nothing_to_learn()
        self._shown_rows = X if shown_rows is None else shown_rows
        self._evaluator = inputs.evaluator(config)
        self._weights = Weights(X, config.units, int(config.n_hidden), config.n_components)
        if isinstance(initial, Network):
            self._start = self._weights.of_network(initial)
        else:
            A = initial_matrix(inputs, config, recorder, initial)
            with recorder.slot():
                self._start = self._weights.start(A, inputs.labels.start_codes, config.random_state)

    def evaluate(self, variables: np.ndarray) -> tuple[float, np.ndarray, Evaluation]:
        """The penalised objective at these weights, its gradient, and the evaluation of the places."""
        hidden = self._weights.hidden(variables)
        W, b, V = self._weights.unpacked(variables)
        found = self._evaluator.evaluate_embedding(hidden @ V.T)
        gradient = self._weights.gradient(variables, hidden, found.gradient)
        penalised = self._weights.packed(W, np.zeros_like(b), V)
        value = found.objective - self._penalty * float(penalised @ penalised)
        return value, gradient - 2.0 * self._penalty * penalised, found

    def describe(self, variables: np.ndarray) -> Iterate:
        value, gradient, at = self.evaluated(variables)
        network = self._weights.network(variables)
        fields = {"coordinates": frozen(network.apply(self._shown_rows)), "network": network}
        return Iterate(network.V, value, float(np.linalg.norm(gradient)), at, network.apply, fields)

    def k_determined(self) -> bool:
        """False where 2V is at least as good as V; then K̂ depends on where the climb stopped."""
        last = self.recorder.snapshots[-1]
        network = last.network
        if self._penalty > 0 or last.mean_p < NEARLY_ALL or network is None:
            return True
        return self.evaluated(self._weights.packed(network.W, network.b, 2.0 * network.V))[0] < last.objective


train_network = partial(train_problem, NetworkProblem)


def initial_coordinates(
    X: np.ndarray, y: np.ndarray, config: NetworkConfig, initial: np.ndarray, shown_rows: np.ndarray
) -> np.ndarray:
    """`shown_rows`, projected by the start of a training on X, y from `initial`, (n_shown, n_components)."""
    weights = Weights(X, config.units, config.n_hidden, config.n_components)
    return weights.network(weights.start(initial, y, config.random_state)).apply(shown_rows)
