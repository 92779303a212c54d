"""train_network: an NCA objective over the outputs of a network, with one Snapshot for each iteration."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from nca_core.accuracy.accuracies import Accuracies, accuracies_of
from nca_core.accuracy.k_estimate import k_mean_entropy, rounded_k
from nca_core.checked_input import TrainingStopped, check_input
from nca_core.evaluation import EvaluationOfPlaces
from nca_core.evaluator import Evaluator
from nca_core.last_two import LastTwo
from nca_core.neighbours.base.blas_threads import one_blas_thread
from nca_core.network import UNITS, Network
from nca_core.neural.weights import Weights
from nca_core.objectives import OBJECTIVES
from nca_core.optimisers import FULL_BATCH
from nca_core.progress import Clock
from nca_core.recorder import snapshot_at
from nca_core.snapshot import Snapshot, Trajectory, append_to, frozen
from nca_core.training_config import TrainingConfig
from nca_core.validation import check_choice

MOST_HIDDEN = 1_000
_NEARLY_ALL = 0.95  # mean p_i from which a larger V may be better still, without end


@dataclass(frozen=True)
class NetworkConfig(TrainingConfig):
    """How to train a network.

    Attributes
    ----------
    n_hidden : int
        Hidden units; the NCA paper took 100.
    units : str
        Key of UNITS: "logistic", or "linear", with which the network is a matrix of rank n_hidden.
    regularisation : float
        λ of the penalty −λ (‖W‖² + ‖V‖²), W over standardised features.
    """

    n_hidden: int = 100
    units: str = "logistic"

    def check(self, n_features: int) -> None:
        super().check(n_features)
        check_choice("units", self.units, UNITS)
        check_choice("optimiser", self.optimiser, FULL_BATCH)
        check_choice("shape", self.shape, ("full",))
        whole = isinstance(self.n_hidden, Integral) and not isinstance(self.n_hidden, bool)
        if not whole or not 1 <= self.n_hidden <= MOST_HIDDEN:
            raise ValueError(f"n_hidden is {self.n_hidden!r}; it must be a whole number from 1 to {MOST_HIDDEN:,}.")

    def numbers_in_a_snapshot(self, n_features: int) -> int:
        return self.n_hidden * (n_features + 1 + self.n_components)


class _Climb:
    """F / total as an optimiser climbs it in the weights."""

    def __init__(self, weights: Weights, evaluator: Evaluator, penalty: float, total: float, clock: Clock) -> None:
        self._weights, self._evaluator, self._penalty, self._total = weights, evaluator, penalty, total
        self._clock = clock
        self._known: LastTwo[tuple[EvaluationOfPlaces, float, np.ndarray]] = LastTwo()
        self.n_samples, self.random_state = evaluator.n_samples, 0

    def at(self, packed: np.ndarray) -> tuple[EvaluationOfPlaces, float, np.ndarray]:
        """What there is at these weights: the evaluation, the penalised objective, and its gradient."""
        return self._known.at(packed, lambda: self._evaluate(packed))

    def _evaluate(self, packed: np.ndarray) -> tuple[EvaluationOfPlaces, float, np.ndarray]:
        with self._clock.turn():
            hidden = self._weights.hidden(packed)
            W, b, V = self._weights.unpacked(packed)
            found = self._evaluator.evaluate_places(hidden @ V.T)
            gradient = self._weights.gradient(packed, hidden, found.d_Y)
            penalised = self._weights.packed(W, np.zeros_like(b), V)
            value = found.objective - self._penalty * float(penalised @ penalised)
            return found, value, gradient - 2.0 * self._penalty * penalised

    def __call__(self, packed: np.ndarray) -> tuple[float, np.ndarray]:
        _, value, gradient = self.at(packed)
        return value / self._total, gradient / self._total

    def larger_unit(self, variables: np.ndarray) -> float:
        """Always 1: the rows are in units of their spread."""
        return 1.0


@one_blas_thread()
def train_network(
    X: np.ndarray,
    y: np.ndarray,
    config: NetworkConfig,
    on_snapshot: Callable[[Snapshot], None] | None = None,
    *,
    sample_weight: np.ndarray | None = None,
    held_out: tuple[np.ndarray, np.ndarray] | None = None,
    initial: np.ndarray | Network | None = None,
    targets: np.ndarray | None = None,
    target_similarity: np.ndarray | None = None,
    slot: Callable[[], AbstractContextManager[object]] = nullcontext,
    measure_accuracy: bool = True,
    keep_path: bool = True,
    placed: np.ndarray | None = None,
) -> Trajectory:
    """Learn y = V s(W x + b) as `config` says.

    Parameters
    ----------
    X, y, on_snapshot, sample_weight, held_out, targets, target_similarity, slot, measure_accuracy, keep_path
        As for `nca_core.training.train`.
    config : NetworkConfig
        How to train.
    initial : ndarray, Network or None
        An A, (n_components, n_features), whose picture the start follows, in place of `config.initialisation`; or a
        network of these rows to go on from.
    placed : ndarray or None
        Rows, (n_placed, n_features), whose places are the `coordinates` of the snapshots; X where None.

    Returns
    -------
    Trajectory
        Each snapshot has the network, its coordinates, and as `transformation` V.

    Raises
    ------
    ValueError
        For input that cannot be trained on.

    References
    ----------
    Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood Components Analysis, NIPS 2004, section 5.
    """
    given = check_input(
        X,
        y,
        config,
        sample_weight=sample_weight,
        held_out=held_out,
        target_similarity=config.target_similarity if target_similarity is None else target_similarity,
        targets=targets,
    )
    X, labels = given.X, given.labels
    evaluator = Evaluator(
        X,
        labels.codes,
        objective=config.objective,
        sample_weight=given.sample_weight,
        target_similarity=labels.target_similarity,
        targets=labels.targets,
        summation=config.summation,
    )
    weights = Weights.of(X, config.units, int(config.n_hidden), config.n_components)
    if isinstance(initial, Network):
        start = weights.of_network(initial)
    else:
        A = given.initial(initial, config, slot)
        with slot():
            start = weights.start(A, labels.start_codes, config.random_state)
    total = 1.0
    if OBJECTIVES[config.objective].grows:
        total = float(len(X) if given.sample_weight is None else given.sample_weight.sum())
    clock = Clock(slot)
    climb = _Climb(weights, evaluator, config.regularisation, total, clock)
    snapshots: list[Snapshot] = []

    def record(packed: np.ndarray) -> None:
        at, value, gradient = climb.at(packed)
        network = weights.network(packed)
        measured = Accuracies()
        if measure_accuracy:
            with slot():
                tested = None if given.held_out is None else (network.apply(given.held_out[0]), given.held_out[1])
                k = rounded_k(k_mean_entropy(at.entropy))
                measured = accuracies_of(network.apply(X), labels.codes, tested, k, config.random_state)
        snapshot = snapshot_at(
            snapshots[-1].iteration + 1 if snapshots else 0,
            network.V,
            value,
            float(np.linalg.norm(gradient)),
            at,
            measured,
            clock.seconds,
            coordinates=frozen(network.apply(X if placed is None else placed)),
            network=network,
        )
        append_to(snapshots, snapshot, keep_path)
        if on_snapshot is not None:
            on_snapshot(snapshot)

    try:
        record(start)
        why = given.why_nothing_can_be_learnt()
        if why:
            return Trajectory(tuple(snapshots), "cannot_move", why)
        end = FULL_BATCH[config.optimiser](climb, start, config.max_iter, config.tol, record)
        determined = _k_determined(climb, weights, snapshots[-1], config)
    except (StopIteration, TrainingStopped):
        return Trajectory(tuple(snapshots), "stopped", "Stopped.")
    return Trajectory(tuple(snapshots), end.ended, end.reason, k_determined=determined)


def _k_determined(climb: _Climb, weights: Weights, last: Snapshot, config: NetworkConfig) -> bool:
    """False where twice V is at least as good as V; then K̂ tells where the climb was ended."""
    network = last.network
    if config.regularisation > 0 or last.mean_p < _NEARLY_ALL or network is None:
        return True
    return climb.at(weights.packed(network.W, network.b, 2.0 * network.V))[1] < last.objective


def first_places(
    X: np.ndarray, y: np.ndarray, config: NetworkConfig, initial: np.ndarray, placed: np.ndarray
) -> np.ndarray:
    """Where the start of a training on X, y from `initial` puts rows `placed`, (n_placed, n_components)."""
    weights = Weights.of(X, config.units, config.n_hidden, config.n_components)
    return weights.network(weights.start(initial, y, config.random_state)).apply(placed)
