"""Problem: what a training climbs. climb: the one loop of all trainings. Recorder: a Snapshot for each iteration.

MatrixProblem: an objective of NCA climbed in A, independent of the units of X and of the number of points."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from nca_core.accuracy import QUERIES, Neighbourhood, rounded_k
from nca_core.objectives.evaluator import Evaluation, Evaluator, Slot
from nca_core.optimisers import BATCHED_ROWS, OPTIMISERS, OptimiserResult, by_batches, reached_max_iter
from nca_core.snapshot import Candidate, Snapshot, Trajectory, frozen

LARGEST = 1e60  # of A, or a root of Q; a line search may ask for more, and takes no such step
T = TypeVar("T")


class TrainingStopped(Exception):
    """Raised by `slot` to end a training before its next piece of work, even within a line search."""


@dataclass(frozen=True)
class Iterate:
    """One iterate, as a problem describes it to the recorder."""

    transformation: np.ndarray  # the matrix that is shown, (n_components, n_features)
    objective: float  # what is climbed, and the norm of its gradient
    gradient_norm: float
    # the sums over neighbours at this iterate; None: those of plain NCA at `transformation`
    at: Evaluation | None = None
    project: Callable[[Any], np.ndarray] | None = None  # projects rows; None: by `transformation`
    fields: dict[str, Any] | None = None  # further fields of the Snapshot


class Recorder:
    """Measure each iterate, pass its Snapshot on, and count the time spent computing.

    X, y: training rows, (n_samples, n_features), and their class codes, negative for unlabelled.
    held_out: (X_test, y_test) whose accuracy is measured along.
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
    def timed_slot(self) -> Iterator[None]:
        """A slot to compute in, whose time counts."""
        with self.slot():
            began = time.perf_counter()
            yield
            self._seconds += time.perf_counter() - began

    def record(self, iterate: Iterate) -> None:
        A = frozen(np.array(iterate.transformation, dtype=np.float64))
        at, fields = iterate.at, dict(iterate.fields or {})
        if self._measure:
            with self.slot():
                if at is None:
                    self._neighbours = self._neighbours or Evaluator(self._X, self._y)
                    at = self._neighbours.evaluate(A)
                project = iterate.project or (lambda rows: rows @ A.T)
                tested = None if self._held_out is None else (project(self._held_out[0]), self._held_out[1])
                points = Neighbourhood(project(self._X), self._y, max_queries=QUERIES, random_state=self._seed)
                fields |= points.accuracies(tested, rounded_k(at.k_mean_entropy))
        if at is not None:
            of_evaluation = ("mean_p", "k_mean_entropy", "k_mean_perplexity", "summation")
            fields |= {name: getattr(at, name) for name in of_evaluation}
        snapshot = Snapshot(
            iteration=self.snapshots[-1].iteration + 1 if self.snapshots else self._first,
            transformation=A,
            objective=iterate.objective,
            gradient_norm=iterate.gradient_norm,
            seconds=self._seconds,
            **fields,
        )
        if not self._keep_path:
            del self.snapshots[1:]
        self.snapshots.append(snapshot)
        if self._on_snapshot is not None:
            self._on_snapshot(snapshot)


