"""Best of several starts, and a sample before all points."""

import time
from contextlib import contextmanager

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine

from nca_core.estimators.nca import NeighborhoodComponentsAnalysis
from nca_core.features.rows import stratified_sample
from nca_core.objectives.evaluator import Evaluator
from nca_core.training import run as run_module
from nca_core.training import starts as best_start
from nca_core.training.config import TrainingConfig
from nca_core.training.gate import Gate
from nca_core.training.nca import train
from nca_core.training.problem import TrainingStopped
from nca_core.training.run import TrainingRun
from nca_core.training.starts import (
    INITIALISATIONS,
    TRAINED_INITIALISATIONS,
    scaled_start,
)


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    deviation = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0), y


def test_digits_in_two_dimensions_reach_a_good_optimum(digits):
    """From PCA alone f/n ends near 0.84; the best of several must reach 0.88."""
    X, y = digits
    end = train(X, y, TrainingConfig(initialisation="best_of_several", max_iter=100), measure_accuracy=False)
    assert end.snapshots[-1].mean_p >= 0.88


def test_a_training_reports_what_was_tried_and_goes_on_from_the_best():
    X, y = load_wine(return_X_y=True)
    config = TrainingConfig(initialisation="best_of_several", standardise=True, max_iter=3, tol=1e-12)
    end = train(X, y, config, measure_accuracy=False)
    assert len({(c.initialisation, c.scale) for c in end.starts}) == len(end.starts) >= 4
    found = [candidate.mean_p for candidate in end.starts]
    assert found == sorted(found, reverse=True)
    np.testing.assert_array_equal(end.starts[0].transformation, end.snapshots[0].transformation)
    for candidate in end.starts:
        assert Evaluator(X, y).evaluate(candidate.transformation).mean_p == pytest.approx(candidate.mean_p, rel=1e-9)
        assert not candidate.transformation.flags.writeable
        short_run = candidate.path
        np.testing.assert_array_equal(short_run[-1].transformation, candidate.transformation)
        assert [at.iteration for at in short_run] == list(range(len(short_run)))
        assert len(short_run) > 3
        for at in short_run:
            assert Evaluator(X, y).evaluate(at.transformation).mean_p == pytest.approx(at.mean_p, rel=1e-9)
        assert short_run[0].mean_p < candidate.mean_p
    assert sum(len(candidate.path) for candidate in end.starts) <= best_start.MOST_CANDIDATE_SNAPSHOTS
    assert end.snapshots[0].starts == end.starts
    assert end.snapshots[1].starts == ()
    assert train(X, y, TrainingConfig(max_iter=1)).starts == ()
    run = TrainingRun(X, y, config, gate=Gate())
    run.start()
    assert run.wait_for_end(60)
    run.stop()
    assert [c.mean_p for c in run.trajectory.starts] == [c.mean_p for c in end.starts]


@pytest.mark.parametrize(("pace", "seconds", "least"), [(0.0, 100.0, 0.0), (1e-6, 0.1, 0.45)])
def test_a_run_waits_at_its_start_until_the_short_runs_were_shown(monkeypatch, pace, seconds, least):
    monkeypatch.setattr(run_module, "SECONDS_A_START", seconds)
    X, y = load_wine(return_X_y=True)
    config = TrainingConfig(initialisation="best_of_several", standardise=True, max_iter=3)
    run = TrainingRun(X, y, config, gate=Gate(), min_interval=pace)
    run.start()
    assert run.wait_for(1, 60)
    began = time.monotonic()
    assert run.trajectory.starts != ()
    assert run.wait_for(2, 60)
    assert time.monotonic() - began >= least
    run.stop()


