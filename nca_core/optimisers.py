"""OPTIMISERS: name -> optimise(evaluate, start, max_iter, tol, on_step) -> OptimiserResult.

`evaluate`, a Problem of `nca_core.training.problem`, gives value and gradient at A, as means over points where the
objective is a sum over them; `on_step(A)` is called after each iteration, with an array in which the optimiser may go
on; what it raises to end the training passes through.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

OnStep = Callable[[np.ndarray], None]
Optimiser = Callable[[Any, np.ndarray, int, float, OnStep], "OptimiserResult"]


@dataclass(frozen=True)
class OptimiserResult:
    """How an optimiser ended."""

    ended: str  # "converged" or "max_iter", as in Trajectory
    reason: str  # the same in one plain sentence
    nothing_left: bool = False  # it ended because next to nothing is left to gain, however A is changed


def reached_max_iter(max_iter: int) -> OptimiserResult:
    """The result of a climb that made `max_iter` iterations."""
    return OptimiserResult("max_iter", f"Reached the maximum of {max_iter} iteration{'' if max_iter == 1 else 's'}.")


_GAIN = 0.5  # of tol,
_IN_A_ROW = 3  # so many times one after another: a climb that curves round a bend gains little for a step or two
_LEFT = 1e-2  # of tol: where so little is left to gain, a climb would only make A larger, without end


def with_scipy(name: str) -> Optimiser:
    """Wrap scipy's method of that name; where its line search fails it restarts from the last iterate."""

    def optimise(evaluate: Any, start: np.ndarray, max_iter: int, tol: float, on_step: OnStep) -> OptimiserResult:
        largest = evaluate.largest
        first = previous = evaluate(start)[0]
        if largest - first <= _LEFT * tol:
            return OptimiserResult("converged", "Converged at its start: there is nothing left to gain.", True)
        variables, unit, n_iter, ended = start, 1.0, 0, ""
        slow = 0  # iterations in a row that gained next to nothing

        # Ends are found by the gain alone: how large a gradient is depends on the unit of the features.
        def on_climbed(variables: np.ndarray, reached: float) -> None:
            nonlocal previous, ended, slow
            gained, previous = reached - previous, reached
            ended = "stopped"  # where `on_step` raises
            on_step(variables)
            left = largest - reached  # tol at most: one that gains no more ends it, for f scikit-learn's rule
            slow = slow + 1 if gained <= _GAIN * tol * max(reached - first, 1.0) else 0
            if left <= _LEFT * tol or (left <= tol and gained <= tol * (1.0 - left)):
                ended = "largest"
            else:
                ended = "gain" if slow == _IN_A_ROW else ""
            if ended:
                raise StopIteration

        while True:
            ended, slow = "", 0
            variables, iterations, why = minimise(name, evaluate, variables, unit, max_iter - n_iter, on_climbed)
            n_iter += iterations
            if ended == "stopped":
                raise StopIteration  # which scipy takes for an end like another
            if n_iter >= max_iter:
                return reached_max_iter(max_iter)
            larger = evaluate.larger_unit(variables) / unit
            if larger > 1.5:  # Y lies within a point: what looks like an end is a step that was too short
                unit *= larger
                continue
            converged = f"Converged after {n_iter} {'iteration' if n_iter == 1 else 'iterations'}"
            if ended == "largest":
                return OptimiserResult("converged", f"{converged}: almost nothing is left to gain.", True)
            if ended == "gain":
                return OptimiserResult("converged", f"{converged}: the last three gained almost nothing.")
            if why:
                return OptimiserResult("converged", f"{converged}: {why}.")
            if iterations == 0:
                return OptimiserResult("converged", f"{converged}: no step climbs any more.")
            # The approximated curvature led nowhere; restart along the gradient.

    return optimise


_NO_STEP = (2, 99)  # scipy's status where a line search finds no step, and where the callback ended it
_OPTIONS: dict[str, dict[str, float]] = {"L-BFGS-B": {"ftol": 0.0, "maxfun": np.inf}, "BFGS": {}, "CG": {}}
_LONG = 1e8  # of variables, beside which a step of 1 keeps half of its digits


