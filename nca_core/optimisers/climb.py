"""climbing: a method as an optimiser, which ends where the objective has next to nothing to gain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nca_core.optimisers.result import OnStep, OptimiserResult, ValueAndGradient, at_the_maximum

_GAIN = 0.5  # of tol,
_IN_A_ROW = 3  # so many times one after another: a climb that curves round a bend gains little for a step or two
_LEFT = 1e-2  # of tol: where so little is left to gain, a climb would only make A larger, without end

OnClimbed = Callable[[np.ndarray, float], None]  # of the variables after an iteration, and the value there


@dataclass(frozen=True)
class Climbed:
    """Where a method came to.

    Attributes
    ----------
    reached : ndarray
        The variables, of the shape of the start.
    iterations : int
        How many it made.
    end : str
        What ended it, where it was neither asked to nor at its most iterations: "no step", where none was found that
        climbs, or what else it says.
    """

    reached: np.ndarray
    iterations: int
    end: str


# method(evaluate, start, unit, max_iter, on_climbed): climbs n_samples times the objective, as a function of the
# variables / unit. So the values are sums, as scikit-learn's: the longest step that L-BFGS may take is absolute.
Method = Callable[[ValueAndGradient, np.ndarray, float, int, OnClimbed], Climbed]


def climbing(method: Method) -> Callable[[ValueAndGradient, np.ndarray, int, float, OnStep], OptimiserResult]:
    """The method as an optimiser; where its line search fails it begins anew from the point it reached."""

    def optimise(
        evaluate: ValueAndGradient, start: np.ndarray, max_iter: int, tol: float, on_step: OnStep
    ) -> OptimiserResult:
        largest = getattr(evaluate, "largest", np.inf)  # not every objective has a bound
        first = previous = evaluate(start)[0]
        if largest - first <= _LEFT * tol:
            return OptimiserResult("converged", "Converged at its start: there is nothing left to gain.", True)
        variables, unit, made, ended = start, 1.0, 0, ""
        slow = 0  # iterations in a row that gained next to nothing

        # Ends are found by the gain alone: how large a gradient is depends on the unit of the features.
        def on_climbed(variables: np.ndarray, reached: float) -> None:
            nonlocal previous, ended, slow
            gained, previous = reached - previous, reached
            try:
                on_step(variables)
            except StopIteration:
                ended = "stopped"
                raise
            left = largest - reached  # tol at most: one that gains no more ends it, for f scikit-learn's rule
            if left <= _LEFT * tol or (left <= tol and gained <= tol * (1.0 - left)):
                ended = "largest"
                raise StopIteration
            slow = slow + 1 if gained <= _GAIN * tol * max(reached - first, 1.0) else 0
            if slow == _IN_A_ROW:
                ended = "gain"
                raise StopIteration

        while True:
            ended, slow = "", 0
            climbed = method(evaluate, variables, unit, max_iter - made, on_climbed)
            variables, made = climbed.reached, made + climbed.iterations
            if ended == "stopped":
                return OptimiserResult("stopped", "Stopped.")
            if made >= max_iter:
                return at_the_maximum(max_iter)
            larger = evaluate.larger_unit(variables) / unit
            if larger > 1.5:  # Y lies within a point: what looks like an end is a step that was too short
                unit *= larger
                continue
            converged = f"Converged after {made} {'iteration' if made == 1 else 'iterations'}"
            if ended == "largest":
                return OptimiserResult("converged", f"{converged}: there is next to nothing left to gain.", True)
            if ended == "gain":
                return OptimiserResult("converged", f"{converged}: the last three gained next to nothing.")
            if climbed.end != "no step":
                return OptimiserResult("converged", f"{converged}: {climbed.end}.")
            if climbed.iterations == 0:
                return OptimiserResult("converged", f"{converged}: no step climbs any more.")
            # What the method remembers of the curvature led nowhere, the gradient itself may still.

    return optimise
