"""Problem: what a training climbs. climb: the one loop of all trainings. Recorder: a Snapshot for each iteration."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from nca_core.accuracy.accuracies import Accuracies, accuracies_of
from nca_core.accuracy.stochastic_rule import k_mean_entropy, k_mean_perplexity, rounded_k
from nca_core.objectives.evaluator import Evaluation, Evaluator
from nca_core.optimisers import OPTIMISERS, OptimiserResult
from nca_core.snapshot import Snapshot, Trajectory, append_to, frozen

Slot = Callable[[], AbstractContextManager[object]]
T = TypeVar("T")


class TrainingStopped(Exception):
    """Raised by `slot` to end a training before its next piece of work, even within a line search."""


@dataclass(frozen=True)
class Iterate:
    """What a problem knows of one iterate, to be recorded."""

    transformation: np.ndarray  # the matrix that is shown, (n_components, n_features)
    objective: float  # what is climbed, and the norm of its gradient
    gradient_norm: float
    # the sums over neighbours at this iterate; None: those of plain NCA at `transformation`
    at: Evaluation | None = None
    project: Callable[[Any], np.ndarray] | None = None  # projects rows; None: by `transformation`
    fields: dict[str, Any] | None = None  # further fields of the Snapshot


class Recorder:
    """Measures each iterate, hands its Snapshot on, and keeps the time that computing took.

    X, y: training rows, (n_samples, n_features), and their class codes, negative for unlabelled.
    held_out: (X_test, y_test) whose accuracy is measured along.
    random_state: seed of the accuracy's sample.
    on_snapshot: called with each Snapshot; raises StopIteration to end the training.
    slot: gives a context to enter around each piece of work.
    measure_accuracy: without, accuracies are NaN, and K̂ and mean p_i too unless the problem knows them.
    keep_path: keep all snapshots; without, the first and the last.
    first: number of the first iteration.
    """

    def __init__(
        self,
        X: Any,
        y: np.ndarray,
        slot: Slot,
        *,
        held_out: tuple[np.ndarray, np.ndarray] | None = None,
        random_state: int = 0,
        on_snapshot: Callable[[Snapshot], None] | None = None,
        measure_accuracy: bool = False,
        keep_path: bool = True,
        first: int = 0,
    ) -> None:
        self._X, self._y, self._held_out, self._seed = X, y, held_out, random_state
        self._on_snapshot, self.slot, self._measure, self._keep_path = on_snapshot, slot, measure_accuracy, keep_path
        self._first, self._seconds = first, 0.0
        self._neighbours: Evaluator | None = None
        self.snapshots: list[Snapshot] = []

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A turn to compute, whose time counts."""
        with self.slot():
            began = time.perf_counter()
            yield
            self._seconds += time.perf_counter() - began

    def record(self, iterate: Iterate) -> None:
        """Measure an iterate and hand its Snapshot on."""
        A = frozen(np.array(iterate.transformation, dtype=np.float64))
        at, measured, unknown = iterate.at, Accuracies(), float("nan")
        if self._measure:
            with self.slot():
                if at is None:
                    self._neighbours = self._neighbours or Evaluator(self._X, self._y)
                    at = self._neighbours.evaluate(A)
                project = iterate.project or (lambda rows: rows @ A.T)
                tested = None if self._held_out is None else (project(self._held_out[0]), self._held_out[1])
                k = rounded_k(k_mean_entropy(at.entropy))
                measured = accuracies_of(project(self._X), self._y, tested, k, self._seed)
        snapshot = Snapshot(
            iteration=self.snapshots[-1].iteration + 1 if self.snapshots else self._first,
            transformation=A,
            objective=iterate.objective,
            mean_p=unknown if at is None else at.mean_p,
            gradient_norm=iterate.gradient_norm,
            k_mean_entropy=unknown if at is None else k_mean_entropy(at.entropy),
            k_mean_perplexity=unknown if at is None else k_mean_perplexity(at.entropy),
            accuracy_1nn=measured.leave_one_out_1nn,
            accuracy_knn=measured.leave_one_out_knn,
            held_out_1nn=measured.held_out_1nn,
            held_out_knn=measured.held_out_knn,
            seconds=self._seconds,
            summation="dense" if at is None else at.summation,
            **(iterate.fields or {}),
        )
        append_to(self.snapshots, snapshot, self._keep_path)
        if self._on_snapshot is not None:
            self._on_snapshot(snapshot)


