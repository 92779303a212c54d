"""ScaledObjective: an objective as an optimiser sees it, independent of units and of the number of points."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np

from nca_core.evaluation import Evaluation
from nca_core.evaluator import Evaluator

_REFERENCES = 10_000
_COLLAPSED = 0.1  # spread of Y below which every pair has nearly the same weight


class ScaledObjective:
    """Value and gradient of objective / total as a function of A / units.

    So an optimiser's constants mean the same for every unit of the features and every number of points. Of an A that
    stays diagonal the optimiser sees the diagonal alone, n_features numbers instead of their square.

    Parameters
    ----------
    evaluator : Evaluator
        Of the objective.
    evaluate : callable
        Evaluates an A, in its turn and with whatever is to be kept of it.
    units : float or ndarray
        What A is measured in, a number or one for each feature, (n_features,).
    total : float
        What the objective is divided by.
    diagonal : bool
        A stays diagonal.
    random_state : int
        Seed of an optimiser that draws.
    slot : callable
        Gives a context to enter around each gradient of a batch.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        evaluate: Callable[[np.ndarray], Evaluation],
        units: float | np.ndarray,
        total: float,
        diagonal: bool,
        random_state: int,
        slot: Callable[[], AbstractContextManager[object]],
    ) -> None:
        self._evaluator, self._evaluate, self._slot = evaluator, evaluate, slot
        self._units, self._total, self._diagonal = units, total, diagonal
        self._plain = bool(np.all(np.asarray(units) == 1.0))
        self.n_samples = evaluator.n_samples
        self.largest = evaluator.largest
        self.random_state = random_state
        self._rng = np.random.default_rng(random_state)

    def variables(self, transformation: np.ndarray) -> np.ndarray:
        """What the optimiser changes, from A: A / units, or the diagonal of that, (n_features,)."""
        scaled = transformation / self._units
        return np.diag(scaled).copy() if self._diagonal else scaled

    def transformation(self, variables: np.ndarray) -> np.ndarray:
        """A, (n_components, n_features), from what the optimiser changes; where its units are 1, that very array."""
        A = np.diag(variables) if self._diagonal else variables
        return A if self._plain else A * self._units

    def larger_unit(self, variables: np.ndarray) -> float:
        """How many times longer a first step should be; 1 unless Y lies within a point.

        Where all weights are nearly 1, every step that is not as long as the data are small gains next to nothing,
        and looks like the end of a climb.
        """
        A, spread = self.transformation(variables), self._evaluator.spread
        if np.linalg.norm(A * spread) >= _COLLAPSED or not spread.any():
            return 1.0
        natural = 1.0 / np.sqrt(np.mean(spread**2))  # of A, for a Y of about unit spread
        return max(1.0, float(natural / np.mean(self._units)))

    def __call__(self, variables: np.ndarray) -> tuple[float, np.ndarray]:
        """Value and gradient.

        Parameters
        ----------
        variables : ndarray
            A / units, (n_components, n_features); its diagonal, (n_features,), of an A that stays diagonal.

        Returns
        -------
        tuple[float, ndarray]
            The scaled objective, and its gradient in the variables, of their shape.
        """
        at = self._evaluate(self.transformation(variables))
        return at.objective / self._total, self._in_units(at.gradient)

    def of_queries(self, variables: np.ndarray, queries: np.ndarray) -> np.ndarray:
        """An estimate of the gradient from the terms of some points alone.

        Parameters
        ----------
        variables : ndarray
            As for a call.
        queries : ndarray
            Row numbers of these points, (n_queries,). Their neighbours are all points or, of more than 20,000, a
            random 10,000.

        Returns
        -------
        ndarray
            Of the shape of the variables.
        """
        n = self.n_samples
        references = self._rng.choice(n, _REFERENCES, replace=False) if n > 2 * _REFERENCES else None
        with self._slot():
            A = self.transformation(variables)
            gradient = self._evaluator.gradient_of_queries(A, queries, references)
        return self._in_units(gradient)

    def _in_units(self, gradient: np.ndarray) -> np.ndarray:
        scaled = gradient * (self._units / self._total)
        return np.diag(scaled).copy() if self._diagonal else scaled
