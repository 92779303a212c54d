"""ScaledObjective: an objective as an optimiser sees it, independent of units and of the number of points."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np

from nca_core.evaluator import Evaluation, Evaluator

_REFERENCES = 10_000


class ScaledObjective:
    """Value and gradient of objective / total as a function of A / units.

    So an optimiser's constants mean the same for every unit of the features and every number of points. Where A stays
    diagonal, the gradient is that of its diagonal.

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
        self.n_samples = evaluator.n_samples
        self.random_state = random_state
        self._rng = np.random.default_rng(random_state)

    def __call__(self, transformation: np.ndarray) -> tuple[float, np.ndarray]:
        """Value and gradient.

        Parameters
        ----------
        transformation : ndarray
            A / units, (n_components, n_features).

        Returns
        -------
        tuple[float, ndarray]
            The scaled objective, and its gradient in A / units, (n_components, n_features).
        """
        at = self._evaluate(transformation * self._units)
        return at.objective / self._total, self._in_units(at.gradient)

    def of_queries(self, transformation: np.ndarray, queries: np.ndarray) -> np.ndarray:
        """An estimate of the gradient from the terms of some points alone.

        Parameters
        ----------
        transformation : ndarray
            A / units, (n_components, n_features).
        queries : ndarray
            Row numbers of these points, (n_queries,). Their neighbours are all points or, of more than 20,000, a
            random 10,000.

        Returns
        -------
        ndarray
            (n_components, n_features).
        """
        n = self.n_samples
        references = self._rng.choice(n, _REFERENCES, replace=False) if n > 2 * _REFERENCES else None
        with self._slot():
            gradient = self._evaluator.gradient_of_queries(transformation * self._units, queries, references)
        return self._in_units(gradient)

    def _in_units(self, gradient: np.ndarray) -> np.ndarray:
        scaled = gradient * (self._units / self._total)
        return np.diag(np.diag(scaled)) if self._diagonal else scaled