class Problem:
    """What a training climbs, over variables of any shape; optimisers call it for value and gradient.

    A problem sets `_start` and implements `describe` and, unless `__call__` or `ascend` is its own, `evaluate`.

    n_samples: number of points; the value is a mean over them where the objective is a sum.
    total: what the objective is divided by for the optimiser.
    """

    takes_parts = False  # X may be in parts
    compares_targets = False  # numeric targets by a similarity
    regresses = False  # numeric targets as they are
    optimiser = "l-bfgs"
    largest = np.inf  # that the value can reach
    random_state = 0
    nothing_to_learn = ""  # why, as a sentence

    def __init__(self, recorder: Recorder, n_samples: int, total: float = 1.0) -> None:
        self.recorder, self.n_samples, self.total = recorder, n_samples, total
        self._start: Any
        self._cache: tuple[tuple[np.ndarray, Any], ...] = ()

    def start(self) -> Any:
        """The variables of iteration 0."""
        return self._start

    # A problem implements

    def evaluate(self, variables: np.ndarray) -> tuple[Any, ...]:
        """The objective, its gradient, and whatever else is known there."""
        raise NotImplementedError

    def describe(self, variables: Any) -> Iterate:
        """Describe an iterate to the recorder."""
        raise NotImplementedError

    # Defaults that a problem may override

    def reason_to_stay(self) -> str:
        """Why the training stays at its start, which was recorded already; "" if it can climb."""
        return self.nothing_to_learn

    def converged(self) -> bool:
        """Whether the training ends at the iterate recorded last."""
        return False

    def larger_unit(self, variables: np.ndarray) -> float:
        """How many times longer a first step should be."""
        return 1.0

    def ascend(self, start: Any, max_iter: int, tol: float, on_step: Callable[[Any], None]) -> OptimiserResult:
        """Climb from the start."""
        return OPTIMISERS[self.optimiser](self, start, max_iter, tol, on_step)

    def conclude(self, result: OptimiserResult) -> OptimiserResult:
        """How the training ended, given how the optimiser ended."""
        return result

    def k_determined(self) -> bool:
        """False where the objective rises with the size of A without end, so that K̂ depends on where it stopped."""
        return True

    # Called by optimisers

    def __call__(self, variables: np.ndarray) -> tuple[float, np.ndarray]:
        """Value and gradient, means over points where the objective is a sum. Optimisers keep the gradient, so it must
        not change afterwards."""
        value, gradient, *_ = self.evaluated(variables)
        return value / self.total, gradient / self.total

    def evaluated(self, variables: np.ndarray) -> tuple[Any, ...]:
        """`evaluate`, cached."""
        return self.cached(variables, lambda: self.evaluate(variables))

    def cached(self, variables: np.ndarray, compute: Callable[[], T], enters_slot: bool = False) -> T:
        """What `compute` gives at these variables, in a timed slot unless it enters slots itself.

        The last two results are cached, as an optimiser returns to the iterate that it has just accepted."""
        for there, found in self._cache:
            if np.array_equal(there, variables):
                return found
        there = variables.copy()  # an optimiser goes on in the same array
        with nullcontext() if enters_slot else self.recorder.timed_slot():
            result = compute()
        self._cache = ((there, result), *self._cache[:1])
        return result


def climb(problem: Problem, max_iter: int, tol: float) -> Trajectory:
    """Climb a problem from its start, with a Snapshot for each iteration."""
    recorder = problem.recorder
    start, determined, stopped = problem.start(), True, OptimiserResult("stopped", "Stopped.")

    def on_step(variables: Any) -> None:
        recorder.record(problem.describe(variables))
        if problem.converged():
            raise StopIteration

    try:
        recorder.record(problem.describe(start))
        why = problem.reason_to_stay()
        if why:
            result = OptimiserResult("cannot_move", why)
        else:
            try:
                settled = problem.converged()
                result = OptimiserResult("converged", "") if settled else problem.ascend(start, max_iter, tol, on_step)
            except StopIteration:
                result = stopped
            result = problem.conclude(result)
            determined = problem.k_determined()
    except (StopIteration, TrainingStopped):
        result = stopped
    return Trajectory(tuple(recorder.snapshots), result.ended, result.reason, determined)


_REFERENCES = 10_000
_SAMPLED, _IN_A_TURN = 2_000, 250  # points of an estimate, and those between two of which a training can be stopped
# Of a training that begins with batches of rows: a million rows in ten components take ten minutes on two cores.
_PAIRS_IN_ALL = 1.8e11
_WORTH_GOING_ON = 10  # iterations on all rows, in which K̂ falls to where further ones look at few pairs
_COLLAPSED = 0.1  # spread of Y below which every pair has nearly the same weight
_VANISHED = 1e-30
NEARLY_ALL = 0.95  # mean p_i from which a larger A may be better still, without end
SOLVED = 0.999  # mean p_i from which a start is as good as an end


