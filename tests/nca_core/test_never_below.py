"""Never below scikit-learn's objective from the same start, whatever the unit of the features; and the true reason.

`python benchmarks/engine_against_sklearn.py` compares more data, time and memory.
"""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris, load_wine, make_classification
from sklearn.neighbors import NeighborhoodComponentsAnalysis as TheirNCA

from nca_core import NCAClassifier, NeighborhoodComponentsAnalysis
from nca_core.estimators.nca import retry_from_smaller_start
from nca_core.neighbours.base.sums import NeighbourSums
from nca_core.objectives import OBJECTIVES
from nca_core.objectives.evaluator import Evaluator
from nca_core.snapshot import Trajectory
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train

ALLOWED = 1e-5  # of the objective: rounding sends two climbs along slightly different ways


def digits():
    X, y = load_digits(return_X_y=True)
    return X[:250, 2:40], y[:250]


def noisy():
    return make_classification(120, 8, n_informative=4, n_classes=3, random_state=0)


DATA = {
    "iris": lambda: load_iris(return_X_y=True),
    "raw wine": lambda: load_wine(return_X_y=True),
    "digits": digits,
    "noisy": noisy,
}


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize(("d", "scale"), [(2, 1e-6), (None, 1e-3), (2, 1e-2), (None, 1.0), (2, 1e3), (None, 1e6)])
def test_never_below_scikit_learn(name, d, scale):
    X, y = DATA[name]()
    X = (X - X.mean(axis=0)) * scale
    theirs, ours = (
        NCA(d, init="pca" if d else "identity", random_state=0).fit(X, y)
        for NCA in (TheirNCA, NeighborhoodComponentsAnalysis)
    )
    reached = Evaluator(X, y).evaluate(theirs.components_).objective
    assert ours.objective_ >= reached * (1.0 - ALLOWED)


def frozen(scale=1e6):
    X, y = load_iris(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0) * scale, y


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("scale", [50.0, 1e6])
def test_from_a_start_with_one_neighbour_each_a_smaller_one_is_climbed(scale):
    """At 1e6 the gradient is zero; at 50 the first climb ends by itself, lower than the second."""
    X, y = frozen(scale)
    settings = {"init": "random", "random_state": 2, "max_iter": 80}
    theirs = Evaluator(X, y).evaluate(TheirNCA(2, **settings).fit(X, y).components_).objective
    heard = []
    with pytest.warns(UserWarning, match=r"from \d\S* times that start ended higher") as warned:
        model = NeighborhoodComponentsAnalysis(2, **settings, callback=lambda A, k: heard.append(k)).fit(X, y)
    assert len(warned) == 1
    assert model.objective_ > max(theirs + 5.0, 0.98 * len(y))
    assert model.objective_ == Evaluator(X, y).evaluate(model.components_).objective
    assert heard == list(range(1, model.n_iter_ + 1))  # the iterations of both climbs are counted


def test_the_better_of_both_climbs_is_kept():
    X, y = frozen()
    A = np.random.default_rng(0).normal(size=(2, 4))
    stuck = train(X, y, TrainingConfig(scale_start=False), initial=A, measure_accuracy=False).snapshots[0]
    made = 7
    first = Trajectory((stuck, replace(stuck, iteration=made)), "converged")
    asked = []

    def better(of, max_iter, objective):
        def climb(start, left, already):
            np.testing.assert_allclose(start / start[0, 0], A / A[0, 0])
            asked.append((left, already))
            return replace(of, snapshots=(replace(of.snapshots[-1], objective=objective),))

        return retry_from_smaller_start(of, X, y, max_iter, 0.5, climb)

    reached = first.snapshots[-1].objective
    again, by = better(first, 60, reached + 1.0)
    assert again.snapshots[-1].objective == reached + 1.0
    assert 0 < by < 0.1
    assert better(first, 60, reached + 0.4) == (first, 1.0)
    assert asked == [(60 - made, made)] * 2
    for untouched in (
        better(first, made, reached + 1.0),  # no iteration is left
        better(replace(first, ended="stopped"), 60, reached + 1.0),
        better(replace(first, snapshots=(replace(stuck, mean_p=0.9995),)), 60, reached + 1.0),
        better(replace(first, snapshots=(replace(first.snapshots[0], k_mean_entropy=1.2),)), 60, reached + 1.0),
    ):
        assert untouched[1] == 1.0
    assert len(asked) == 2


