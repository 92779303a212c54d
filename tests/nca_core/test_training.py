"""Trainings and optimisers end where they should, their snapshots tell the truth, and published numbers come out."""

from contextlib import contextmanager, nullcontext
from dataclasses import replace

import numpy as np
import pytest
import scipy.optimize
from sklearn.datasets import load_digits, load_iris

from nca_core import NCAClassifier
from nca_core.accuracy import k_mean_entropy
from nca_core.objectives import OBJECTIVES
from nca_core.objectives.evaluator import Evaluator
from nca_core.optimisers import FULL_BATCH, OPTIMISERS, minimise
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train
from nca_core.training.problem import Problem, Recorder, TrainingStopped
from nca_core.training.starts import INITIALISATIONS, scaled_start
from tests.nca_core import textbook


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_every_optimiser_climbs_every_objective(wine, optimiser, objective):
    trajectory = train(*wine, TrainingConfig(optimiser=optimiser, objective=objective, max_iter=60))
    values = [snapshot.objective for snapshot in trajectory.snapshots]
    assert trajectory.ended in ("converged", "max_iter")
    assert trajectory.reason
    assert np.all(np.diff(values) >= -1e-9 * np.abs(values[:-1]))
    # "pairs" wants all mates of a point near, not some of them: p_i stays lower, the classes are apart all the same.
    assert trajectory.snapshots[-1].mean_p > (0.85 if objective in ("pairs", "mcml", "pair_weights") else 0.98)
    assert trajectory.snapshots[-1].accuracy_knn > 0.98


@pytest.mark.parametrize(("initialisation", "n_components"), [*((name, 2) for name in INITIALISATIONS), ("random", 10)])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_every_start_has_a_sensible_k(wine, initialisation, n_components, scale):
    """In many components a start at which each point sees one other pulls strongly, and nowhere."""
    X, y = wine
    start = scaled_start(X * scale, y, n_components, initialisation, 0).transformation
    k = k_mean_entropy(Evaluator(X * scale, y).evaluate(start).entropy)
    assert 2.0 < k < 100.0


@pytest.mark.parametrize("scale", [100.0, 1e4])
def test_a_start_at_which_a_few_far_pairs_pull_is_widened(wine, scale):
    """The objective answers more strongly there than at a sensible K, and leads to f of 0.78 n."""
    X, y = wine
    model = NCAClassifier(2, init="identity", n_neighbors=3, keep_path=True).fit(scale * X, y)
    assert 3.0 <= model.path_[0].k_mean_entropy <= len(y) / 3
    assert model.objective_ > 0.98 * len(y)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_where_duplicates_leave_no_sensible_k_a_start_still_climbs(scale):
    """The first two pixels of digits are nearly always 0."""
    X, y = load_digits(return_X_y=True)
    end = train(scale * X[:250], y[:250], TrainingConfig(initialisation="identity", max_iter=20))
    assert end.ended == "max_iter"
    assert end.snapshots[-1].mean_p > 0.4


@pytest.mark.parametrize("standardise", [False, True])
@pytest.mark.parametrize("initialisation", [*INITIALISATIONS, "given"])
def test_neither_the_unit_of_x_nor_the_size_of_a_start_changes_a_training(wine, initialisation, standardise):
    """From starts that are scaled in both units, by the estimator and by `train`."""
    X, y = wine
    X = 1e3 * X * np.random.default_rng(1).uniform(0.5, 2.0, X.shape[1])
    y = np.where(np.arange(len(y)) % 7 > 0, y, (y + 1) % 3)  # not separable, so that no climb is at its end
    A = np.random.default_rng(0).normal(size=(2, X.shape[1]))
    options = {"standardise": standardise, "random_state": 0, "max_iter": 4}

    def climbed(unit, size):
        init = size * A if initialisation == "given" else initialisation
        yield NCAClassifier(2, init=init, n_neighbors=3, keep_path=True, **options).fit(unit * X, y).path_
        if initialisation != "given":
            config = TrainingConfig(initialisation=initialisation, **options)
            yield train(unit * X, y, config, measure_accuracy=False).snapshots

    for here, there in zip(climbed(1.0, 1.0), climbed(2.0**-20, 2.0**-10), strict=True):
        assert len(here) == len(there) == 5
        for one, two in zip(here, there, strict=True):
            assert two.objective == pytest.approx(one.objective, rel=1e-3)
            np.testing.assert_allclose(2.0**-20 * two.transformation, one.transformation, rtol=0.01, atol=1e-5)


