"""L-BFGS, BFGS and conjugate gradients, as scipy has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nca_core.optimisers.result import OnStep, OptimiserResult, ValueAndGradient

_NO_STEP = 2  # scipy's status where a line search finds no step
_GAIN = 0.5  # of tol,
_IN_A_ROW = 3  # so many times one after another: a climb that curves round a bend gains little for a step or two
_LEFT = 1e-2  # of tol: where so little is left to gain, a climb would only make A larger, without end


def with_scipy(method: str) -> Callable[..., OptimiserResult]:
    """The method as an optimiser; where its line search fails it begins anew from the point it reached."""

    def optimise(
        evaluate: ValueAndGradient, start: np.ndarray, max_iter: int, tol: float, on_step: OnStep
    ) -> OptimiserResult:
        from scipy.optimize import minimize

        # Times n the values are sums again, as scikit-learn's: the longest step that L-BFGS may take is absolute.
        n, unit, ended = evaluate.n_samples, 1.0, ""
        largest = getattr(evaluate, "largest", np.inf)  # not every objective has a bound
        previous = -np.inf
        slow = 0  # iterations in a row that gained next to nothing

        def sized(flat: np.ndarray) -> np.ndarray:
            return flat.reshape(start.shape) if unit == 1.0 else flat.reshape(start.shape) * unit

        def descend(flat: np.ndarray) -> tuple[float, np.ndarray]:
            value, gradient = evaluate(sized(flat))
            return -n * value, -n * unit * gradient.ravel()

        def callback(intermediate_result) -> None:  # type: ignore[no-untyped-def]
            nonlocal previous, ended, slow
            reached = -float(intermediate_result.fun) / n
            gained, previous = reached - previous, reached
            try:
                on_step(sized(intermediate_result.x))
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

        # Ends are found in `callback`, by the gain alone: how large a gradient is depends on the unit of the features.
        options: dict[str, Any] = {"maxiter": max_iter, "gtol": 0.0}
        if method == "L-BFGS-B":
            options |= {"ftol": 0.0, "maxfun": 20 * max_iter + 100, "maxcor": 10}
        minimise: Any = minimize  # its stubs cannot say "jac=True with a method from a table"
        reached, made = start.ravel(), 0
        first = previous = evaluate(start)[0]
        if largest - first <= _LEFT * tol:
            return OptimiserResult("converged", "Converged at its start: there is nothing left to gain.", True)
        while True:
            ended, slow = "", 0
            result = minimise(descend, reached, jac=True, method=method, callback=callback, options=options)
            made += result.nit
            if ended == "stopped":
                return OptimiserResult("stopped", "Stopped.")
            if made >= max_iter:
                return OptimiserResult("max_iter", f"Reached the maximum of {max_iter} iterations.")
            larger = evaluate.larger_unit(sized(result.x)) / unit
            options["maxiter"] = max_iter - made
            if larger > 1.5:  # Y lies within a point: what looks like an end is a step that was too short
                reached, unit = result.x / larger, unit * larger
                continue
            converged = f"Converged after {made} {'iteration' if made == 1 else 'iterations'}"
            if ended == "largest":
                return OptimiserResult("converged", f"{converged}: there is next to nothing left to gain.", True)
            if ended == "gain":
                return OptimiserResult("converged", f"{converged}: the last three gained next to nothing.")
            if result.success:
                return OptimiserResult("converged", f"{converged}: the gradient is zero.")
            if result.status != _NO_STEP:
                return OptimiserResult("converged", f"{converged}: {result.message}.")
            if result.nit == 0:
                return OptimiserResult("converged", f"{converged}: no step climbs any more.")
            # What the method remembers of the curvature led nowhere, the gradient itself may still.
            reached = result.x

    return optimise
