"""Trainings end where they should, their snapshots tell the truth, and published numbers come out."""

from contextlib import contextmanager, nullcontext

import numpy as np
import pytest

from nca_core.accuracy.stochastic_rule import k_mean_entropy
from nca_core.accuracy.votes import Neighbourhood
from nca_core.objectives import OBJECTIVES
from nca_core.objectives.evaluator import Evaluator
from nca_core.optimisers import OPTIMISERS
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


@pytest.mark.parametrize("initialisation", INITIALISATIONS)
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_every_start_has_a_sensible_k(wine, initialisation, scale):
    X, y = wine
    start = scaled_start(X * scale, y, 2, initialisation, 0).transformation
    k = k_mean_entropy(Evaluator(X * scale, y).evaluate(start).entropy)
    assert 2.0 < k < 100.0


def test_snapshots_are_measured_at_their_own_transformation(wine):
    X, y = wine
    trajectory = train(X, y, TrainingConfig(max_iter=12, regularisation=0.5))
    assert [s.iteration for s in trajectory.snapshots] == list(range(len(trajectory.snapshots)))
    for snapshot in trajectory.snapshots:
        at = Evaluator(X, y, regularisation=0.5).evaluate(snapshot.transformation)
        assert snapshot.objective == pytest.approx(at.objective, rel=1e-12)
        assert snapshot.gradient_norm == pytest.approx(np.linalg.norm(at.gradient), rel=1e-9, abs=1e-12)
        assert snapshot.k_mean_entropy == pytest.approx(k_mean_entropy(at.entropy), rel=1e-12)
        ks = (1, round(snapshot.k_mean_entropy))
        accuracies = Neighbourhood(X @ snapshot.transformation.T, y).leave_one_out(ks)
        assert (snapshot.accuracy_1nn, snapshot.accuracy_knn) == accuracies


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


def test_a_penalty_keeps_the_scale_of_a_down(wine):
    free, held = (train(*wine, TrainingConfig(regularisation=v)).snapshots[-1] for v in (0.0, 2.0))
    assert np.linalg.norm(held.transformation) < 0.8 * np.linalg.norm(free.transformation)
    assert held.k_mean_entropy > free.k_mean_entropy


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


@pytest.fixture
def problem():
    return Problem(Recorder(np.zeros((2, 1)), np.zeros(2), nullcontext), 2)


def test_the_last_two_are_not_computed_again(problem):
    computed = []

    def ask(value):
        def compute():
            computed.append(value)
            return 10.0 * value

        assert problem.once(np.array([value]), compute) == 10.0 * value

    for value in (1.0, 2.0, 1.0, 2.0, 3.0, 2.0, 1.0):
        ask(value)
    assert computed == [1.0, 2.0, 3.0, 1.0]


def test_an_array_in_which_an_optimiser_goes_on_is_another_place(problem):
    variables = np.array([1.0, 2.0])
    assert problem.once(variables, lambda: 1.0) == 1.0
    variables[1] = 3.0
    assert problem.once(variables, lambda: 2.0) == 2.0
    assert problem.once(np.array([1.0, 2.0]), lambda: 3.0) == 1.0
    assert problem.once(np.array([[1.0, 3.0]]), lambda: 4.0) == 4.0  # of another shape
