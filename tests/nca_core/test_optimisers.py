"""What the optimisers do where a line search finds no step, and how they end."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.optimize
from sklearn.datasets import load_iris

from nca_core.optimisers import FULL_BATCH, OPTIMISERS, minimise
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train

their_minimise = scipy.optimize.minimize


@pytest.mark.parametrize("optimiser", ["l-bfgs", "bfgs", "cg"])
def test_a_failed_line_search_is_not_called_convergence(wine, optimiser, monkeypatch):
    """Seen with BFGS on digits: it gave up at a gradient of 0.1 a point, and climbs on when begun anew."""
    asked = []

    def gives_up_once(*arguments, options, **others):
        asked.append(options["maxiter"])
        if len(asked) > 1:
            return their_minimise(*arguments, options=options, **others)
        result = their_minimise(*arguments, options=options | {"maxiter": 4}, **others)
        result.update(status=2, success=False, message="no step")
        return result

    monkeypatch.setattr(scipy.optimize, "minimize", gives_up_once)
    end = train(*wine, TrainingConfig(optimiser=optimiser, max_iter=100, tol=1e-8))
    assert asked == [100, 96]
    assert end.ended == "converged"
    assert end.snapshots[-1].gradient_norm < 1e-5 * len(wine[1]) < end.snapshots[4].gradient_norm
    assert [s.iteration for s in end.snapshots] == list(range(len(end.snapshots)))
    assert f"after {len(end.snapshots) - 1} iterations" in end.reason


class Ascent:
    """Minus a function and its gradient, for points of that number."""

    random_state, largest = 0, np.inf

    def __init__(self, function, gradient, n_samples=1):
        self.function, self.gradient, self.n_samples = function, gradient, n_samples

    def __call__(self, x):
        return -self.function(x), -self.gradient(x)

    def larger_unit(self, x):
        return 1.0


@pytest.mark.parametrize("method", ["L-BFGS-B", "BFGS", "CG"])
def test_a_climb_in_units_is_scipys_of_the_sum_over_variables_in_these_units(method):
    start, unit, n = np.array([[-1.2, 1.0], [0.3, 0.7]]), 0.25, 7
    rosen, slope = scipy.optimize.rosen, scipy.optimize.rosen_der
    evaluate = Ascent(lambda x: rosen(x.ravel()), lambda x: slope(x.ravel()).reshape(x.shape), n)
    ours, theirs = [], []
    minimise(method, evaluate, start, unit, 20, lambda x, value: ours.append((x.ravel(), value)))
    their_minimise(
        lambda z: n * rosen(unit * z),
        start.ravel() / unit,
        jac=lambda z: n * unit * slope(unit * z),
        method=method,
        callback=lambda intermediate_result: theirs.append((unit * intermediate_result.x, intermediate_result.fun)),
        options={"maxiter": 20, "gtol": 0.0},
    )
    assert len(ours) == len(theirs) == 20
    np.testing.assert_allclose([x for x, _ in ours], [x for x, _ in theirs], rtol=1e-9)
    np.testing.assert_allclose([value for _, value in ours], [-fun / n for _, fun in theirs], rtol=1e-9)


@pytest.mark.parametrize("optimiser", ["l-bfgs", "bfgs", "cg"])
def test_where_the_gradient_is_zero_it_says_so(optimiser):
    end = FULL_BATCH[optimiser](Ascent(lambda x: 1.0, np.zeros_like), np.ones((1, 2)), 50, 1e-5, lambda A: None)
    assert (end.ended, end.reason) == ("converged", "Converged after 0 iterations: the gradient is zero.")


@pytest.mark.parametrize("optimiser", ["l-bfgs", "bfgs", "cg"])
def test_no_step_at_all_ends_it(optimiser):
    class Cliff:
        """Falls off everywhere but at the start, whatever its gradient says."""

        n_samples, random_state, largest = 1, 0, np.inf

        def __call__(self, A):
            return (0.0 if not A.any() else -1.0), np.ones_like(A)

        def larger_unit(self, A):
            return 1.0

    taken = []
    end = FULL_BATCH[optimiser](Cliff(), np.zeros((1, 2)), 50, 1e-5, lambda A: taken.append(A.copy()))
    assert end.ended == "converged"
    assert not taken
    assert end.reason == "Converged after 0 iterations: no step climbs any more."


@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_iterations_are_numbered_and_limited(wine, optimiser):
    end = train(*wine, TrainingConfig(optimiser=optimiser, max_iter=3))
    assert [s.iteration for s in end.snapshots] == [0, 1, 2, 3]
    assert (end.ended, end.reason) == ("max_iter", "Reached the maximum of 3 iterations.")


@pytest.mark.parametrize("data", ["iris", "spread out"])
@pytest.mark.parametrize(("objective", "best"), [("f", 1.0), ("g", 0.0)])
def test_a_climb_ends_where_nothing_is_left_to_gain(objective, best, data):
    """On separable data A would grow for ever, and each iteration gain a little: one that gains no more than `tol`
    ends it as soon as no more is left, as scikit-learn's rule does."""
    X, y = load_iris(return_X_y=True)
    X, y, d = X[:100], y[:100], 2
    if data == "spread out":  # each iteration halves what is left
        rng = np.random.default_rng(0)
        y, d = rng.integers(0, 3, 60), 60
        X = 0.3 * (rng.normal(size=(60, 60)) + rng.normal(0, 0.3, (3, 60))[y])
    asked = TrainingConfig(objective=objective, n_components=d, scale_start=d == 2, max_iter=200)
    end = train(X, y, asked, measure_accuracy=False)
    assert end.ended == "converged"
    assert "almost nothing is left to gain" in end.reason
    left = best - np.array([snapshot.objective / len(X) for snapshot in end.snapshots])
    ends = (left[1:] <= 1e-5) & (-np.diff(left) <= 1e-5 * (1.0 - left[1:])) | (left[1:] <= 1e-7)
    assert [*np.flatnonzero(ends)] == [len(left) - 2]
    on = train(X, y, replace(asked, max_iter=len(left) + 3, tol=0.0), measure_accuracy=False)
    assert len(on.snapshots) > len(left)
