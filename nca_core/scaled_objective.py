"""ScaledObjective: an objective as an optimiser sees it, independent of units and of the number of points."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np

from nca_core.evaluator import Evaluation, Evaluator

_REFERENCES = 10_000


class ScaledObjective:
    """Value and gradient in A / units, divided by `total`, so that an optimiser's constants mean the same for every
    unit of the features and every size of data; only the diagonal answers where A is diagonal.

    Parameters:
        evaluator: of the objective.
        evaluate: evaluates an A, in its turn and with whatever is to be kept of it.
        units: what A is measured in, a number or one for each feature, (n_features,).
        total: what the objective is divided by.
        diagonal: A stays diagonal.
        random_state: seed of an optimiser that draws.
        slot: gives a context to enter around each gradient of a batch.
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
        at = self._evaluate(transformation * self._units)
        return at.objective / self._total, self._in_units(at.gradient)

    def of_queries(self, transformation: np.ndarray, queries: np.ndarray) -> np.ndarray:
        """The gradient from the terms of these points alone, among all points or, of many, a sample of them."""
        n = self.n_samples
        references = self._rng.choice(n, _REFERENCES, replace=False) if n > 2 * _REFERENCES else None
        with self._slot():
            gradient = self._evaluator.gradient_of_queries(transformation * self._units, queries, references)
        return self._in_units(gradient)

    def _in_units(self, gradient: np.ndarray) -> np.ndarray:
        scaled = gradient * (self._units / self._total)
        return np.diag(np.diag(scaled)) if self._diagonal else scaled
