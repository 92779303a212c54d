"""L-BFGS, BFGS and conjugate gradients, as scipy has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nca_core.optimisers.result import OnStep, OptimiserResult, ValueAndGradient

_NO_STEP = 2  # scipy's status where a line search finds no step


def with_scipy(method: str) -> Callable[..., OptimiserResult]:
    """The method as an optimiser; where its line search fails it begins anew from the point it reached."""

    def optimise(
        evaluate: ValueAndGradient, start: np.ndarray, max_iter: int, tol: float, on_step: OnStep
    ) -> OptimiserResult:
        from scipy.optimize import minimize

        stopped = False

        def descend(flat: np.ndarray) -> tuple[float, np.ndarray]:
            value, gradient = evaluate(flat.reshape(start.shape))
            return -value, -gradient.ravel()

        def callback(intermediate_result) -> None:  # type: ignore[no-untyped-def]
            nonlocal stopped
            try:
                on_step(intermediate_result.x.reshape(start.shape))
            except StopIteration:
                stopped = True
                raise

        # The value is a mean over points, so these limits mean the same for every size of data.
        options: dict[str, Any] = {"maxiter": max_iter, "gtol": 0.1 * tol}
        if method == "L-BFGS-B":
            options |= {"ftol": 1e-4 * tol, "maxfun": 20 * max_iter + 100, "maxcor": 10}
        minimise: Any = minimize  # its stubs cannot say "jac=True with a method from a table"
        reached, made = start.ravel(), 0
        while True:
            result = minimise(descend, reached, jac=True, method=method, callback=callback, options=options)
            made += result.nit
            if stopped:
                return OptimiserResult("stopped", "Stopped.")
            if made >= max_iter:
                return OptimiserResult("max_iter", f"Reached the maximum of {max_iter} iterations.")
            if result.success:
                return OptimiserResult("converged", f"Converged after {made} iterations.")
            if result.status != _NO_STEP:
                return OptimiserResult("converged", f"Ended early: {result.message}.")
            if result.nit == 0:
                return OptimiserResult("converged", f"No step climbs any more, after {made} iterations.")
            # What the method remembers of the curvature led nowhere, the gradient itself may still.
            reached = result.x
            options["maxiter"] = max_iter - made

    return optimise
