"""train: maximise an NCA objective from a start, with one Snapshot for each iteration."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from numbers import Real

import numpy as np

from nca_core.checked_input import TrainingStopped, check_input
from nca_core.covariance import units_of
from nca_core.evaluator import Evaluator
from nca_core.features_in_parts import FeaturesInParts, features_of
from nca_core.initialisation import scaled_start
from nca_core.neighbours.base.blas_threads import one_blas_thread
from nca_core.neighbours.pairwise_similarity import Similarity
from nca_core.objectives import OBJECTIVES
from nca_core.optimisers import OPTIMISERS
from nca_core.optimisers.result import OptimiserResult
from nca_core.recorder import Recorder
from nca_core.scaled_objective import ScaledObjective
from nca_core.simple_starts import nearest_diagonal
from nca_core.snapshot import Candidate, Snapshot, Trajectory, append_to, frozen
from nca_core.training_config import TrainingConfig
from nca_core.validation import check_initial

_VANISHED = 1e-30
_NEARLY_ALL = 0.95  # mean p_i from which a larger A may be better still, without end
SOLVED = 0.999  # mean p_i from which a start is as good as an end


# On an optimiser's short vectors a second BLAS thread only waits; the passes over X have threads of their own.
@one_blas_thread()
def train(
    X: np.ndarray | FeaturesInParts,
    y: np.ndarray,
    config: TrainingConfig,
    on_snapshot: Callable[[Snapshot], None] | None = None,
    *,
    sample_weight: np.ndarray | None = None,
    held_out: tuple[np.ndarray, np.ndarray] | None = None,
    initial: np.ndarray | None = None,
    unit: float | None = None,
    target_similarity: np.ndarray | Similarity | None = None,
    targets: np.ndarray | None = None,
    slot: Callable[[], AbstractContextManager[object]] = nullcontext,
    measure_accuracy: bool = True,
    keep_path: bool = True,
    n_jobs: int | None = None,
) -> Trajectory:
    """Learn A as `config` says; the snapshots begin with iteration 0, the start.

    Parameters
    ----------
    X : ndarray or FeaturesInParts
        Features, (n_samples, n_features), finite; a Dask array is taken in parts.
    y : ndarray
        Integer class codes, (n_samples,), UNLABELLED for none; with target_similarity and without targets, the numeric
        targets; then no accuracies are measured.
    on_snapshot : callable or None
        Called with each Snapshot; raising StopIteration in it ends the training.
    sample_weight : ndarray or None
        Weight of each point's term in the objective, (n_samples,).
    held_out : tuple[ndarray, ndarray] or None
        (X_test, y_test) whose accuracy is measured along.
    initial : ndarray or None
        Start A, (n_components, n_features), in place of `config.initialisation`.
    unit : float or None
        Size of A at which the optimiser's own constants (its first step, its tolerance) are right; a start that was
        scaled by a number brings that number. Found where it is None.
    target_similarity : ndarray or Similarity or None
        M_ij in [0, 1] in place of "same class", in place of `config.target_similarity`: an array (n_samples,
        n_samples), or a function of targets (m,) and (n,) that gives (m, n). An evaluation then takes O(n²).
    targets : ndarray or None
        Numeric targets, (n_samples,), beside class codes y whose accuracy is measured.
    slot : callable
        Gives a context to enter around each piece of work, so that many trainings share the machine fairly; may raise
        TrainingStopped.
    measure_accuracy : bool
        Put nearest-neighbour accuracies into the snapshots; without, they are NaN.
    keep_path : bool
        Return all snapshots; without, the first and the last, so that no A is held for each iteration.
    n_jobs : int or None
        Most threads, as for Evaluator.

    Returns
    -------
    Trajectory
        The snapshots from the start on, how the training ended, and why.

    Raises
    ------
    ValueError
        For input that cannot be trained on.

    References
    ----------
    Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood Components Analysis, NIPS 2004; eq. 3 (f), eq. 6 (g).
    """
    given = check_input(
        features_of(X),
        y,
        config,
        sample_weight=sample_weight,
        held_out=held_out,
        target_similarity=config.target_similarity if target_similarity is None else target_similarity,
        targets=targets,
        in_parts=True,
    )
    X, labels, sample_weight, held_out = given.X, given.labels, given.sample_weight, given.held_out
    snapshots: list[Snapshot] = []

    def keep(snapshot: Snapshot) -> None:
        append_to(snapshots, snapshot, keep_path)
        if on_snapshot is not None:
            on_snapshot(snapshot)

    spread = units_of(X) if config.standardise else np.ones(X.shape[1])
    evaluator = Evaluator(
        X,
        labels.codes,
        objective=config.objective,
        sample_weight=sample_weight,
        # The penalty is on the A of the standardised features, which is A times their spread.
        regularisation=config.regularisation * spread**2,
        target_similarity=labels.target_similarity,
        targets=labels.targets,
        summation=config.summation,
        dtype=config.dtype,
        n_jobs=n_jobs,
    )
    starts: tuple[Candidate, ...] = ()
    diagonal = config.shape == "diagonal"
    recorder = Recorder(
        evaluator, X, labels.codes, held_out, config.random_state, keep, slot, measure_accuracy, diagonal
    )
    if initial is None:
        start = scaled_start(
            X / spread if config.standardise else X,
            labels.start_codes,
            config.n_components,
            config.initialisation,
            config.random_state,
            scale_start=config.scale_start,
            sample_weight=sample_weight,
            diagonal=diagonal,
            slot=slot,
        )
        # Candidates are told in the units of X, as every other A.
        starts = tuple(_in_units_of_X(candidate, spread) for candidate in start.tried)
        initial = start.transformation / spread
        unit = start.scaled_by if unit is None else unit
    else:
        initial = check_initial(initial, config.n_components, X.shape[1])
    if diagonal:
        initial = nearest_diagonal(initial)
    if unit is not None and not (isinstance(unit, Real) and 0 < unit < np.inf):
        raise ValueError(f"unit is {unit!r}; it must be a finite number above 0.")
    # A sum over points grows with their weights, a logarithm of one does not.
    total = 1.0
    if OBJECTIVES[config.objective].grows:
        total = float(len(X) if sample_weight is None else sample_weight.sum())
    units = (1.0 if unit is None else unit) / spread  # (n_features,)
    try:
        recorder.record(initial, starts=starts)
    except (StopIteration, TrainingStopped):
        return Trajectory(tuple(snapshots), "stopped", "Stopped.", starts)
    why = labels.why_nothing_can_be_learnt() or _why_it_cannot_move(total, snapshots[0])
    if why:
        return Trajectory(tuple(snapshots), "cannot_move", why, starts)
    try:
        scaled = ScaledObjective(evaluator, recorder.evaluate, units, total, diagonal, config.random_state, slot)
        result: OptimiserResult = OPTIMISERS[config.optimiser](
            scaled,
            scaled.variables(snapshots[0].transformation),
            config.max_iter,
            config.tol,
            lambda variables: recorder.record(scaled.transformation(variables)),
        )
        determined = _k_determined(recorder, snapshots[-1], config.regularisation)
    except TrainingStopped:
        return Trajectory(tuple(snapshots), "stopped", "Stopped.", starts)
    stayed = len(snapshots) == 1 and result.ended == "converged"
    if stayed and not result.at_the_most and snapshots[0].mean_p < SOLVED:
        result = OptimiserResult("cannot_move", "No step from this start raises the objective; choose another one.")
    return Trajectory(tuple(snapshots), result.ended, result.reason, starts, determined)


def _k_determined(recorder: Recorder, last: Snapshot, regularisation: float) -> bool:
    """False where twice A is at least as good as A: on separable data the objective rises with the size of A for ever,
    so K̂, which falls with it, tells where the climb was ended and nothing of the data."""
    if regularisation > 0 or last.mean_p < _NEARLY_ALL:
        return True
    evaluator, A = recorder.evaluator, last.transformation
    with recorder.slot():
        return not evaluator.rises_with_size(A) and evaluator.objective_at(2.0 * A) < last.objective


def _in_units_of_X(candidate: Candidate, spread: np.ndarray) -> Candidate:
    """The candidate with each A for the features as they came, from those for standardised ones."""
    path = tuple(replace(at, transformation=frozen(at.transformation / spread)) for at in candidate.path)
    return replace(candidate, transformation=path[-1].transformation, path=path)


def _why_it_cannot_move(total: float, start: Snapshot) -> str:
    # Times ‖A‖ this is how the objective answers to a relative change of A, whatever the unit of the features. It
    # falls with the square of a small Y, from which a climb is possible all the same.
    if start.gradient_norm * np.linalg.norm(start.transformation) < _VANISHED * total and start.mean_p < SOLVED:
        return "The gradient is zero at this start; standardise the features or choose another start."
    return ""