def minimise(
    name: str,
    evaluate: Any,
    start: np.ndarray,
    unit: float,
    max_iter: int,
    on_climbed: Callable[[np.ndarray, float], None],
) -> tuple[np.ndarray, int, str]:
    """Climb n_samples times the objective, as a function of the variables / unit, by scipy's method of that name.

    So the values are sums, as scikit-learn's: the longest step that L-BFGS may take is absolute. `on_climbed` gets the
    variables after each iteration and the value there; it raises StopIteration to end the climb.

    Returns the variables that were reached, the iterations made, and what ended it; empty where no step climbed.
    """
    from scipy.optimize import minimize

    n_iter, reached = 0, start
    best, gradient = evaluate(start)
    # A first step of 1 is lost in the rounding of variables that are much larger, and L-BFGS-B begins along
    # (x − g) − x, which is lost where g is short beside x. Powers of two change the size of numbers, not digits.
    unit *= _power_of_two(float(np.linalg.norm(start / unit)) / _LONG)
    size, slope = float(np.linalg.norm(start / unit)), evaluate.n_samples * unit * float(np.linalg.norm(gradient))
    n = evaluate.n_samples * (_power_of_two(size / slope) if slope > 0.0 else 1.0)

    def sized(flat: np.ndarray) -> np.ndarray:
        return flat.reshape(start.shape) * unit

    def descend(flat: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = evaluate(sized(flat))
        return -n * value, -n * unit * gradient.ravel()

    def callback(intermediate_result) -> None:  # type: ignore[no-untyped-def]
        nonlocal n_iter, best, reached
        value = -float(intermediate_result.fun) / n
        if value <= best:  # L-BFGS-B also takes a step of no length
            raise StopIteration
        n_iter, best, reached = n_iter + 1, value, sized(intermediate_result.x)
        on_climbed(reached, value)

    options = {"maxiter": max_iter, "gtol": 0.0, **_OPTIONS[name]}
    call: Any = minimize  # its stubs cannot say "jac=True with a method from a table"
    result = call(descend, start.ravel() / unit, jac=True, method=name, callback=callback, options=options)
    if not result.jac.any():
        return reached, n_iter, "the gradient is zero"
    return reached, n_iter, "" if result.success or result.status in _NO_STEP else str(result.message)


def _power_of_two(ratio: float) -> float:
    """The one next to a finite ratio above 1, else 1."""
    return 2.0 ** round(np.log2(ratio)) if 1.0 < ratio < np.inf else 1.0


_UP, _DOWN, _MEMORY = 0.05, 0.7, 0.7


def gradient_ascent(evaluate: Any, start: np.ndarray, max_iter: int, tol: float, on_step: OnStep) -> OptimiserResult:
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
    return reached_max_iter(max_iter)


_BATCH = 256
_STEPS = 20
_FIRST_MOMENT, _SECOND_MOMENT, _TINY = 0.9, 0.999, 1e-12
_RATE = 0.03
_SMALLEST_RATE = 1e-6


def stochastic(evaluate: Any, start: np.ndarray, max_iter: int, tol: float, on_step: OnStep) -> OptimiserResult:
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
    n_iter = 0
    while n_iter < max_iter:
        proposal = A.copy()
        for _ in range(steps):
            gradient = evaluate.of_queries(proposal, rng.choice(n, batch, replace=False))
            count += 1
            mean = _FIRST_MOMENT * mean + (1 - _FIRST_MOMENT) * gradient
            square = _SECOND_MOMENT * square + (1 - _SECOND_MOMENT) * gradient**2
            corrected = mean / (1 - _FIRST_MOMENT**count)
            spread = np.sqrt(square / (1 - _SECOND_MOMENT**count))
            proposal += rate * corrected / (spread + _TINY)
        new_value = evaluate(proposal)[0]
        if not new_value >= value:
            rate *= 0.5
            mean, square, count = np.zeros_like(A), np.zeros_like(A), 0
            if rate < smallest:
                return OptimiserResult("converged", f"Converged after {n_iter} iterations: no step climbs any more.")
            continue
        gained = new_value - value
        A, value = proposal, new_value
        n_iter += 1
        on_step(A)
        if gained <= 1e-4 * tol * max(abs(value), 1e-12):
            return OptimiserResult("converged", f"Converged after {n_iter} iterations.")
    return reached_max_iter(max_iter)


_FIRST_RATE, _BATCHED, _FORGETS, _LARGER = 0.02, 30, 0.99, 1.5
BATCHED_ROWS = _BATCHED * _STEPS * _BATCH  # whose terms `by_batches` sums in all


def by_batches(
    problem: Any, start: np.ndarray, max_iter: int, on_step: OnStep, goes_on: Callable[[np.ndarray], bool]
) -> OptimiserResult:
    """Adam on batches of 256 points, each summed over all others, where no exact evaluation can be paid for.

    An iteration is 20 batches. Steps shrink linearly over 30 iterations at most, in units of each feature's spread;
    in the last A grows as long as that raises the estimated value, as noise keeps it smaller than it should be, unless
    a climb on all points `goes_on` from there: with A that large it would end at a lower value.
    """
    rng = np.random.default_rng(problem.random_state)
    n, iterations = problem.n_samples, min(max_iter, _BATCHED)
    batch = min(_BATCH, n)
    per_feature = np.where(problem.spread > 0.0, 1.0 / np.where(problem.spread > 0.0, problem.spread, 1.0), 0.0)
    A, mean, square, count = start.copy(), np.zeros_like(start), np.zeros_like(start), 0
    for iteration in range(1, iterations + 1):
        for _ in range(_STEPS):
            # In these units the gradient is that of standardised features.
            gradient = problem.of_queries(A, rng.choice(n, batch, replace=False)) * per_feature
            rate = _FIRST_RATE * (1.0 - count / (_STEPS * iterations)) * np.sqrt(np.mean((A * problem.spread) ** 2))
            count += 1
            mean = _FIRST_MOMENT * mean + (1.0 - _FIRST_MOMENT) * gradient
            square = _FORGETS * square + (1.0 - _FORGETS) * gradient**2
            corrected = mean / (1.0 - _FIRST_MOMENT**count)
            root = np.sqrt(square / (1.0 - _FORGETS**count))
            A = A + rate * per_feature * np.divide(corrected, root, out=np.zeros_like(A), where=root > 0.0)
        if iteration == iterations and not goes_on(A):
            value = problem(A)[0]
            while (larger := problem(_LARGER * A)[0]) > value:
                A, value = _LARGER * A, larger
        on_step(A)
    if iterations == max_iter:
        return reached_max_iter(max_iter)
    return OptimiserResult("converged", f"Ended after {iterations} iterations on batches of rows, whose steps shrink.")


# Those that ask for value and gradient of all points at each step, and so climb any function.
FULL_BATCH: dict[str, Optimiser] = {
    "l-bfgs": with_scipy("L-BFGS-B"),
    "bfgs": with_scipy("BFGS"),
    "cg": with_scipy("CG"),
    "gradient-ascent": gradient_ascent,
}
OPTIMISERS: dict[str, Optimiser] = FULL_BATCH | {"stochastic": stochastic}
