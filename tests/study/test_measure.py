"""Every number of a panel against loops and long doubles, where right and wrong differ."""

import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.manifold import trustworthiness

from nca_core.accuracy import leave_one_out_stochastic
from nca_core.classifiers import CLASSIFIERS
from nca_core.methods import METHODS
from nca_core.snapshot import Sampled
from study.compare import compare
from study.measure import measure, measure_rules, own_p_and_k, scale_at, shared_k
from study.panel import PanelRecipe
from tests.study import oracle
from tests.study.some_data import compared, overlapping, recipe_of, whole_training

SOLVED = [key for key, method in METHODS.items() if method.kind == "solved"]
K = 4


def rows_of(comparison, key, A):
    """(Y, y, Y_test, y_test) by the true labels, computed from the prepared features."""
    ready = comparison.prepared
    Y = oracle.places(A, comparison.panel(key).X)
    return Y[ready.train], ready.dataset.y[ready.train], Y[ready.held_out], ready.dataset.y[ready.held_out]


def expected(Y, y, Y_test, y_test, k):
    return (
        *(oracle.leave_one_out(Y, y, neighbours) for neighbours in (1, k)),
        *(oracle.held_out(Y, y, Y_test, y_test, neighbours) for neighbours in (1, k)),
    )


def four(measured):
    return measured.accuracy_1nn, measured.accuracy_knn, measured.held_out_1nn, measured.held_out_knn


@pytest.mark.parametrize(
    ("key", "features"),  # DCV finds nothing where rows vary within their classes in every direction
    [(key, "rbf" if place % 2 or key == "dcv" else "prepared") for place, key in enumerate(SOLVED)],
)
def test_a_solved_panel(key, features):
    comparison = compared(PanelRecipe(key, features=features))
    A = comparison.panel(key).transformation
    measured = measure(comparison, key, k=K)
    numbers = expected(*rows_of(comparison, key, A), K)
    assert four(measured) == pytest.approx(numbers, abs=1e-12)
    assert (measured.k, measured.iteration, measured.title) == (K, None, METHODS[key].title)
    assert measured.n_queries == comparison.prepared.train.sum()
    assert np.isnan([measured.mean_p, measured.k_mean_entropy, measured.k_mean_perplexity]).all()


@pytest.mark.parametrize("features", ["prepared", "polynomial"])
def test_several_iterations_of_a_trained_panel(features):
    comparison = compared(PanelRecipe("nca", {"max_iter": 6}, features=features))
    snapshots = whole_training(comparison, "nca").snapshots
    assert len(snapshots) == 7
    seen = []
    for snapshot in (snapshots[0], snapshots[2], snapshots[-1]):
        measured = measure(comparison, "nca", snapshot)
        Y, y, Y_test, y_test = rows_of(comparison, "nca", snapshot.transformation)
        own_k = oracle.local_k(Y)
        assert measured.mean_p == pytest.approx(oracle.mean_p(Y, y), rel=1e-9)
        assert measured.k_mean_entropy == pytest.approx(np.exp(np.log(own_k).mean()), rel=1e-9)
        assert measured.k_mean_perplexity == pytest.approx(own_k.mean(), rel=1e-9)
        assert measured.k == max(1, round(float(np.exp(np.log(own_k).mean()))))
        assert four(measured) == pytest.approx(expected(Y, y, Y_test, y_test, measured.k), abs=1e-12)
        assert measured.iteration == snapshot.iteration
        p, k = own_p_and_k(comparison, "nca", snapshot)
        np.testing.assert_allclose(k, own_k, rtol=1e-9)
        assert p.mean() == pytest.approx(measured.mean_p, rel=1e-9)
        scaled = scale_at(comparison, "nca", replace(snapshot, k_mean_entropy=math.nan))  # as some trainings leave it
        assert scaled == pytest.approx((measured.mean_p, measured.k_mean_entropy, measured.k_mean_perplexity))
        seen.append(measured)
    assert seen[0].mean_p < seen[1].mean_p < seen[2].mean_p < 0.98
    assert len({measured.k for measured in seen}) > 1


