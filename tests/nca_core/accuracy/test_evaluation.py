"""Nearest neighbours against all differences, accuracies and rules by hand; which input is refused."""

import numpy as np
import pytest
from scipy.special import softmax

from nca_core import accuracy
from nca_core.accuracy import (
    NearestNeighbours,
    Neighbourhood,
    class_probabilities,
    k_nearest_classes,
    leave_one_out_curve,
    leave_one_out_local_k,
    local_k_classes,
    perplexity_of_queries,
)
from nca_core.objectives.evaluator import Evaluator


def test_a_point_is_not_its_own_neighbour_but_its_duplicate_is():
    Y = np.array([[0.0], [0.0], [5.0], [5.0]])
    assert Neighbourhood(Y, np.array([0, 0, 1, 1])).leave_one_out((1,)) == (1.0,)
    assert Neighbourhood(Y, np.array([0, 1, 0, 1])).leave_one_out((1,)) == (0.0,)


def test_k_is_cut_and_unlabelled_are_left_out():
    Y = np.array([[0.0], [0.1], [5.0], [5.1], [0.05]])
    y = np.array([0, 0, 1, 1, -1])
    assert Neighbourhood(Y, y).leave_one_out((1, 99))[0] == 1.0
    assert np.isnan(Neighbourhood(Y, y).held_out(Y[:0], y[:0], (1,))[0])


def test_blocks_of_queries_change_nothing(monkeypatch):
    rng = np.random.default_rng(2)
    Y, y, queries = rng.normal(size=(80, 2)) * 1.5, rng.integers(0, 3, 80), rng.normal(size=(33, 2))
    places, some = rng.normal(size=(90, 2)), rng.integers(-1, 9, 90)
    points, ks = Neighbourhood(places, some), (1, 5, 20)

    def all_of_them():
        local = local_k_classes(Y, y, queries, 3)
        return (
            k_nearest_classes(Y, y, queries, 7, 3),
            *local,
            points.leave_one_out(ks),
            points.held_out(places + 0.1, some, ks),
        )

    whole = all_of_them()
    monkeypatch.setattr(accuracy, "_BLOCK_CELLS", 40)
    for blocked, expected in zip(all_of_them(), whole, strict=True):
        np.testing.assert_allclose(blocked, expected)
    np.testing.assert_allclose(leave_one_out_curve(places, some, 20)[[0, 4, 19]], whole[3])
    assert np.isnan(leave_one_out_curve(places[:1], some[:1], 3)).all()


def test_kept_accuracies_of_every_k_are_those_asked_one_by_one(monkeypatch):
    rng = np.random.default_rng(5)
    Y, y = rng.normal(size=(90, 2)), rng.integers(-1, 4, 90)
    searches = []
    search = accuracy.NearestNeighbours.of
    points, kept = Neighbourhood(Y, y), Neighbourhood(Y, y, every_k=True)
    monkeypatch.setattr(accuracy.NearestNeighbours, "of", lambda self, *of: searches.append(self) or search(self, *of))
    for ks in ((1, 20), (1, 7), (1, 40), (1, 70), (1, 500)):
        assert kept.leave_one_out(ks) == points.leave_one_out(ks)
        assert kept.held_out(Y + 0.3, y, ks) == points.held_out(Y + 0.3, y, ks)
    assert searches.count(kept._nearest) == 4  # 20 and 40 (to twice as many), for both kinds; the others were known


def test_accuracies_are_right_where_another_thread_caches_those_of_fewer_k():
    class Replaced(dict):
        def __setitem__(self, kind, by_k):
            super().__setitem__(kind, by_k[:2])

    rng = np.random.default_rng(5)
    Y, y = rng.normal(size=(90, 2)), rng.integers(-1, 4, 90)
    kept = Neighbourhood(Y, y, every_k=True)
    kept._by_k = Replaced()
    assert kept.leave_one_out((1, 20)) == Neighbourhood(Y, y).leave_one_out((1, 20))


