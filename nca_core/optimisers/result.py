"""What an optimiser is given and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np


class ValueAndGradient(Protocol):
    """What is maximised: a call gives value and gradient at A, a mean over points where the objective is a sum.

    Attributes
    ----------
    n_samples : int
        Number of points.
    random_state : int
        Seed for an optimiser that draws.
    """

    n_samples: int
    random_state: int

    def __call__(self, transformation: np.ndarray) -> tuple[float, np.ndarray]: ...

    def of_queries(self, transformation: np.ndarray, queries: np.ndarray) -> np.ndarray:
        """An estimate of the gradient from the terms of the points `queries` alone."""


OnStep = Callable[[np.ndarray], None]


@dataclass(frozen=True)
class OptimiserResult:
    """How an optimiser ended.

    Attributes
    ----------
    ended : str
        "converged", "max_iter" or "stopped", as in Trajectory; "cannot_move" is added by `train`.
    reason : str
        The same in one plain sentence.
    """

    ended: str
    reason: str
