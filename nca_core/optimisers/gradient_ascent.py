"""Gradient ascent with a step size for each entry of A, by the delta-bar-delta rule (Jacobs 1988)."""

from __future__ import annotations

import numpy as np

from nca_core.optimisers.result import OnStep, OptimiserResult, ValueAndGradient, at_the_maximum

_UP, _DOWN, _MEMORY = 0.05, 0.7, 0.7


def gradient_ascent(
    evaluate: ValueAndGradient, start: np.ndarray, max_iter: int, tol: float, on_step: OnStep
) -> OptimiserResult:
    """Each entry's step grows by a share while its gradient keeps its sign against the running mean, and is cut to
    a share when it turns; a step that lowers the objective is taken back and every step size halved.

    Jacobs adds a constant where this adds a share: so the unit of the features does not matter.
    """
    A = start.copy()
    value, gradient = evaluate(A)
    largest = np.abs(gradient).max()
    if largest == 0.0:
        return OptimiserResult("converged", "The gradient is zero.")
    steps = np.full_like(A, 0.1 * max(np.abs(A).max(), 1e-12) / largest)
    mean = np.zeros_like(A)
    for iteration in range(1, max_iter + 1):
        for _ in range(40):
            proposal = A + steps * gradient
            new_value, new_gradient = evaluate(proposal)
            if new_value >= value:
                break
            steps *= 0.5
        else:
            return OptimiserResult("converged", f"Converged after {iteration - 1} iterations: no step climbs any more.")
        agreement = mean * new_gradient
        steps *= np.where(agreement > 0, 1 + _UP, np.where(agreement < 0, _DOWN, 1.0))
        mean = (1 - _MEMORY) * new_gradient + _MEMORY * mean
        gained = new_value - value
        A, value, gradient = proposal, new_value, new_gradient
        try:
            on_step(A)
        except StopIteration:
            return OptimiserResult("stopped", "Stopped.")
        if gained <= 1e-4 * tol * max(abs(value), 1e-12):
            return OptimiserResult("converged", f"Converged after {iteration} iterations.")
    return at_the_maximum(max_iter)
