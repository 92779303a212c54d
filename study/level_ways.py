"""Which of many trainings came to one answer: those that a level way leads between."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np

from nca_core.run import Slot
from study.compare import Comparison
from study.landscape import AS_GOOD, asked_rows, spread
from study.measure import evaluator_of
from study.views_apart import procrustes_distances, turned_onto

_STEPS = (0.5, 0.25, 0.75)  # of the way; valleys are deepest in the middle
_MOST_WAYS = 8  # tried from each, to the nearest views that are as good


class LevelWays:
    """Joins the A's it is given one by one: f/n may be equally good on a whole plateau of different views.

    Two are of one group where both are as good, and f/n at a quarter, a half and three quarters of the straight way
    between them, one turned onto the other, is nowhere more than AS_GOOD below the lower; and so is who is joined to
    one of them.

    Parameters
    ----------
    comparison : Comparison
        What is compared.
    key : str
        The panel that was trained.
    slot : callable
        Entered around each piece of work.
    """

    def __init__(self, comparison: Comparison, key: str, slot: Slot = nullcontext) -> None:
        with slot():
            self._factor = spread(comparison, key)
            self._evaluator = evaluator_of(comparison, key, asked_rows(comparison, key))
        self._slot = slot
        self._matrices: list[np.ndarray] = []
        self._values: list[float] = []
        self._groups: list[int] = []

    def view(self, A: np.ndarray) -> np.ndarray:
        """A Rᵀ, (n_components, n_rows): two are as far apart as the places of the training rows are."""
        return np.asarray(A @ self._factor.T)

    def join(self, A: np.ndarray) -> tuple[int, ...]:
        """The number of each one's group so far, this one being the last."""
        value, number = self._mean_p(A), len(self._matrices)
        as_good = [k for k in range(number) if abs(self._values[k] - value) <= AS_GOOD]
        with self._slot():
            apart = [float(procrustes_distances([self.view(A), self.view(self._matrices[k])])[0, 1]) for k in as_good]
        self._matrices.append(A)
        self._values.append(value)
        self._groups.append(number)
        for k in [as_good[place] for place in np.argsort(apart, kind="stable")[:_MOST_WAYS]]:
            mine, other = self._groups[number], self._groups[k]
            if mine != other and self._level(A, self._matrices[k], min(value, self._values[k])):
                self._groups = [mine if group == other else group for group in self._groups]
        return tuple(self._groups)

    def _level(self, A: np.ndarray, B: np.ndarray, lower: float) -> bool:
        to = turned_onto(A, B, self._factor)
        return all(self._mean_p(A + step * (to - A)) >= lower - AS_GOOD for step in _STEPS)

    def _mean_p(self, A: np.ndarray) -> float:
        with self._slot():
            return self._evaluator.evaluate(A).mean_p