@pytest.mark.parametrize("initialisation", INITIALISATIONS)
def test_a_start_takes_turns_and_can_be_refused(wine, initialisation):
    X, y = wine
    turns = 0

    @contextmanager
    def slot(most=None):
        nonlocal turns
        if turns == most:
            raise TrainingStopped
        turns += 1
        yield

    start = scaled_start(X, y, 2, initialisation, 0, slot=slot).transformation
    np.testing.assert_array_equal(start, scaled_start(X, y, 2, initialisation, 0).transformation)
    assert turns > 10 if initialisation in TRAINED_INITIALISATIONS else turns == 1
    all_turns, turns = turns, 0
    with pytest.raises(TrainingStopped):
        scaled_start(X, y, 2, initialisation, 0, slot=lambda: slot(all_turns // 2))
    assert turns == all_turns // 2


def test_a_sample_first_brings_the_whole_near_its_optimum(digits):
    X, y = digits
    config = TrainingConfig(initialisation="sample_first", max_iter=20)
    first = train(X, y, config, measure_accuracy=False).snapshots[0]
    plain = train(X, y, TrainingConfig(initialisation="lda", max_iter=20), measure_accuracy=False).snapshots[0]
    assert first.mean_p > plain.mean_p + 0.1


@pytest.fixture
def two_halves():
    """Features 0 and 1 tell the classes of the first half apart, 2 and 3 those of the second."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(1200, 4)) * 1.2, np.arange(1200) % 3
    X[:600, :2] += 4.0 * np.array([[0, 0], [1, 0], [0, 1]])[y[:600]]
    X[600:, 2:] += 4.0 * np.array([[0, 0], [1, 0], [0, 1]])[y[600:]]
    return X, y


@pytest.mark.parametrize("initialisation", sorted(TRAINED_INITIALISATIONS))
@pytest.mark.parametrize("first", [True, False])
def test_a_trained_start_climbs_with_the_weights(two_halves, initialisation, first):
    X, y = two_halves
    weights = np.where((np.arange(1200) < 600) == first, 1.0, 0.0)
    config = TrainingConfig(initialisation=initialisation, max_iter=1)
    end = train(X, y, config, sample_weight=weights, measure_accuracy=False)
    regardless = scaled_start(X, y, 2, initialisation, 0).transformation
    weighted = Evaluator(X, y, sample_weight=weights)
    assert weighted.evaluate(end.snapshots[0].transformation).mean_p > weighted.evaluate(regardless).mean_p + 1e-3
    for candidate in end.starts:
        assert weighted.evaluate(candidate.transformation).mean_p == pytest.approx(candidate.mean_p, rel=1e-9)


def test_weights_that_the_sample_misses_still_give_a_start(two_halves, monkeypatch):
    X, y = two_halves
    monkeypatch.setattr(best_start, "_MOST_POINTS", 30)
    weights = np.zeros(1200)
    seed = np.random.default_rng(0).integers(2**31 - 1)  # which the start draws its points by
    sample = stratified_sample(y, 30, np.random.default_rng(seed))
    weights[np.setdiff1d(np.arange(1200), sample)[0]] = 1.0
    assert scaled_start(X, y, 2, "best_of_several", 0, sample_weight=weights).candidates[0].mean_p > 0.4


@pytest.mark.parametrize("initialisation", sorted(TRAINED_INITIALISATIONS))
def test_a_trained_start_of_a_diagonal_training_is_diagonal(initialisation):
    """A full one would lose what was learnt when all but its columns' lengths is dropped."""
    X, y = load_wine(return_X_y=True)
    config = TrainingConfig(
        n_components=13, shape="diagonal", initialisation=initialisation, standardise=True, max_iter=1
    )
    end = train(X, y, config, measure_accuracy=False)
    start = end.snapshots[0]
    assert np.count_nonzero(start.transformation) <= 13
    if end.starts:
        assert start.mean_p == pytest.approx(end.starts[0].mean_p, rel=1e-9)
        for candidate in end.starts:
            np.testing.assert_array_equal(candidate.transformation, np.diag(np.diag(candidate.transformation)))
    nca = NeighborhoodComponentsAnalysis(init=initialisation, shape="diagonal", max_iter=1, random_state=0)
    assert np.count_nonzero(nca.fit(X / X.std(axis=0), y).components_) <= 13
    assert nca.set_params(n_components=2).fit(X, y).components_.shape == (13, 13)


def test_a_sample_has_each_class_with_its_share():
    y = np.repeat([0, 1, 2, 3], [700, 250, 49, 1])
    rows = stratified_sample(y, 100, np.random.default_rng(0))
    assert np.bincount(y[rows]).tolist() == [70, 25, 5, 1]
    assert len(np.unique(rows)) == len(rows)
    np.testing.assert_array_equal(stratified_sample(y, 5_000, np.random.default_rng(0)), np.arange(1000))


def test_a_sample_of_more_classes_than_it_can_hold():
    """Two of each would be everybody: 288 s for the best of several on 100,000 points with 50,000 classes."""
    y = np.concatenate([np.repeat(np.arange(3000), 2), np.full(2000, 3000), np.arange(3001, 5001)])
    rows = stratified_sample(y, 100, np.random.default_rng(0))
    assert len(np.unique(rows)) == len(rows) <= 200
    codes, members = np.unique(y[rows], return_counts=True)
    assert members[codes == 3000] == 20  # its share
    assert (members[codes < 3000] == 2).all()
    assert codes.max() == 3000  # single members teach nothing
    assert stratified_sample(y, 5_000, np.random.default_rng(0)).size <= 10_000