def test_where_f_is_estimated_a_sample_of_rows_tells_its_own_k(monkeypatch):
    monkeypatch.setattr("study.measure.QUERIES", 25)
    comparison = compared(PanelRecipe("nca", {"max_iter": 6}))
    exact = whole_training(comparison, "nca").snapshots[-1]
    snapshot = replace(exact, sampled=Sampled(25, 1_000_000, 0.01, 0.1))
    (p, k), (all_p, all_k) = (own_p_and_k(comparison, "nca", at) for at in (snapshot, exact))
    asked = np.flatnonzero(~np.isnan(k))
    assert len(asked) == 25 < len(k)
    np.testing.assert_allclose(p[asked], all_p[asked], rtol=1e-9)
    np.testing.assert_allclose(k[asked], all_k[asked], rtol=1e-9)
    assert np.isnan(p).sum() == len(p) - 25
    found = measure(comparison, "nca", snapshot, full=True)
    Y, y, *_ = rows_of(comparison, "nca", snapshot.transformation)
    own_votes = [oracle.vote(Y, y, Y[i], round(all_k[i]), left_out=i) == y[i] for i in asked]
    assert found.accuracy_local == pytest.approx(np.mean(own_votes))
    assert 25 * found.held_out_local == pytest.approx(round(25 * found.held_out_local))
    assert found.accuracy_local != measure(comparison, "nca", exact, full=True).accuracy_local


@pytest.mark.parametrize("key", ["lda", "nca"])
def test_shuffled_labels_are_measured_by_the_shuffled_labels(key):
    comparison = compared(PanelRecipe(key, labels="shuffled", random_state=5))
    panel, ready = comparison.panel(key), comparison.prepared
    Y = oracle.places(panel.transformation, panel.X)
    wanted = expected(*(part for rows in (ready.train, ready.held_out) for part in (Y[rows], panel.y[rows])), K)
    assert four(measure(comparison, key, k=K)) == pytest.approx(wanted, abs=1e-12)
    by_true = expected(*rows_of(comparison, key, panel.transformation), K)
    assert all(one != two for one, two in zip(wanted, by_true, strict=True))


@pytest.mark.parametrize("key", [key for key in SOLVED if not METHODS[key].needs_labels])
def test_a_method_that_sees_no_labels_is_measured_by_the_true_ones(key):
    with_labels, without = (compared(PanelRecipe(key, labels=labels)) for labels in ("true", "none"))
    assert four(measure(without, key, k=K)) == four(measure(with_labels, key, k=K))


def test_embeddings_and_without_held_out_rows_all_panels_have_no_held_out_accuracy():
    comparison = compared(PanelRecipe("tsne"))
    rows, measured = comparison.prepared.train, measure(comparison, "tsne", k=K)
    Y, y = comparison.panel("tsne").embedding[rows], comparison.prepared.dataset.y[rows]
    assert four(measured)[:2] == pytest.approx((oracle.leave_one_out(Y, y, 1), oracle.leave_one_out(Y, y, K)))
    comparison = compared(PanelRecipe("pca"), PanelRecipe("nca", {"max_iter": 2}), held_out=0.0)
    last = whole_training(comparison, "nca").snapshots[-1]
    others = measure(comparison, "pca", k=K), measure(comparison, "nca", last)
    assert [each.n_queries for each in others] == [80, 80]
    for each in (measured, *others):
        assert np.isfinite(four(each)).tolist() == [True, True, False, False]


def test_of_many_rows_a_sample_is_asked_and_said(monkeypatch):
    monkeypatch.setattr("study.measure.QUERIES", 20)
    comparison = compared(PanelRecipe("lda", random_state=3))
    Y, y, _, _ = rows_of(comparison, "lda", comparison.panel("lda").transformation)
    asked = np.random.default_rng(3).choice(len(Y), 20, replace=False)
    right = np.mean([oracle.vote(Y, y, Y[i], 1, left_out=i) == y[i] for i in asked])
    measured = measure(comparison, "lda")
    assert measured.n_queries == 20
    assert measured.accuracy_1nn == pytest.approx(right)


