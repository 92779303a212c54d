"""Every number of the table against loops and long doubles, on classes that overlap, where right and wrong differ."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from nca_core.accuracy.stochastic_rule import leave_one_out_stochastic
from study.panel import PanelRecipe
from study.scores import scores_of
from tests.study import oracle
from tests.study.some_data import compared

K = 4


def sides(comparison, key, A):
    ready = comparison.prepared
    Y = np.asarray(oracle.places(A, comparison.panel(key).X), dtype=float)
    return Y[ready.train], ready.dataset.y[ready.train], Y[ready.held_out], ready.dataset.y[ready.held_out]


def likeliest(weights, y):
    shares = {c: weights[y == c].sum() for c in np.unique(y)}
    return max(shares, key=shares.get)


def ranked(points, i):
    return [int(j) for j in np.argsort(np.sum((points - points[i]) ** 2, axis=1)) if j != i]


def trusted(X, Y, k):
    """Venna and Kaski (2001), eq. of T(k): 1 less the ranks in X of those that are near in Y only."""
    n, penalty = len(X), 0
    for i in range(n):
        near, order = set(ranked(X, i)[:k]), ranked(X, i)
        penalty += sum(order.index(j) + 1 - k for j in ranked(Y, i)[:k] if j not in near)
    return 1 - 2 / (n * k * (2 * n - 3 * k - 1)) * penalty


@pytest.fixture(scope="module")
def trained():
    comparison = compared(PanelRecipe("nca", {"max_iter": 4}), PanelRecipe("lda"))
    return comparison, comparison.train("nca").snapshots[3]


def test_a_training(trained):
    comparison, snapshot = trained
    found = scores_of(comparison, "nca", snapshot)
    Y, y, Y_new, y_new = sides(comparison, "nca", snapshot.transformation)
    own_k = oracle.local_k(Y)
    k = max(1, round(math.exp(np.mean(np.log(own_k)))))
    assert found.k == k
    assert found.k_mean_perplexity == pytest.approx(own_k.mean())
    assert found.mean_p == pytest.approx(oracle.mean_p(Y, y))
    assert (found.own_1nn, found.own_knn) == tuple(oracle.leave_one_out(Y, y, each) for each in (1, k))
    assert (found.held_out_1nn, found.held_out_knn) == tuple(oracle.held_out(Y, y, Y_new, y_new, e) for e in (1, k))
    own_votes = [oracle.vote(Y, y, Y[i], round(own_k[i]), left_out=i) == y[i] for i in range(len(Y))]
    assert found.own_local == pytest.approx(np.mean(own_votes))
    p = np.asarray(oracle.neighbour_distribution(Y), dtype=float)
    assert found.own_stochastic == pytest.approx(np.mean([likeliest(p[i], y) == y[i] for i in range(len(Y))]))
    new_p = [np.exp(-np.sum((Y - q) ** 2, axis=1)) for q in Y_new]
    new_p = [row / row.sum() for row in new_p]
    told = np.array([likeliest(row, y) for row in new_p])
    assert found.held_out_stochastic == pytest.approx(np.mean(told == y_new))
    new_k = [round(math.exp(-sum(q * math.log(q) for q in row if q > 0))) for row in new_p]
    votes = np.array([oracle.vote(Y, y, query, k) for query, k in zip(Y_new, new_k, strict=True)])
    assert found.held_out_local == pytest.approx(np.mean(votes == y_new))
    assert found.seconds == snapshot.seconds > 0
    differing = {round(getattr(found, name), 6) for name in ("own_1nn", "own_knn", "own_stochastic", "held_out_1nn")}
    assert len(differing) >= 3  # else right and wrong would look the same


def test_what_needs_a_learnt_scale_is_left_out_where_there_is_none(trained):
    comparison = trained[0]
    found = scores_of(comparison, "lda", k=K)
    Y, y, Y_new, y_new = sides(comparison, "lda", comparison.panel("lda").transformation)
    assert (found.own_knn, found.held_out_knn) == (
        oracle.leave_one_out(Y, y, K),
        oracle.held_out(Y, y, Y_new, y_new, K),
    )
    nothing = "mean_p", "k_mean_entropy", "own_local", "own_stochastic", "held_out_local", "held_out_stochastic"
    assert all(math.isnan(getattr(found, name)) for name in nothing)
    assert found.k == K
    X = comparison.prepared.dataset.X[comparison.prepared.train]
    assert found.trustworthiness == pytest.approx(trusted(X, Y, 5))
    assert found.trustworthiness < 0.9
    assert found.seconds == comparison.panel("lda").seconds > 0


def test_an_embedding_says_nothing_of_new_rows():
    found = scores_of(compared(PanelRecipe("tsne")), "tsne")
    assert math.isnan(found.held_out_1nn)
    assert 0 < found.own_1nn < 1
    assert math.isnan(found.own_knn)


def test_a_training_that_left_its_k_out_is_measured_all_the_same():
    comparison = compared(PanelRecipe("mcml", {"max_iter": 3}))
    snapshot = comparison.trained("mcml").snapshots[-1]
    assert math.isnan(snapshot.k_mean_entropy)
    whole = comparison.train("mcml").snapshots[-1]
    found = scores_of(comparison, "mcml", snapshot)
    assert found.k_mean_entropy == pytest.approx(whole.k_mean_entropy)
    assert found.held_out_1nn == whole.held_out_1nn


def test_what_cannot_be_measured_is_refused(trained):
    with pytest.raises(ValueError, match="an iteration"):
        scores_of(trained[0], "nca")
    with pytest.raises(ValueError, match="nothing to measure"):
        scores_of(compared(PanelRecipe("dcv")), "dcv")


def test_the_most_probable_class_of_some_points_in_blocks(monkeypatch):
    rng = np.random.default_rng(3)
    Y, y = rng.normal(size=(40, 2)) * 2, rng.integers(0, 3, 40)
    p = np.asarray(oracle.neighbour_distribution(Y), dtype=float)
    right = np.array([likeliest(p[i], y) == y[i] for i in range(40)])
    monkeypatch.setattr("nca_core.accuracy.stochastic_rule._BLOCK_CELLS", 200)
    for asked in (np.arange(40), np.array([3, 17, 30])):
        assert leave_one_out_stochastic(Y, y, asked) == pytest.approx(right[asked].mean())
    assert math.isnan(leave_one_out_stochastic(Y[:1], y[:1], np.array([0])))


def test_a_training_that_bends():
    """Its snapshots have places and no matrix over the features; held-out rows have places, too."""
    comparison = compared(PanelRecipe("neural_nca", {"max_iter": 3, "n_hidden": 9}))
    snapshot = comparison.train("neural_nca").snapshots[-1]
    found, ready = scores_of(comparison, "neural_nca", snapshot), comparison.prepared
    again = scores_of(comparison, "neural_nca", comparison.trained("neural_nca").snapshots[-1])
    assert replace(again, seconds=found.seconds) == found  # as repeated splits train it
    Y, y = snapshot.coordinates[ready.train], ready.dataset.y[ready.train]
    Y_new, y_new = snapshot.coordinates[ready.held_out], ready.dataset.y[ready.held_out]
    own_k = oracle.local_k(Y)
    assert found.mean_p == pytest.approx(oracle.mean_p(Y, y))
    assert found.k_mean_perplexity == pytest.approx(own_k.mean())
    assert (found.own_1nn, found.held_out_1nn) == (
        oracle.leave_one_out(Y, y, 1),
        oracle.held_out(Y, y, Y_new, y_new, 1),
    )
    own_votes = [oracle.vote(Y, y, Y[i], round(own_k[i]), left_out=i) == y[i] for i in range(len(Y))]
    assert found.own_local == pytest.approx(np.mean(own_votes))
