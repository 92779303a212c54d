"""MatrixProblem: an objective of NCA climbed in A, independent of the units of X and of the number of points."""

from __future__ import annotations

import numpy as np

from nca_core.objectives.evaluator import Evaluation, Evaluator
from nca_core.optimisers import OptimiserResult
from nca_core.snapshot import Candidate
from nca_core.training.problem import Iterate, Problem, Recorder

_REFERENCES = 10_000
_COLLAPSED = 0.1  # spread of Y below which every pair has nearly the same weight
_VANISHED = 1e-30
_NEARLY_ALL = 0.95  # mean p_i from which a larger A may be better still, without end
SOLVED = 0.999  # mean p_i from which a start is as good as an end


class MatrixProblem(Problem):
    """objective / total as a function of A / units, or of the diagonal of that.

    So an optimiser's constants mean the same for every unit of the features and every number of points.

    evaluator: of the objective.
    recorder: gives turns to compute.
    initial: A of iteration 0, (n_components, n_features).
    units: what A is measured in, a number or one for each feature, (n_features,).
    total: what the objective is divided by.
    diagonal: A stays diagonal; the variables are its diagonal, (n_features,).
    optimiser: Key of OPTIMISERS.
    random_state: seed of an optimiser that draws.
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
        self._plain = bool(np.all(np.asarray(units) == 1.0))
        self._rng = np.random.default_rng(random_state)
        self._start = self.variables(initial)
        self.first: Evaluation

    def variables(self, transformation: np.ndarray) -> np.ndarray:
        """A / units, or the diagonal of that, (n_features,)."""
        scaled = transformation / self._units
        return np.diag(scaled).copy() if self.diagonal else scaled

    def transformation(self, variables: np.ndarray) -> np.ndarray:
        """A, (n_components, n_features); where its units are 1, that very array."""
        A = np.diag(variables) if self.diagonal else variables
        return A if self._plain else A * self._units

    def start(self) -> np.ndarray:
        return self._start

    def evaluation(self, A: np.ndarray) -> Evaluation:
        """Everything known at A."""
        return self.once(A, lambda: self.evaluator.evaluate(A))

    def __call__(self, variables: np.ndarray) -> tuple[float, np.ndarray]:
        at = self.evaluation(self.transformation(variables))
        return at.objective / self.total, self._in_units(at.gradient)

    def of_queries(self, variables: np.ndarray, queries: np.ndarray) -> np.ndarray:
        """An estimate of the gradient from the terms of some points alone.

        variables: as for a call.
        queries: row numbers of these points, (n_queries,). Their neighbours are all points or, of more than 20,000, a
            random 10,000.

        Returns an array of the shape of the variables.
        """
        n = self.n_samples
        references = self._rng.choice(n, _REFERENCES, replace=False) if n > 2 * _REFERENCES else None
        with self.recorder.slot():
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
        return self.shown(A, at, norm, {"starts": self._starts} if first else {})

    def shown(self, A: np.ndarray, at: Evaluation, gradient_norm: float, fields: dict[str, object]) -> Iterate:
        """The iterate as it is recorded."""
        return Iterate(A, at.objective, gradient_norm, at, fields=fields)

    def why_not(self) -> str:
        # Times ‖A‖ this is how the objective answers to a relative change of A, whatever the unit of the features. It
        # falls with the square of a small Y, from which a climb is possible all the same.
        gradient = np.diag(self.first.gradient) if self.diagonal else self.first.gradient
        answer = np.linalg.norm(gradient) * np.linalg.norm(self._initial)
        if answer < _VANISHED * self.total and self.first.mean_p < SOLVED:
            return "The gradient is zero at this start; standardise the features or choose another start."
        return ""

    def conclude(self, result: OptimiserResult) -> OptimiserResult:
        stayed = self.recorder.snapshots[-1].iteration == self.recorder.snapshots[0].iteration
        if stayed and result.ended == "converged" and not result.at_the_most and self.first.mean_p < SOLVED:
            return OptimiserResult("cannot_move", "No step from this start raises the objective; choose another one.")
        return result

    def k_determined(self) -> bool:
        """False where twice A is at least as good as A: on separable data the objective rises with the size of A for
        ever, so K̂, which falls with it, tells where the climb was ended and nothing of the data."""
        A, at = self._last
        if self.evaluator.penalised or at.mean_p < _NEARLY_ALL:
            return True
        with self.recorder.slot():
            return not self.evaluator.rises_with_size(at.p) and self.evaluator.objective_at(2.0 * A) < at.objective
