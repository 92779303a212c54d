"""train_mcml: MCML over all Q ⪰ 0, with one Snapshot of its eigen-truncation for each iteration."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import numpy as np

from nca_core.checked_input import TrainingStopped, check_input
from nca_core.last_two import LastTwo
from nca_core.mcml.collapse import Collapse, CollapseAt
from nca_core.neighbours.base.blas_threads import one_blas_thread
from nca_core.optimisers import FULL_BATCH
from nca_core.optimisers.result import OptimiserResult
from nca_core.progress import Progress
from nca_core.snapshot import Snapshot, Trajectory, frozen
from nca_core.training_config import TrainingConfig
from nca_core.truncation import truncated, turned_towards

_GAP_OF_TOL = 100.0  # the relative duality gap that ends a training is so many times config.tol
_PATIENCE = 1e-6  # of config.tol, for the optimiser where the gap ends the training


class _Descent:
    """−L/n as an optimiser climbs it in B, and what becomes of each B that it accepts."""

    def __init__(self, collapse: Collapse, X: np.ndarray, first: np.ndarray, gap: float, progress: Progress) -> None:
        self._collapse, self._X, self._gap, self._progress = collapse, X, gap, progress
        self._shown = first
        self._known: LastTwo[CollapseAt] = LastTwo()
        self.recorded: CollapseAt
        self.spectrum = np.zeros(0)
        self.certified = False
        self.n_samples, self.random_state = len(X), 0

    def at(self, B: np.ndarray) -> CollapseAt:
        return self._known.at(B, lambda: self._evaluate(B))

    def _evaluate(self, B: np.ndarray) -> CollapseAt:
        with self._progress.turn():
            return self._collapse.evaluate(B)

    def __call__(self, transformation: np.ndarray) -> tuple[float, np.ndarray]:
        found = self.at(transformation)
        return -found.primal / self._collapse.total, -found.gradient / self._collapse.total

    def larger_unit(self, variables: np.ndarray) -> float:
        """Always 1: the factor of Q has a scale that suits the optimiser from the start."""
        return 1.0

    def relative_gap(self, found: CollapseAt) -> float:
        """(L − dual) / L: how far above the optimum it may be at most, as a share of L."""
        loss = found.primal - self._collapse.entropy
        return (found.primal - found.dual) / max(loss, np.finfo(float).tiny)

    def record(self, B: np.ndarray) -> None:
        self.recorded = found = self.at(B)
        A, self.spectrum = truncated(self._collapse.q_of(B), len(self._shown))
        self._shown = turned_towards(A, self._shown, self._X)
        # The gradient in B, whose unit is that of no feature.
        self._progress.record(self._shown, -found.primal, float(np.linalg.norm(found.gradient)), frozen(self.spectrum))
        if self.relative_gap(found) <= self._gap:
            self.certified = True
            raise StopIteration


@one_blas_thread()
def train_mcml(
    X: np.ndarray,
    y: np.ndarray,
    config: TrainingConfig,
    on_snapshot: Callable[[Snapshot], None] | None = None,
    *,
    sample_weight: np.ndarray | None = None,
    held_out: tuple[np.ndarray, np.ndarray] | None = None,
    initial: np.ndarray | None = None,
    targets: np.ndarray | None = None,
    slot: Callable[[], AbstractContextManager[object]] = nullcontext,
    measure_accuracy: bool = True,
    keep_path: bool = True,
) -> Trajectory:
    """Minimise L(Q) + λ s tr Q over Q ⪰ 0; s is the mean variance of a feature.

    Convex in Q: there is one optimum whatever the start. Each snapshot shows the eigen-truncation of its Q to
    `config.n_components` rows, turned to lie on the one before; its `objective` is Σ_i Σ_j p⁰(j|i) log p_Q(j|i) − λ s
    tr Q, which is maximised and belongs to Q itself. Accuracies, mean p_i and K̂ belong to the A that is shown.

    Parameters
    ----------
    X, y, on_snapshot, sample_weight, held_out, slot, measure_accuracy, keep_path
        As for `nca_core.training.train`; without measure_accuracy, mean p_i and K̂ are NaN too.
    config : TrainingConfig
        `n_components`, `initialisation`, `regularisation` (λ), `max_iter`, `tol` and `random_state` count. The training
        ends where the duality gap is below 100 tol of L.
    initial : ndarray or None
        An A whose AᵀA is the start, (n_components, n_features).
    targets : None
        MCML over Q takes classes only.

    Returns
    -------
    Trajectory

    Raises
    ------
    ValueError
        For input that cannot be trained on.

    References
    ----------
    Globerson, Roweis: Metric learning by collapsing classes, NIPS 2005.
    """
    given = check_input(X, y, config, sample_weight=sample_weight, held_out=held_out, targets=targets)
    X, codes = given.X, given.labels.codes
    start = given.initial(initial, config, slot)
    progress = Progress(X, codes, given.held_out, config.random_state, on_snapshot, slot, measure_accuracy, keep_path)
    centred = X - X.mean(axis=0)
    collapse = Collapse(centred, codes, config.regularisation, given.sample_weight)
    climb = _Descent(collapse, centred, start, _GAP_OF_TOL * config.tol, progress)
    why = given.why_nothing_can_be_learnt()
    B = collapse.start(start)
    try:
        climb.record(B)
        if why:
            return Trajectory(tuple(progress.snapshots), "cannot_move", why)
        # Where the gap can end it, smallness of a gain alone should not.
        tol = config.tol * (_PATIENCE if config.regularisation > 0 else 1.0)
        end = FULL_BATCH["l-bfgs"](climb, B, config.max_iter, tol, climb.record)
    except StopIteration:
        end = OptimiserResult("stopped", "Stopped.")
    except TrainingStopped:
        return Trajectory(tuple(progress.snapshots), "stopped", "Stopped.")
    if why:
        return Trajectory(tuple(progress.snapshots), "cannot_move", why)
    return _told(end, climb, collapse, progress)


def _told(end: OptimiserResult, climb: _Descent, collapse: Collapse, progress: Progress) -> Trajectory:
    """How it ended, with the certificate and the spectrum of Q."""
    last = progress.snapshots[-1]
    ended, sentences = end.ended, [end.reason]
    found = climb.recorded
    gap = climb.relative_gap(found)
    if climb.certified:
        ended, sentences = "converged", [f"Converged after {last.iteration} iterations."]
    if ended != "stopped":
        if gap < 1.0:
            sentences.append(f"The duality gap proves it to be within {100 * gap:.2g} % of the one optimum.")
        if collapse.runs_away(found):
            sentences.append("The classes can be brought to points, so Q runs away; a penalty λ > 0 holds it.")
        total = float(climb.spectrum.sum())
        shown, D = len(last.transformation), len(climb.spectrum)
        if shown < D and total > 0:
            share = 100 * float(climb.spectrum[:shown].sum()) / total
            sentences.append(f"The axes shown hold {share:.0f} % of the trace of Q, in {D} dimensions.")
    return Trajectory(tuple(progress.snapshots), ended, " ".join(sentences))
