"""L-BFGS takes scipy's steps; its line search fulfils Wolfe's conditions wherever there is a step that does."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize, rosen, rosen_der
from sklearn.datasets import load_wine

from nca_core.evaluator import Evaluator
from nca_core.optimisers import FULL_BATCH
from nca_core.optimisers.l_bfgs import PAIRS, CurvaturePairs, lbfgs
from nca_core.optimisers.line_search import LONGEST, Place, wolfe_step


class Descent:
    """Minus a function, to be climbed; counts how often it is asked."""

    random_state = 0

    def __init__(self, function, gradient, n_samples=1):
        self.function, self.gradient, self.n_samples, self.asked = function, gradient, n_samples, 0

    def __call__(self, x):
        self.asked += 1
        return -self.function(x), -self.gradient(x)

    def larger_unit(self, x):
        return 1.0


def both_paths(function, gradient, start, most):
    """[(x, function) after each iteration], how often it was asked: ours, then scipy's."""
    ours, theirs, asked = [], [], 0

    def counted(x):
        nonlocal asked
        asked += 1
        return function(x)

    climbed = Descent(function, gradient)
    lbfgs(climbed, start, 1.0, most, lambda x, value: ours.append((x.copy(), -value)))
    options = {"maxiter": most, "maxfun": 10_000, "ftol": 0.0, "gtol": 0.0, "maxcor": PAIRS}
    keep = lambda intermediate_result: theirs.append((intermediate_result.x.copy(), intermediate_result.fun))  # noqa: E731
    minimize(counted, start, jac=gradient, method="L-BFGS-B", callback=keep, options=options)
    return ours, climbed.asked, theirs, asked