def test_a_sample_of_queries_and_of_neighbours_is_near_the_whole(monkeypatch):
    rng = np.random.default_rng(6)
    y = rng.integers(0, 3, 4_000)
    Y = rng.normal(size=(4_000, 2)) + y[:, None]
    whole = Neighbourhood(Y, y).leave_one_out((1, 900))
    looked_up = []
    search = accuracy.NearestNeighbours.of
    monkeypatch.setattr(accuracy, "_LOOK_UPS", 60_000)
    monkeypatch.setattr(
        accuracy.NearestNeighbours,
        "of",
        lambda self, queries, k: looked_up.append(len(queries) * k) or search(self, queries, k),
    )
    points = Neighbourhood(Y, y, max_queries=1_000)
    some = points.leave_one_out((1, 900))
    assert sum(looked_up) < 64_000
    assert some == points.leave_one_out((1, 900))
    assert some == pytest.approx(whole, abs=0.04)  # standard error of 1,000 queries: 0.015
    assert points.held_out(Y + 1e-9, y, (900,))[0] == pytest.approx(whole[1], abs=0.04)
    assert points.leave_one_out((1,)) == some[:1]  # a small K is looked up among all points


def test_few_points_are_never_sampled():
    rng = np.random.default_rng(7)
    Y, y = rng.normal(size=(500, 2)), rng.integers(0, 2, 500)
    assert Neighbourhood(Y, y, max_queries=500).leave_one_out((1, 400)) == Neighbourhood(Y, y).leave_one_out((1, 400))


def test_a_class_without_others_is_never_right_by_itself_among_a_sample(monkeypatch):
    """A point that is drawn as a neighbour too does not vote for itself."""
    monkeypatch.setattr(accuracy, "_LOOK_UPS", 100)
    Y, y = np.random.default_rng(8).normal(size=(300, 2)), np.arange(300)
    assert Neighbourhood(Y, y, max_queries=99).leave_one_out((1, 2)) == (0.0, 0.0)


def by_differences(Y, queries, k):
    distances = ((queries[:, None, :] - Y[None, :, :]) ** 2).sum(axis=2)
    return np.sort(distances, axis=1)[:, :k], distances


@pytest.mark.parametrize("d", [1, 2, 3, 9, 10, 40])
@pytest.mark.parametrize("n_queries", [1, 60])
def test_the_nearest_are_found_in_order(d, n_queries):
    rng = np.random.default_rng(d)
    Y, queries = rng.normal(size=(300, d)), rng.normal(size=(n_queries, d))
    found = NearestNeighbours(Y).of(queries, 7)
    np.testing.assert_array_equal(found, np.argsort(by_differences(Y, queries, 7)[1], axis=1)[:, :7])


@pytest.mark.parametrize("far", [0.0, 2e7, 1e12])
def test_the_nearest_of_many_points_in_many_components(far, monkeypatch):
    """Also where one point is so far away that products tell no others apart, and among more equal points than are
    looked at again."""
    monkeypatch.setattr(accuracy, "_PRODUCT_CELLS", 1_000 * 50)
    rng = np.random.default_rng(3)
    Y = rng.normal(size=(1_000, 11)) * 1e-3
    Y[500:700] = Y[500]  # more than 7 + 16
    Y[3] += far
    queries = np.concatenate([Y[::7], Y[[3, 500, 501]], rng.normal(size=(20, 11))])
    found = NearestNeighbours(Y).of(queries, 7)
    expected, distances = by_differences(Y, queries, 7)
    np.testing.assert_allclose(np.take_along_axis(distances, found, axis=1), expected, rtol=1e-12)
    assert all(len(set(row)) == 7 for row in found.tolist())


@pytest.mark.parametrize("d", [2, 12])
@pytest.mark.parametrize("scale", [1e-160, 1e-6, 1e6, 1e140])
def test_the_unit_changes_nothing(d, scale):
    rng = np.random.default_rng(0)
    Y, queries = rng.normal(size=(100, d)), rng.normal(size=(30, d))
    np.testing.assert_array_equal(
        NearestNeighbours(Y * scale).of(queries * scale, 5), NearestNeighbours(Y).of(queries, 5)
    )


@pytest.mark.parametrize("d", [2, 12])
@pytest.mark.parametrize("offsets", [(1e8, 1e8), (1e8, -1e8)])
def test_an_offset_costs_no_digits(d, offsets):
    Y = np.random.default_rng(0).normal(size=(200, d))
    Y[:100] += offsets[0]
    Y[100:] += offsets[1]
    found = NearestNeighbours(Y).of(Y, 5)
    np.testing.assert_array_equal(found, np.argsort(by_differences(Y, Y, 5)[1], axis=1, kind="stable")[:, :5])