def test_numbers_as_labels():
    comparison = compared(PanelRecipe("nca", {"max_iter": 4}), dataset=overlapping(numbers=True))
    last = whole_training(comparison, "nca").snapshots[-1]
    Y, y, Y_test, y_test = rows_of(comparison, "nca", last.transformation)
    target = overlapping(numbers=True).target[comparison.prepared.train]
    width = 0.9 * min(target.std(), np.subtract(*np.quantile(target, [0.75, 0.25])) / 1.34) * len(target) ** -0.2
    similar = np.exp(-((target[:, None] - target[None]) ** 2) / (2 * width**2))
    measured = measure(comparison, "nca", last)
    expected_similarity = (oracle.neighbour_distribution(Y) * similar).sum() / len(Y)
    assert measured.mean_p == pytest.approx(float(expected_similarity), rel=1e-9)
    assert abs(measured.mean_p - oracle.mean_p(Y, y)) > 0.01
    assert four(measured) == pytest.approx(expected(Y, y, Y_test, y_test, measured.k), abs=1e-12)
    unmeasured = replace(last, k_mean_entropy=math.nan)
    assert scale_at(comparison, "nca", unmeasured)[0] == pytest.approx(measured.mean_p)


def test_a_panel_with_a_problem_is_not_measured():
    comparison = compared(PanelRecipe("lda", labels="none"))
    with pytest.raises(ValueError, match="LDA compares classes, and it is given no labels"):
        measure(comparison, "lda")
    with pytest.raises(KeyError):
        measure(comparison, "pca")


def test_what_has_no_k_is_asked_with_that_of_the_first_training_however_it_was_measured():
    panels = PanelRecipe("lda"), PanelRecipe("nca", {"max_iter": 3}), PanelRecipe("nca-2", {"max_iter": 30})
    comparison = compare(recipe_of(*panels), overlapping())
    at = {key: whole_training(comparison, key).snapshots[-1] for key in ("nca-2", "nca")}
    first, second = (round(at[key].k_mean_entropy) for key in ("nca", "nca-2"))
    assert first != second  # else this would tell nothing
    assert shared_k(comparison, at) == first
    unmeasured = replace(at["nca"], k_mean_entropy=float("nan"))  # as some trainings leave it
    assert shared_k(comparison, {**at, "nca": unmeasured}) == first
    assert shared_k(comparison, {"nca": None, "nca-2": at["nca-2"]}) == second
    assert shared_k(comparison, {}) == 0


def likeliest(weights, y):
    shares = {c: weights[y == c].sum() for c in np.unique(y)}
    return max(shares, key=shares.get)


@pytest.fixture(scope="module")
def trained():
    comparison = compared(PanelRecipe("nca", {"max_iter": 4}), PanelRecipe("lda"))
    return comparison, whole_training(comparison, "nca").snapshots[3]


def by_own_k(Y, y):
    """Leave-one-out accuracy with each row's own K."""
    own_k = oracle.local_k(Y)
    return np.mean([oracle.vote(Y, y, Y[i], round(own_k[i]), left_out=i) == y[i] for i in range(len(Y))])


def test_a_training(trained):
    comparison, snapshot = trained
    found = measure(comparison, "nca", snapshot, full=True)
    Y, y, Y_new, y_new = rows_of(comparison, "nca", snapshot.transformation)
    assert found.accuracy_local == pytest.approx(by_own_k(Y, y))
    p = np.asarray(oracle.neighbour_distribution(Y), dtype=float)
    assert found.accuracy_stochastic == pytest.approx(np.mean([likeliest(p[i], y) == y[i] for i in range(len(Y))]))
    new_p = [oracle.picks(Y, query) for query in Y_new]
    assert found.held_out_stochastic == pytest.approx(np.mean([likeliest(row, y) for row in new_p] == y_new))
    votes = [oracle.vote(Y, y, query, round(oracle.own_k(p))) for query, p in zip(Y_new, new_p, strict=True)]
    assert found.held_out_local == pytest.approx(np.mean(votes == y_new))
    assert found.seconds == snapshot.seconds > 0
    assert len({round(number, 6) for number in (*four(found)[:3], found.accuracy_stochastic)}) >= 3


