"""What an optimiser is given and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np


class ValueAndGradient(Protocol):
    """What is maximised: a call gives value and gradient, a mean over points where the objective is a sum.

    The gradient is a new array each time, or one that nobody changes any more: an optimiser keeps the last.
    The variables are A, or the diagonal of a diagonal A, in units that suit the optimiser.

    Attributes
    ----------
    n_samples : int
        Number of points.
    random_state : int
        Seed for an optimiser that draws.
    """

    n_samples: int
    random_state: int

    def larger_unit(self, variables: np.ndarray, /) -> float:
        """How many times longer a first step should be; 1 unless Y lies within a point."""

    def __call__(self, variables: np.ndarray, /) -> tuple[float, np.ndarray]: ...


class InBatches(ValueAndGradient, Protocol):
    """What is maximised by an optimiser that draws points."""

    def of_queries(self, variables: np.ndarray, queries: np.ndarray, /) -> np.ndarray:
        """An estimate of the gradient from the terms of the points `queries` alone."""


OnStep = Callable[[np.ndarray], None]  # of an array in which the optimiser may go on: who keeps it copies it


@dataclass(frozen=True)
class OptimiserResult:
    """How an optimiser ended.

    Attributes
    ----------
    ended : str
        "converged", "max_iter" or "stopped", as in Trajectory; "cannot_move" is added by `train`.
    reason : str
        The same in one plain sentence.
    at_the_most : bool
        It ended because next to nothing is left to gain, however A is changed.
    """

    ended: str
    reason: str
    at_the_most: bool = False


def at_the_maximum(max_iter: int) -> OptimiserResult:
    """It made all the iterations that it may."""
    return OptimiserResult("max_iter", f"Reached the maximum of {max_iter} iteration{'' if max_iter == 1 else 's'}.")