@pytest.mark.parametrize("d", [2, 12])
def test_duplicates_and_far_queries_get_rows_that_exist(d):
    Y = np.zeros((50, d))
    assert set(NearestNeighbours(Y).of(Y[:8], 50)[0]) == set(range(50))
    rng = np.random.default_rng(0)
    for far in (1e160, 1e300, -1e300):
        found = NearestNeighbours(rng.normal(size=(50, d))).of(np.full((9, d), far), 3)
        assert found.max() < 50
        assert (np.diff(np.sort(found, axis=1), axis=1) > 0).all()


def test_without_labels_there_is_no_stochastic_rule():
    with pytest.raises(ValueError, match="no labelled point"):
        class_probabilities(np.zeros((6, 2)), np.full(6, -1), np.zeros((2, 2)), 3)


@pytest.mark.parametrize("spread", [0.3, 3.0, 30.0, 3e3])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_what_is_left_out_among_many_points_does_not_show(spread, d):
    """Crowded, all are looked at; spread out, the nearest suffice; both give what all give. Unlabelled points count
    for the perplexity only, and no point has the last code."""
    rng = np.random.default_rng(d)
    Y, y = rng.normal(size=(6_000, d)) * spread, rng.integers(-1, 4, 6_000)
    queries = np.vstack([rng.normal(size=(40, d)) * spread, Y[:5], np.full((1, d), 1e4), np.full((1, d), 1e200)])
    distances = ((np.clip(queries, -1e150, 1e150)[:, None, :] - Y[None]) ** 2).sum(axis=2)
    p = softmax(-distances, axis=1)
    logs = np.log(np.where(p > 0, p, 1.0))
    np.testing.assert_allclose(perplexity_of_queries(Y, queries), np.exp(-(p * logs).sum(axis=1)), rtol=1e-10)
    p = softmax(np.where(y >= 0, -distances, -np.inf), axis=1)
    shares = np.stack([p[:, y == c].sum(axis=1) for c in range(5)], axis=1)
    np.testing.assert_allclose(class_probabilities(Y, y, queries, 5), shares, atol=1e-13)


def test_leave_one_out_with_each_points_own_k_by_hand():
    rng = np.random.default_rng(0)
    Y, y = rng.normal(size=(60, 2)), rng.integers(0, 3, 60)
    Y = np.vstack([Y, Y[:6]]) * 2.0  # duplicates
    y = np.concatenate([y, [-1, *y[1:6]]]) * 7  # codes with gaps, and an unlabelled point
    perplexity = np.exp(Evaluator(Y, y).evaluate(np.eye(2)).entropy)
    found, accuracy = leave_one_out_local_k(Y, y, perplexity)
    assert len(np.unique(np.rint(perplexity))) > 3
    right, nearest_one = [], []
    for i in range(len(Y)):
        others = np.flatnonzero((y >= 0) & (np.arange(len(y)) != i))
        near = others[np.argsort(np.sum((Y[others] - Y[i]) ** 2, axis=1))][: max(1, round(perplexity[i]))]
        votes = [np.sum(y[near] == c) for c in (0, 7, 14)]
        assert votes[found[i] // 7] == max(votes)
        right.append(found[i] == y[i])
        nearest_one.append(y[near[0]])
    assert accuracy == pytest.approx(np.mean(np.array(right)[y >= 0]))
    np.testing.assert_array_equal(leave_one_out_local_k(Y, y, perplexity, 1)[0], nearest_one)
    assert np.isnan(leave_one_out_local_k(Y[:1], y[:1], perplexity[:1])[1])


def test_the_smallest_of_many_numbers_are_found_through_a_part_of_them(monkeypatch):
    monkeypatch.setattr(accuracy, "_PART", 100)
    rng = np.random.default_rng(0)
    Y = np.round(rng.normal(size=(1_234, 12)), 1)  # with ties
    Y[np.arange(len(Y)) % 12 > 0] += 9.0  # the nearest are those of the part
    queries = rng.normal(size=(40, 12))
    found = NearestNeighbours(Y).of(queries, 5)
    squares = ((queries[:, None] - Y) ** 2).sum(axis=2)
    np.testing.assert_array_equal(found, np.argsort(squares, axis=1, kind="stable")[:, :5])