def test_what_needs_a_learnt_scale_is_left_out_where_there_is_none(trained):
    comparison = trained[0]
    found = measure(comparison, "lda", k=K, full=True)
    Y = rows_of(comparison, "lda", comparison.panel("lda").transformation)[0]
    nothing = ("accuracy_local", "accuracy_stochastic", "held_out_local", "held_out_stochastic")
    assert all(math.isnan(getattr(found, name)) for name in nothing)
    one = measure(comparison, "lda")  # by one neighbour only
    assert np.isnan([one.k, *four(one)[1::2]]).all()
    assert four(one)[::2] == four(found)[::2]
    X = comparison.prepared.dataset.X[comparison.prepared.train]
    assert found.trustworthiness == pytest.approx(trustworthiness(X, Y, n_neighbors=5))
    assert found.trustworthiness < 0.9
    assert found.seconds == comparison.panel("lda").seconds > 0


def test_the_most_probable_class_of_some_points_in_blocks(monkeypatch):
    rng = np.random.default_rng(3)
    Y, y = rng.normal(size=(40, 2)) * 2, rng.integers(0, 3, 40)
    p = np.asarray(oracle.neighbour_distribution(Y), dtype=float)
    right = np.array([likeliest(p[i], y) == y[i] for i in range(40)])
    monkeypatch.setattr("nca_core.accuracy._DISTANCE_CELLS", 200)
    for asked in (np.arange(40), np.array([3, 17, 30])):
        assert leave_one_out_stochastic(Y, y, asked) == pytest.approx(right[asked].mean())
    assert math.isnan(leave_one_out_stochastic(Y[:1], y[:1], np.array([0])))


def test_a_training_that_bends():
    """Its snapshots have places and no matrix over the features; held-out rows have places, too."""
    comparison = compared(PanelRecipe("neural_nca", {"max_iter": 3, "n_hidden": 9}))
    snapshot = whole_training(comparison, "neural_nca").snapshots[-1]
    found, ready = measure(comparison, "neural_nca", snapshot, full=True), comparison.prepared
    again = measure(comparison, "neural_nca", comparison.trained("neural_nca").snapshots[-1], full=True)
    assert replace(again, seconds=found.seconds) == found  # as repeated splits train it
    Y, y = snapshot.coordinates[ready.train], ready.dataset.y[ready.train]
    Y_new, y_new = snapshot.coordinates[ready.held_out], ready.dataset.y[ready.held_out]
    assert found.mean_p == pytest.approx(oracle.mean_p(Y, y))
    assert found.k_mean_perplexity == pytest.approx(oracle.local_k(Y).mean())
    assert four(found)[::2] == expected(Y, y, Y_new, y_new, 1)[::2]
    assert found.accuracy_local == pytest.approx(by_own_k(Y, y))


@pytest.fixture(scope="module")
def comparison():
    return compared(PanelRecipe("pca"), PanelRecipe("nca", {"max_iter": 5}), PanelRecipe("neural_nca", {"max_iter": 2}))


def test_held_out_rows_are_told_from_training_rows_in_all_features(comparison):
    ready = comparison.prepared
    X, y = ready.dataset.X, ready.dataset.y
    train, asked = ready.train & (y >= 0), ready.held_out & (y >= 0)
    found = measure_rules(comparison, None)
    assert (found.title, found.n_train, found.n_queries) == ("All features", train.sum(), asked.sum())
    expected = oracle.held_out(X[train], y[train], X[asked], y[asked], 1)
    assert found.by_rule["nearest"].accuracy == pytest.approx(expected)
    assert list(found.by_rule) == list(CLASSIFIERS)


def test_rules_in_a_panel_agree_with_its_accuracies_and_those_by_scale_need_a_learnt_one(comparison):
    for key in ("pca", "nca"):
        at = whole_training(comparison, key).snapshots[-1] if key != "pca" else None
        rules, table = measure_rules(comparison, key, at).by_rule, measure(comparison, key, at)
        assert rules["nearest"].accuracy == pytest.approx(table.held_out_1nn)
        for rule in CLASSIFIERS.values():
            assert math.isnan(rules[rule.key].accuracy) == (rule.by_scale and key == "pca")
    at = whole_training(comparison, "neural_nca").snapshots[-1]
    rules, table = measure_rules(comparison, "neural_nca", at, ["nearest"]), measure(comparison, "neural_nca", at)
    assert {key: one.accuracy for key, one in rules.by_rule.items()} == {"nearest": pytest.approx(table.held_out_1nn)}