@pytest.mark.parametrize("size", [4, 8, 30])
@pytest.mark.parametrize("seed", range(3))
def test_it_takes_the_steps_of_scipy(size, seed):
    start = 1.5 * np.random.default_rng(seed).normal(size=size)
    ours, asked, theirs, asked_there = both_paths(rosen, rosen_der, start, 24)
    assert len(ours) == len(theirs) == 24 > 2 * PAIRS
    assert asked == asked_there
    for (x, value), (there, value_there) in zip(ours, theirs, strict=True):
        assert x == pytest.approx(there, rel=1e-6, abs=1e-9)
        assert value == pytest.approx(value_there, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("unit", [1.0, 0.01])
def test_it_takes_them_for_an_objective_of_nca_too(unit):
    """Of the sum over points, and of A in other units: the first step depends on both."""
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    evaluator, start = Evaluator(X, y), np.random.default_rng(0).normal(size=(3, 13)) / 6.0
    n = len(X)

    def mean(A):
        at = evaluator.evaluate(A)
        return -at.objective / n, -at.gradient / n

    ours, theirs = [], []
    climbed = Descent(lambda A: mean(A)[0], lambda A: mean(A)[1], n)
    lbfgs(climbed, start, unit, 15, lambda A, value: ours.append(A))

    def scaled(flat):
        value, gradient = mean(flat.reshape(3, 13) * unit)
        return n * value, n * unit * gradient.ravel()

    keep = lambda intermediate_result: theirs.append(intermediate_result.x.reshape(3, 13) * unit)  # noqa: E731
    options = {"maxiter": 15, "ftol": 0.0, "gtol": 0.0}
    minimize(scaled, start.ravel() / unit, jac=True, method="L-BFGS-B", callback=keep, options=options)
    assert np.array(ours) == pytest.approx(np.array(theirs), rel=1e-5, abs=1e-7)


def _wiggly(x, beta=0.01, waves=39):
    """(value, slope) of Moré and Thuente's third function, section 5: many a step on it looks like an end."""
    near = abs(x - 1.0) <= beta
    base = 0.5 * (x - 1.0) ** 2 / beta + 0.5 * beta if near else abs(x - 1.0)
    slope = (x - 1.0) / beta if near else np.sign(x - 1.0)
    turn = 0.5 * waves * np.pi
    return base + (1.0 - beta) / turn * np.sin(turn * x), slope + (1.0 - beta) * np.cos(turn * x)


LINES = {  # the first two are theirs too
    "hill": lambda x: (-x / (x**2 + 2.0), (x**2 - 2.0) / (x**2 + 2.0) ** 2),
    "steep": lambda x: (
        (x + 0.004) ** 5 - 2.0 * (x + 0.004) ** 4,
        5.0 * (x + 0.004) ** 4 - 8.0 * (x + 0.004) ** 3,
    ),
    "wiggly": _wiggly,
    "parabola": lambda x: ((x - 3.0) ** 2, 2.0 * (x - 3.0)),
    "quartic": lambda x: (x**4 - x, 4.0 * x**3 - 1.0),
    "flat end": lambda x: (np.exp(-x), -np.exp(-x)),
}


NARROWED = ("steep", "wiggly")  # so flat at 0 that an interval is narrow enough before its ends are as flat


def a_step_of_both(line, step):
    """(start, found, scipy's step, whether both looked as often): along a line, by a first step of so much."""
    looked, theirs, asked = [], [], 0

    def value(x):
        return float(line(float(x[0]) * step)[0])

    def slope(x):
        return np.array([step * line(float(x[0]) * step)[1]])

    def look(at):
        looked.append(at)
        return Place(at, value([at]), float(slope([at])[0]))

    def counted(x):
        nonlocal asked
        asked += 1
        return value(x)

    start = look(0.0)
    found = wolfe_step(look, start, 1.0)
    assert found is None or found.step == looked[-1]
    keep = lambda intermediate_result: theirs.append(intermediate_result.x[0])  # noqa: E731
    options = {"maxiter": 1, "ftol": 0.0, "gtol": 0.0}
    minimize(counted, np.zeros(1), jac=slope, method="L-BFGS-B", callback=keep, options=options)
    # Where it looked last, it need not look again.
    return start, found, theirs[0], sum(a != b for a, b in pairwise([None, *looked])) == asked


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("step", [1e-1, 1.0, 10.0, 1e3])
def test_a_step_is_scipys_and_fulfils_wolfes_conditions(line, step):
    start, found, theirs, as_often = a_step_of_both(LINES[line], step)
    assert found is not None
    assert found.value <= start.value + 1e-3 * found.step * start.slope
    if line not in NARROWED:
        assert abs(found.slope) <= 0.9 * abs(start.slope)
    assert theirs == pytest.approx(found.step, rel=1e-6)
    assert as_often


def test_on_waves_of_all_kinds_a_step_is_scipys():
    """Bent up or down, with steps from far too short to far too long: each way in which an interval is narrowed."""
    rng = np.random.default_rng(0)
    for _ in range(400):
        heights, waves, phases = rng.exponential(size=4), rng.exponential(5.0, size=4), rng.uniform(0.0, 7.0, 4)
        tilt = -float((heights * waves) @ np.cos(phases)) - rng.exponential()  # down from 0,
        bend = abs(tilt) + rng.exponential()  # and up in the end

        def line(x, bend=bend, heights=heights, waves=waves, phases=phases, tilt=tilt):
            wave, far = waves * x + phases, np.sqrt(1.0 + x * x)
            value = bend * far + tilt * x + heights @ np.sin(wave)
            return value, bend * x / far + tilt + (heights * waves) @ np.cos(wave)

        _, found, theirs, as_often = a_step_of_both(line, float(10.0 ** rng.uniform(-3.0, 2.0)))
        assert found is not None
        assert theirs == pytest.approx(found.step, rel=1e-5)
        assert as_often


def two_loops(pairs, g):
    """H g by Nocedal's two loops: another way to the same."""
    q, shares = g.copy(), []
    for s, y in reversed(pairs):
        shares.append((s @ q) / (s @ y))
        q -= shares[-1] * y
    s, y = pairs[-1]
    q *= (s @ y) / (y @ y)
    for (s, y), share in zip(pairs, reversed(shares), strict=True):
        q += (share - (y @ q) / (s @ y)) * s
    return q


@pytest.mark.parametrize("skipped", [(), (2, 5, 13)])
def test_a_direction_is_that_of_the_two_loops(skipped):
    """Also where the oldest pairs are forgotten, and where some steps leave none."""
    rng = np.random.default_rng(0)
    half = rng.normal(size=(20, 20))
    curvature = half @ half.T + np.eye(20)
    x = rng.normal(size=20)
    memory, kept = CurvaturePairs(20, 0.25), []
    g = -curvature @ x
    assert memory.times(g) == pytest.approx(0.25 * g)
    for turn in range(25):
        direction = memory.times(g)
        if kept:
            assert direction == pytest.approx(two_loops(kept[-PAIRS:], g), rel=1e-8)
        s = 0.3 * direction
        after = g - curvature @ s
        if turn not in skipped:
            memory.add(0.3, direction, (g, after), float(s @ (g - after)))
            kept.append((s, g - after))
        g = after
    assert len(memory) == PAIRS
    memory.forget()
    assert memory.times(g) == pytest.approx(0.25 * g)


def test_what_is_no_number_ends_no_climb():
    def function(x):
        with np.errstate(invalid="ignore", divide="ignore"):
            return float(np.sum(x - np.log(x)))  # least at 1; beyond 0 no number

    climbed = Descent(function, lambda x: 1.0 - 1.0 / x)
    end = lbfgs(climbed, np.array([40.0, 0.01]), 100.0, 60, lambda x, value: None)
    assert end.reached == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(("scale", "unit"), [(1e-165, 1e12), (1e200, 1.0)])
def test_slopes_beyond_what_float64_squares_end_it_without_a_warning(scale, unit):
    climbed = Descent(lambda x: scale * float(x @ x) / 2.0, lambda x: scale * x)
    with np.errstate(over="ignore"):  # of the function itself
        end = lbfgs(climbed, np.ones(2), unit, 20, lambda x, value: None)
    assert np.isfinite(end.reached).all()


def test_where_the_gradient_is_zero_it_says_so():
    flat = Descent(lambda x: 1.0, np.zeros_like)
    end = FULL_BATCH["l-bfgs"](flat, np.ones((1, 2)), 50, 1e-5, lambda A: None)
    assert (end.ended, end.reason) == ("converged", "Converged after 0 iterations: the gradient is zero.")


@pytest.mark.parametrize("at", [0, 3])
def test_after_a_search_that_finds_nothing_the_gradient_is_followed(monkeypatch, at):
    """At its first step there is nothing else to follow, and the climb says so."""
    asked = []

    def gives_up_once(look, start, step):
        asked.append(step)
        return None if len(asked) == at + 1 else wolfe_step(look, start, step)

    monkeypatch.setattr("nca_core.optimisers.l_bfgs.wolfe_step", gives_up_once)
    climbed = Descent(rosen, rosen_der)
    end = lbfgs(climbed, np.array([-1.2, 1.0]), 1.0, 100, lambda x, value: None)
    if at == 0:
        assert (end.iterations, end.end) == (0, "no step")
    else:
        assert end.reached == pytest.approx(1.0, abs=1e-6)


def test_a_step_that_is_tried_again_ends_the_search():
    """As far as it may go, on a plain whose slope is what rounding makes of it."""
    slopes = iter([-6.1e-12, -0.0, -1.0])
    found = wolfe_step(lambda step: Place(step, 1.0, next(slopes)), Place(0.0, 1.0, -1.04e-23), LONGEST)
    assert found == Place(LONGEST, 1.0, -0.0)
