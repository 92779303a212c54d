"""Every number of a panel against an independent calculation, where right and wrong differ."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nca_core.accuracy import accuracies
from nca_core.methods import METHODS
from study.compare import compare
from study.measure import measure, own_p_and_k, scale_measures, shared_k
from study.panel import PanelRecipe
from tests.study import oracle
from tests.study.some_data import compared, overlapping, recipe_of

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
    found = measured.accuracies
    return found.leave_one_out_1nn, found.leave_one_out_knn, found.held_out_1nn, found.held_out_knn


@pytest.mark.parametrize("features", ["prepared", "rbf"])
@pytest.mark.parametrize("key", SOLVED)
def test_a_solved_panel(key, features):
    comparison = compared(PanelRecipe(key, features=features))
    if comparison.panel(key).problem:
        assert (key, features) == ("dcv", "prepared")  # rows vary within their classes in every direction
        return
    A = comparison.panel(key).transformation
    measured = measure(comparison, key, k=K)
    numbers = expected(*rows_of(comparison, key, A), K)
    assert four(measured) == pytest.approx(numbers, abs=1e-12)
    assert (measured.k, measured.iteration, measured.title) == (K, None, METHODS[key].title)
    assert measured.n_asked == comparison.prepared.train.sum()
    assert np.isnan([measured.mean_p, measured.k_mean_entropy, measured.k_mean_perplexity]).all()


def test_the_data_tell_right_from_wrong():
    """All four numbers differ, none is 1, and training rows that were asked with themselves would give another one."""
    comparison = compared(PanelRecipe("lda"))
    Y, y, Y_test, y_test = rows_of(comparison, "lda", comparison.panel("lda").transformation)
    numbers = expected(Y, y, Y_test, y_test, K)
    others = [oracle.leave_one_out(Y, y, K + 1), oracle.held_out(Y, y, Y_test, y_test, K + 1), *numbers]
    assert len({round(number, 6) for number in others}) == 6
    assert max(others) < 0.95
    assert (overlapping().y < 0).sum() == 10
    assert comparison.prepared.held_out.sum() == 28
    assert comparison.prepared.train.sum() == 52


def test_one_neighbour_only_where_no_k_is_asked_for():
    comparison = compared(PanelRecipe("lda"))
    one, both = measure(comparison, "lda"), measure(comparison, "lda", k=K)
    assert one.k == 0
    assert four(one)[::2] == four(both)[::2]
    assert np.isnan(four(one)[1::2]).all()


@pytest.mark.parametrize("features", ["prepared", "polynomial"])
def test_several_iterations_of_a_trained_panel(features):
    comparison = compared(PanelRecipe("nca", {"max_iter": 6}, features=features))
    snapshots = comparison.train("nca").snapshots
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
        scaled = scale_measures(comparison, "nca", snapshot.transformation)
        assert scaled == pytest.approx((measured.mean_p, measured.k_mean_entropy, measured.k_mean_perplexity))
        seen.append(measured)
    assert seen[0].mean_p < seen[1].mean_p < seen[2].mean_p < 0.98
    assert len({measured.k for measured in seen}) > 1


def test_a_training_that_has_not_begun_is_measured_at_its_start():
    comparison = compared(PanelRecipe("nca", start="lda"))
    A = comparison.panel("nca").transformation
    assert four(measure(comparison, "nca", k=K)) == pytest.approx(expected(*rows_of(comparison, "nca", A), K))


def test_a_projection_at_another_scale():
    comparison = compared(PanelRecipe("pca"))
    A = 0.7 * comparison.panel("pca").transformation
    Y, y, _, _ = rows_of(comparison, "pca", A)
    own_k = oracle.local_k(Y)
    wanted = oracle.mean_p(Y, y), np.exp(np.log(own_k).mean()), own_k.mean()
    assert scale_measures(comparison, "pca", A) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("key", ["lda", "nca"])
def test_shuffled_labels_are_measured_by_the_shuffled_labels(key):
    comparison = compared(PanelRecipe(key, labels="shuffled", random_state=5))
    panel, ready = comparison.panel(key), comparison.prepared
    Y = oracle.places(panel.transformation, panel.X)
    wanted = expected(Y[ready.train], panel.y[ready.train], Y[ready.held_out], panel.y[ready.held_out], K)
    assert four(measure(comparison, key, k=K)) == pytest.approx(wanted, abs=1e-12)
    by_true = expected(*rows_of(comparison, key, panel.transformation), K)
    assert all(one != two for one, two in zip(wanted, by_true, strict=True))


def test_shuffled_labels_of_a_training():
    comparison = compared(PanelRecipe("nca", {"max_iter": 4}, labels="shuffled"))
    panel, ready = comparison.panel("nca"), comparison.prepared
    last = comparison.train("nca").snapshots[-1]
    Y = oracle.places(last.transformation, panel.X)
    measured = measure(comparison, "nca", last)
    rows, tested = ready.train, ready.held_out
    assert measured.mean_p == pytest.approx(oracle.mean_p(Y[rows], panel.y[rows]), rel=1e-9)
    wanted = expected(Y[rows], panel.y[rows], Y[tested], panel.y[tested], measured.k)
    assert four(measured) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("key", [key for key in SOLVED if not METHODS[key].needs_labels])
def test_a_method_that_sees_no_labels_is_measured_by_the_true_ones(key):
    with_labels, without = (compared(PanelRecipe(key, labels=labels)) for labels in ("true", "none"))
    assert four(measure(without, key, k=K)) == four(measure(with_labels, key, k=K))
    A = without.panel(key).transformation
    assert scale_measures(without, key, A) == pytest.approx(scale_measures(with_labels, key, A))


def test_an_embedding_has_no_held_out_accuracy():
    comparison = compared(PanelRecipe("tsne"))
    panel, rows = comparison.panel("tsne"), comparison.prepared.train
    measured = measure(comparison, "tsne", k=K)
    Y, y = panel.embedding[rows], comparison.prepared.dataset.y[rows]
    assert four(measured)[:2] == pytest.approx((oracle.leave_one_out(Y, y, 1), oracle.leave_one_out(Y, y, K)))
    assert np.isnan(four(measured)[2:]).all()


def test_without_held_out_rows_there_is_no_held_out_accuracy():
    comparison = compared(PanelRecipe("pca"), PanelRecipe("nca", {"max_iter": 2}), held_out=0.0)
    last = comparison.train("nca").snapshots[-1]
    for measured in (measure(comparison, "pca", k=K), measure(comparison, "nca", last)):
        assert np.isnan(four(measured)[2:]).all()
        assert np.isfinite(four(measured)[:2]).all()
        assert measured.n_asked == 80


def test_of_many_rows_a_sample_is_asked_and_said(monkeypatch):
    monkeypatch.setattr(accuracies, "QUERIES", 20)
    monkeypatch.setattr("study.measure.QUERIES", 20)
    comparison = compared(PanelRecipe("lda", random_state=3))
    Y, y, _, _ = rows_of(comparison, "lda", comparison.panel("lda").transformation)
    asked = np.random.default_rng(3).choice(len(Y), 20, replace=False)
    right = np.mean([oracle.vote(Y, y, Y[i], 1, left_out=i) == y[i] for i in asked])
    measured = measure(comparison, "lda")
    assert measured.n_asked == 20
    assert measured.accuracies.leave_one_out_1nn == pytest.approx(right)


def test_numbers_as_labels():
    comparison = compared(PanelRecipe("nca", {"max_iter": 4}), dataset=overlapping(numbers=True))
    panel, rows = comparison.panel("nca"), comparison.prepared.train
    last = comparison.train("nca").snapshots[-1]
    Y, y, Y_test, y_test = rows_of(comparison, "nca", last.transformation)
    target = overlapping(numbers=True).target[rows]
    width = 0.9 * min(target.std(), np.subtract(*np.quantile(target, [0.75, 0.25])) / 1.34) * len(target) ** -0.2
    similar = np.exp(-((target[:, None] - target[None]) ** 2) / (2 * width**2))
    measured = measure(comparison, "nca", last)
    expected_similarity = (oracle.neighbour_distribution(Y) * similar).sum() / len(Y)
    assert measured.mean_p == pytest.approx(float(expected_similarity), rel=1e-9)
    assert abs(measured.mean_p - oracle.mean_p(Y, y)) > 0.01
    assert four(measured) == pytest.approx(expected(Y, y, Y_test, y_test, measured.k), abs=1e-12)
    assert scale_measures(comparison, "nca", last.transformation)[0] == pytest.approx(measured.mean_p)
    np.testing.assert_array_equal(panel.target, overlapping(numbers=True).target)


def test_a_panel_with_a_problem_is_not_measured():
    comparison = compared(PanelRecipe("lda", labels="none"))
    with pytest.raises(ValueError, match="LDA compares classes, and it is given no labels"):
        measure(comparison, "lda")
    with pytest.raises(KeyError):
        measure(comparison, "pca")


def test_what_has_no_k_is_asked_with_that_of_the_first_training_however_it_was_measured():
    panels = PanelRecipe("lda"), PanelRecipe("nca", {"max_iter": 3}), PanelRecipe("nca-2", {"max_iter": 30})
    comparison = compare(recipe_of(*panels), overlapping())
    at = {key: comparison.train(key).snapshots[-1] for key in ("nca-2", "nca")}
    first, second = (round(at[key].k_mean_entropy) for key in ("nca", "nca-2"))
    assert first != second  # else this would tell nothing
    assert shared_k(comparison, at) == first
    unmeasured = replace(at["nca"], k_mean_entropy=float("nan"))  # as some trainings leave it
    assert shared_k(comparison, {**at, "nca": unmeasured}) == first
    assert shared_k(comparison, {"nca": None, "nca-2": at["nca-2"]}) == second
    assert shared_k(comparison, {}) == 0
