"""Gradient ascent with a step size for each entry of A, by the delta-bar-delta rule (Jacobs 1988).

Stochastic gradient ascent: mini-batches of queries against all points or a sample of them, with Adam."""

from __future__ import annotations

import numpy as np

from nca_core.optimisers.climb import InBatches, OnStep, OptimiserResult, ValueAndGradient, at_the_maximum

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
        on_step(A)
        if gained <= 1e-4 * tol * max(abs(value), 1e-12):
            return OptimiserResult("converged", f"Converged after {iteration} iterations.")
    return at_the_maximum(max_iter)


_BATCH = 256
_STEPS = 20
_FIRST_MOMENT, _SECOND_MOMENT, _TINY = 0.9, 0.999, 1e-12
_RATE = 0.03
_SMALLEST_RATE = 1e-6


def stochastic(evaluate: InBatches, start: np.ndarray, max_iter: int, tol: float, on_step: OnStep) -> OptimiserResult:
    """Adam (Kingma and Ba 2015, algorithm 1) on batches; an iteration is up to 20 batches of 256 queries.

    After each iteration the whole objective is known anyway, for the snapshot: an iteration that lowered it is taken
    back and the step size halved, so the climb is monotone and comes to an end.
    """
    rng = np.random.default_rng(evaluate.random_state)
    n = evaluate.n_samples
    batch = min(_BATCH, n)
    steps = min(_STEPS, -(-n // batch) * 2)
    rate = _RATE * max(float(np.sqrt(np.mean(start**2))), 1e-12)
    smallest = rate * _SMALLEST_RATE / _RATE
    A = start.copy()
    value = evaluate(A)[0]
    mean, square, count = np.zeros_like(A), np.zeros_like(A), 0
    made = 0
    while made < max_iter:
        proposal, new_mean, new_square, new_count = A.copy(), mean.copy(), square.copy(), count
        for _ in range(steps):
            gradient = evaluate.of_queries(proposal, rng.choice(n, batch, replace=False))
            new_count += 1
            new_mean = _FIRST_MOMENT * new_mean + (1 - _FIRST_MOMENT) * gradient
            new_square = _SECOND_MOMENT * new_square + (1 - _SECOND_MOMENT) * gradient**2
            corrected = new_mean / (1 - _FIRST_MOMENT**new_count)
            spread = np.sqrt(new_square / (1 - _SECOND_MOMENT**new_count))
            proposal += rate * corrected / (spread + _TINY)
        new_value = evaluate(proposal)[0]
        if not new_value >= value:
            rate *= 0.5
            mean, square, count = np.zeros_like(A), np.zeros_like(A), 0
            if rate < smallest:
                return OptimiserResult("converged", f"Converged after {made} iterations: no step climbs any more.")
            continue
        gained = new_value - value
        A, value, mean, square, count = proposal, new_value, new_mean, new_square, new_count
        made += 1
        on_step(A)
        if gained <= 1e-4 * tol * max(abs(value), 1e-12):
            return OptimiserResult("converged", f"Converged after {made} iterations.")
    return at_the_maximum(max_iter)