class _Spent(Exception):
    """A training has taken the time there is."""


class MatrixProblem(Problem):
    """objective / total as a function of A / units, or of the diagonal of that.

    So an optimiser's constants mean the same for every unit of the features and every number of points.

    initial: A of iteration 0, (n_components, n_features).
    units: what A is measured in, a number or one for each feature, (n_features,).
    total: what the objective is divided by.
    diagonal: A stays diagonal; the variables are its diagonal, (n_features,).
    starts: the starts that `initial` was chosen from.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        recorder: Recorder,
        initial: np.ndarray,
        units: float | np.ndarray,
        total: float,
        *,
        diagonal: bool = False,
        optimiser: str = "l-bfgs",
        random_state: int = 0,
        starts: tuple[Candidate, ...] = (),
    ) -> None:
        super().__init__(recorder, evaluator.n_samples, total)
        self.evaluator, self.optimiser, self.random_state = evaluator, optimiser, random_state
        self.largest = evaluator.largest
        self._initial, self._starts, self._units, self.diagonal = initial, starts, units, diagonal
        self._batches: list[np.ndarray] = []  # of the points from which all is estimated where it is sampled
        self._rng = np.random.default_rng(random_state)
        self._start = np.diag(initial / units).copy() if diagonal else initial / units
        self.first: Evaluation

    def transformation(self, variables: np.ndarray) -> np.ndarray:
        """A, (n_components, n_features)."""
        return (np.diag(variables) if self.diagonal else variables) * self._units

    def sample(self) -> None:
        """Estimate objective, gradient and K̂ from a fixed random sample of the points, and climb by batches, at the end
        of which all points may count again."""
        rng, n = np.random.default_rng([self.random_state, 1]), self.n_samples
        drawn = rng.choice(n, min(_SAMPLED, n), replace=False)
        self._batches = np.array_split(drawn, max(1, len(drawn) // _IN_A_TURN))

    def ascend(self, start: Any, max_iter: int, tol: float, on_step: Callable[[Any], None]) -> OptimiserResult:
        if not self._batches:
            return super().ascend(start, max_iter, tol, on_step)
        n_batched, n_exact, reached = 0, 0, start
        left = _PAIRS_IN_ALL - BATCHED_ROWS * self.n_samples

        def keep(variables: np.ndarray) -> None:
            nonlocal n_batched, reached
            n_batched, reached = n_batched + 1, variables
            on_step(variables)

        def goes_on(variables: np.ndarray) -> bool:
            return max_iter > n_batched + 1 and left >= _WORTH_GOING_ON * self._pairs(variables)

        def keep_exact(variables: np.ndarray) -> None:
            nonlocal n_exact, left
            n_exact += 1
            on_step(variables)
            left -= self._pairs(variables)
            if left < 0.0:
                raise _Spent

        result = by_batches(self, start, max_iter, keep, goes_on)
        if max_iter == n_batched or left < self._pairs(reached):
            cut = result.ended == "max_iter"
            return replace(result, reason=f"{result.reason} All climbed by batches of rows.") if cut else result
        self._batches, self._cache = [], ()
        try:
            exact = super().ascend(reached, max_iter - n_batched, tol, keep_exact)
        except _Spent:
            done = f"Ended after {n_batched} iterations on batches of rows and {n_exact} on all rows."
            return OptimiserResult("converged", done)
        if exact.ended != "max_iter":
            return replace(exact, reason=f"{exact.reason} Before these, {n_batched} climbed by batches of rows.")
        whole = reached_max_iter(max_iter)
        return replace(whole, reason=f"{whole.reason} The first {n_batched} climbed by batches of rows.")

    def _pairs(self, variables: np.ndarray) -> float:
        """About how many pairs an iteration on all rows looks at; the dense method does both ends of one at once."""
        return min(self.evaluator.pairs_to_visit(self.transformation(variables)), 0.5 * self.n_samples**2)

    @property
    def spread(self) -> np.ndarray:
        """Standard deviation of each feature in the units of the variables, (n_features,)."""
        return self.evaluator.spread * self._units

    def evaluation(self, A: np.ndarray) -> Evaluation:
        if self._batches:
            return self.cached(A, lambda: self.evaluator.estimate(A, self._batches, self.recorder.timed_slot), True)
        return self.cached(A, lambda: self.evaluator.evaluate(A))

    def __call__(self, variables: np.ndarray) -> tuple[float, np.ndarray]:
        at = self.evaluation(self.transformation(variables))
        return at.objective / self.total, self._in_units(at.gradient)

    def of_queries(self, variables: np.ndarray, queries: np.ndarray) -> np.ndarray:
        """An estimate of the gradient from the terms of some points alone.

        queries: row numbers of these points, (n_queries,). Their neighbours are all points or, of more than 20,000
            where the objective is exact, a random 10,000.

        Returns an array of the shape of the variables.
        """
        n = self.n_samples
        few = n > 2 * _REFERENCES and not self._batches
        references = self._rng.choice(n, _REFERENCES, replace=False) if few else None
        with self.recorder.timed_slot():
            gradient = self.evaluator.gradient_of_queries(self.transformation(variables), queries, references)
        return self._in_units(gradient)

    def _in_units(self, gradient: np.ndarray) -> np.ndarray:
        scaled = gradient * (self._units / self.total)
        return np.diag(scaled).copy() if self.diagonal else scaled

    def larger_unit(self, variables: np.ndarray) -> float:
        """How many times longer a first step should be; 1 unless Y lies within a point.

        Where all weights are nearly 1, every step that is not as long as the data are small gains next to nothing,
        and looks like the end of a climb.
        """
        A, spread = self.transformation(variables), self.evaluator.spread
        if np.linalg.norm(A * spread) >= _COLLAPSED or not spread.any():
            return 1.0
        natural = 1.0 / np.sqrt(np.mean(spread**2))  # of A, for a Y of about unit spread
        return max(1.0, float(natural / np.mean(self._units)))

    def describe(self, variables: np.ndarray) -> Iterate:
        first = variables is self._start
        A = self._initial if first else self.transformation(variables)
        at = self.evaluation(np.ascontiguousarray(A, dtype=np.float64))
        if first:
            self.first = at
        norm = float(np.linalg.norm(np.diag(at.gradient) if self.diagonal else at.gradient))
        self._last = A, at
        return self.shown(A, at, norm, {"sampled": at.sampled, **({"starts": self._starts} if first else {})})

    def shown(self, A: np.ndarray, at: Evaluation, gradient_norm: float, fields: dict[str, object]) -> Iterate:
        return Iterate(A, at.objective, gradient_norm, at, fields=fields)

    def reason_to_stay(self) -> str:
        if self.nothing_to_learn:
            return self.nothing_to_learn
        # Times ‖A‖ this is how the objective answers to a relative change of A, whatever the unit of the features. It
        # falls with the square of a small Y, from which a climb is possible all the same.
        gradient = np.diag(self.first.gradient) if self.diagonal else self.first.gradient
        answer = np.linalg.norm(gradient) * np.linalg.norm(self._initial)
        if answer < _VANISHED * self.total and self.first.mean_p < SOLVED:
            return "The gradient is zero at this start; standardise the features or choose another start."
        return ""

    def conclude(self, result: OptimiserResult) -> OptimiserResult:
        stayed = self.recorder.snapshots[-1].iteration == self.recorder.snapshots[0].iteration
        if stayed and result.ended == "converged" and not result.nothing_left and self.first.mean_p < SOLVED:
            return OptimiserResult("cannot_move", "No step from this start raises the objective; choose another one.")
        return result

    def k_determined(self) -> bool:
        """False where 2A is at least as good as A: on separable data the objective rises with the size of A without
        end, so K̂, which falls with it, depends on where the climb stopped."""
        A, at = self._last
        if self.evaluator.penalised or at.mean_p < NEARLY_ALL:
            return True
        if not self._batches and self.evaluator.rises_with_size(at):
            return False
        return self.evaluation(2.0 * A).objective < at.objective