class Problem:
    """What a training climbs, over variables of any shape; optimisers call it for value and gradient.

    A problem gives `start`, `value_and_gradient` and `describe`; the other methods have defaults.

    recorder: gives turns to compute.
    n_samples: number of points; the value is a mean over them where the objective is a sum.
    total: what the objective is divided by for the optimiser.
    """

    takes_parts = False  # X may be in parts
    compares_targets = False  # numeric targets by a similarity
    regresses = False  # numeric targets as they are
    optimiser = "l-bfgs"
    largest = np.inf  # that the value can reach
    random_state = 0

    def __init__(self, recorder: Recorder, n_samples: int, total: float = 1.0) -> None:
        self.recorder, self.n_samples, self.total = recorder, n_samples, total
        self._known: tuple[tuple[np.ndarray, Any], ...] = ()

    # What every problem gives

    def start(self) -> Any:
        """The variables of iteration 0."""
        raise NotImplementedError

    def value_and_gradient(self, variables: np.ndarray) -> tuple[float, np.ndarray]:
        """The objective and its gradient."""
        raise NotImplementedError

    def describe(self, variables: Any) -> Iterate:
        """What is recorded of an iterate."""
        raise NotImplementedError

    # What a problem may change

    def why_not(self) -> str:
        """Why nothing can be climbed, after the start was recorded; empty where it can."""
        return ""

    def settled(self) -> bool:
        """Whether the iterate recorded last needs no further one."""
        return False

    def larger_unit(self, variables: np.ndarray) -> float:
        """How many times longer a first step should be."""
        return 1.0

    def ascend(self, start: Any, max_iter: int, tol: float, on_step: Callable[[Any], None]) -> OptimiserResult:
        """Climb from the start."""
        return OPTIMISERS[self.optimiser](self, start, max_iter, tol, on_step)  # type: ignore[arg-type]

    def conclude(self, result: OptimiserResult) -> OptimiserResult:
        """How it ended, from how the optimiser ended."""
        return result

    def k_determined(self) -> bool:
        """False where the objective rises with the size of A for ever, so that K̂ says nothing of the data."""
        return True

    # What optimisers call

    def __call__(self, variables: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = self.value_and_gradient(variables)
        return value / self.total, gradient / self.total

    def once(self, variables: np.ndarray, compute: Callable[[], T]) -> T:
        """What `compute` gives at these variables, in a turn; the last two results are kept, as an optimiser asks
        again for the iterate that it has just accepted."""
        for there, found in self._known:
            if np.array_equal(there, variables):
                return found
        there = variables.copy()  # an optimiser goes on in the same array
        with self.recorder.turn():
            result = compute()
        self._known = ((there, result), *self._known[:1])
        return result


def climb(problem: Problem, max_iter: int, tol: float) -> Trajectory:
    """Climb a problem from its start, with a Snapshot for each iteration."""
    recorder = problem.recorder
    start, determined, stopped = problem.start(), True, OptimiserResult("stopped", "Stopped.")

    def on_step(variables: Any) -> None:
        recorder.record(problem.describe(variables))
        if problem.settled():
            raise StopIteration

    try:
        recorder.record(problem.describe(start))
        why = problem.why_not()
        if why:
            result = OptimiserResult("cannot_move", why)
        else:
            try:
                settled = problem.settled()
                result = OptimiserResult("converged", "") if settled else problem.ascend(start, max_iter, tol, on_step)
            except StopIteration:
                result = stopped
            result = problem.conclude(result)
            determined = problem.k_determined()
    except (StopIteration, TrainingStopped):
        result = stopped
    snapshots = tuple(recorder.snapshots)
    starts = snapshots[0].starts if snapshots else ()
    return Trajectory(snapshots, result.ended, result.reason, starts, determined)