@pytest.mark.parametrize("objective", ["f", "log_f"])
def test_a_climb_ends_after_three_small_gains_in_a_row(objective):
    X, y = noisy()
    end = train(X, y, TrainingConfig(objective=objective, max_iter=500, tol=1e-3), measure_accuracy=False)
    assert end.ended == "converged"
    assert "the last three gained almost nothing" in end.reason
    gains = np.diff([s.objective for s in end.snapshots]) / (len(y) if objective == "f" else 1.0)
    small = gains <= 0.5 * 1e-3
    assert small[-3:].all()
    assert not np.any(small[:-3] & small[1:-2] & small[2:-1])
    assert len(gains) > 8


def test_log_f_climbs_where_every_p_underflows():
    """Two classes of far pairs: every p_i is about exp(−2e4), whose log is finite and has a slope."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 20, 3))
    X = np.concatenate([a, a + 1e-3, b + 100.0, b + 100.001])
    y = np.concatenate([np.arange(20), np.arange(20, 40), np.arange(20, 40), np.arange(20)]) // 1
    at = Evaluator(X, y, objective="log_f").evaluate(np.eye(3) * 2.0)
    assert at.objective < -1e4
    assert np.linalg.norm(at.gradient) > 1.0
    logs = np.array([-2000.0, -1990.0, -np.inf])
    sums = NeighbourSums(np.zeros(3), logs, logs, np.zeros(3))
    terms = OBJECTIVES["log_f"].terms(sums, np.ones(3), np.array([1.0, 2.0, 5.0]))
    assert terms.value == pytest.approx(-1990.0 + np.log(2.0 + np.exp(-10.0)), rel=1e-14)
    np.testing.assert_allclose(terms.d_log_s, [np.exp(-10.0) / (2 + np.exp(-10.0)), 2 / (2 + np.exp(-10.0)), 0.0])


@pytest.mark.parametrize("objective", ["f", "log_f"])
def test_a_warm_fit_of_what_has_converged_changes_nothing(objective):
    X, y = load_iris(return_X_y=True)
    model = NeighborhoodComponentsAnalysis(2, init="pca", warm_start=True, max_iter=500, objective=objective).fit(X, y)
    assert model.ended_ == "converged"
    A, objective_, k = model.components_.copy(), model.objective_, model.k_estimate_
    for _ in range(3):
        model.fit(X, y)
        np.testing.assert_array_equal(model.components_, A)
    assert (model.objective_, model.k_estimate_) == (objective_, k)
    cut = NeighborhoodComponentsAnalysis(2, init="pca", warm_start=True, max_iter=5, objective=objective).fit(X, y)
    part = cut.objective_
    assert cut.fit(X, y).objective_ > part
    assert not np.array_equal(model.fit(X[::2], y[::2]).components_, A)  # other data are climbed


def test_weights_of_any_size_are_climbed_by_a_warm_fit():
    X, y = noisy()
    weight = np.full(len(y), 1e-3 / len(y))
    model = NeighborhoodComponentsAnalysis(2, init="pca", warm_start=True, max_iter=500, tol=1e-2).fit(X, y, weight)
    before = model.objective_
    model.tol = 1e-5
    assert model.fit(X, y, weight).objective_ > before * 1.001


@pytest.mark.filterwarnings("error")
def test_a_start_with_nothing_left_to_gain_is_no_bad_start():
    """Of the classes with company all are sure; single members count nothing in g, and 0 in the mean of p_i."""
    rng = np.random.default_rng(0)
    y = np.array([*np.repeat([0, 1], 20), 2, 3])
    X = rng.normal(size=(42, 2)) + 60.0 * np.column_stack([y, y])
    model = NeighborhoodComponentsAnalysis(2, init="identity", objective="g").fit(X, y)
    assert model.ended_ == "converged"
    assert model.reason_ == "Converged at its start: there is nothing left to gain."


def test_k_is_not_determined_on_separable_data(wine):
    X, y = wine
    with pytest.warns(UserWarning, match="K is not determined") as caught:
        separable = NCAClassifier(2).fit(X, y)
    assert {warning.filename for warning in caught} == {__file__}
    assert not separable.k_determined_
    assert separable.k_chosen_by_ == "leave-one-out"
    assert separable.score(X, y) > 0.98
    early = train(X, y, TrainingConfig(max_iter=3), measure_accuracy=False)  # where twice A has to be tried
    at = Evaluator(X, y).evaluate(early.snapshots[-1].transformation)
    assert not Evaluator(X, y).rises_with_size(at)
    assert not early.k_determined
    held = NCAClassifier(2, regularisation=1.0).fit(X, y)
    assert held.k_determined_
    assert held.k_chosen_by_ == "entropy"
    assert held.n_neighbors_ == round(held.k_estimate_)
    X, y = noisy()
    assert NeighborhoodComponentsAnalysis(1).fit(X, y).k_determined_


@pytest.mark.parametrize("objective", ["f", "g"])
def test_where_an_objective_rises_with_size_for_certain_it_does(objective):
    """And it is not said of a point with some chance less, nor where a penalty holds A."""
    rng = np.random.default_rng(0)
    y = np.array([*np.repeat([0, 1, 2], [3, 10, 30]), 3])  # the last has no company
    X = rng.normal(size=(44, 2)) + 4.0 * np.column_stack([y, y == 1])
    evaluator, partners = Evaluator(X, y, objective=objective), np.array([*np.repeat([2, 9, 29], [3, 10, 30]), 0])
    for size, said in ((0.3, False), (0.45, False), (0.5, True), (4.0, True)):  # at 0.45 each p_i is above 0.89
        A = size * np.eye(2)
        at = evaluator.evaluate(A)
        p = at.p
        assert evaluator.rises_with_size(at) == said == bool((p >= partners / (partners + 1.0)).all())
        if said:
            reached = [evaluator.evaluate(c * A).objective for c in (1.0, 1.01, 1.5, 2.0, 10.0)]
            assert np.all(np.diff(reached) >= -1e-12)
    assert not Evaluator(X, y, objective=objective, regularisation=1e-9).rises_with_size(at)
    assert not Evaluator(X, y, objective="log_f").rises_with_size(at)
    assert not Evaluator(X, y, target_similarity="same").rises_with_size(at)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_one_huge_value_costs_the_others_no_digits(dtype):
    rng = np.random.default_rng(0)
    X, y, A = rng.normal(size=(200, 4)) + 50.0, rng.integers(0, 3, 200), rng.normal(size=(2, 4))
    spoilt = X.copy()
    spoilt[7, 2] = 1e12
    without = np.delete(np.arange(200), 7)
    alone = Evaluator(X[without], y[without]).evaluate(A)
    among = Evaluator(spoilt, y, dtype=dtype).evaluate(A)
    if dtype == "float64":
        np.testing.assert_allclose(among.p[without], alone.p, rtol=1e-11, atol=1e-13)
    else:  # the column with 1e12 has seven digits for all of it
        assert np.isfinite(among.p).all()


@pytest.mark.parametrize("size", [1e-150, 1e-162, 1e-200])
def test_a_start_whose_length_underflows_stays_where_it_is(size):
    X, y = np.random.default_rng(0).normal(size=(40, 4)), np.arange(40) % 3
    with pytest.warns(UserWarning, match="stayed at its start"), np.errstate(all="raise", under="ignore"):
        model = NeighborhoodComponentsAnalysis(2, init=np.full((2, 4), size)).fit(X, y)
    assert model.ended_ == "cannot_move"


def test_iterations_of_two_climbs_are_told_together():
    """Four iterations from a start that is too large, and eleven from a smaller one."""
    X, y = load_wine(return_X_y=True)
    model = NeighborhoodComponentsAnalysis(2, init="pca", max_iter=15)
    with pytest.warns(UserWarning, match="is the one that counts"):
        model.fit(X * 10.0, y)
    assert (model.n_iter_, model.ended_) == (15, "max_iter")
    assert model.reason_ == "Reached the maximum of 15 iterations."