def test_snapshots_are_measured_at_their_own_transformation(wine):
    X, y = wine
    trajectory = train(X, y, TrainingConfig(max_iter=12, regularisation=0.5))
    assert [s.iteration for s in trajectory.snapshots] == list(range(len(trajectory.snapshots)))
    for snapshot in trajectory.snapshots:
        at = Evaluator(X, y, regularisation=0.5).evaluate(snapshot.transformation)
        assert snapshot.objective == pytest.approx(at.objective, rel=1e-12)
        assert snapshot.gradient_norm == pytest.approx(np.linalg.norm(at.gradient), rel=1e-9, abs=1e-12)


def test_without_its_path_a_training_is_the_same_from_its_start_to_its_end(wine):
    seen = []
    whole = train(*wine, TrainingConfig(max_iter=10))
    ends = train(*wine, TrainingConfig(max_iter=10), seen.append, keep_path=False)
    assert [snapshot.iteration for snapshot in seen] == list(range(11))
    assert [snapshot.iteration for snapshot in ends.snapshots] == [0, 10]
    for kept, there in zip(ends.snapshots, (whole.snapshots[0], whole.snapshots[-1]), strict=True):
        np.testing.assert_array_equal(kept.transformation, there.transformation)
        assert kept.objective == there.objective
    assert (ends.ended, ends.reason) == (whole.ended, whole.reason)


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@pytest.mark.parametrize("turns", [0, 1, 2, 6])
def test_a_slot_that_refuses_ends_the_training(optimiser, turns):
    X, y = textbook.blobs(n=60, classes=3)
    given = 0

    @contextmanager
    def slot():
        nonlocal given
        if given == turns:
            raise TrainingStopped
        given += 1
        yield

    config = TrainingConfig(optimiser=optimiser, scale_start=False)
    if turns == 0:  # not even the start
        with pytest.raises(TrainingStopped):
            train(X, y, config, slot=slot)
        return
    end = train(X, y, config, slot=slot)
    assert end.ended == "stopped"
    assert given == turns


def test_the_last_two_are_not_computed_again():
    problem, computed = Problem(Recorder(np.zeros((2, 1)), np.zeros(2), nullcontext), 2), []

    def ask(value):
        def compute():
            computed.append(value)
            return 10.0 * value

        assert problem.cached(np.array([value]), compute) == 10.0 * value

    for value in (1.0, 2.0, 1.0, 2.0, 3.0, 2.0, 1.0):
        ask(value)
    assert computed == [1.0, 2.0, 3.0, 1.0]
    variables = np.array([1.0, 2.0])
    assert problem.cached(variables, lambda: 1.0) == 1.0
    variables[1] = 3.0  # an optimiser goes on in its array, which is another place then
    assert problem.cached(variables, lambda: 2.0) == 2.0
    assert problem.cached(np.array([1.0, 2.0]), lambda: 3.0) == 1.0
    assert problem.cached(np.array([[1.0, 3.0]]), lambda: 4.0) == 4.0  # of another shape


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
def test_where_no_step_climbs_it_ends_and_says_why(optimiser):
    """On a level; and on a cliff, which falls off everywhere but at the start, whatever its gradient says."""
    level = Ascent(lambda A: 1.0, np.zeros_like)
    cliff = Ascent(lambda A: float(A.any()), lambda A: -np.ones_like(A))
    taken = []
    for problem, why in ((level, "the gradient is zero"), (cliff, "no step climbs any more")):
        end = FULL_BATCH[optimiser](problem, np.zeros((1, 2)), 50, 1e-5, taken.append)
        assert (end.ended, end.reason) == ("converged", f"Converged after 0 iterations: {why}.")
    assert not taken


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
