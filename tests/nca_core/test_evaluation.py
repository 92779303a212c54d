"""Nearest-neighbour accuracies against scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from nca_core import evaluation
from nca_core.evaluation import (
    held_out_accuracy,
    k_nearest_classes,
    leave_one_out_accuracy,
    local_k_classes,
    nearest_neighbours,
    right_for_every_k,
    vote,
)


def test_leave_one_out_by_scikit_learn():
    X, y = load_iris(return_X_y=True)
    X = X + np.random.default_rng(0).normal(0, 1e-6, X.shape)  # no ties in distance
    ours = leave_one_out_accuracy(X, y, (1, 3))
    for k, accuracy in zip((1, 3), ours, strict=True):
        theirs = cross_val_score(KNeighborsClassifier(k), X, y, cv=LeaveOneOut()).mean()
        assert accuracy == pytest.approx(theirs, abs=1 / 150 + 1e-12 if k == 3 else 1e-12)


def test_held_out_by_scikit_learn():
    X, y = load_iris(return_X_y=True)
    theirs = KNeighborsClassifier(1).fit(X[::2], y[::2]).score(X[1::2], y[1::2])
    assert held_out_accuracy(X[::2], y[::2], X[1::2], y[1::2], (1,))[0] == pytest.approx(theirs)


def test_tree_and_brute_force_agree():
    Y = np.random.default_rng(0).normal(size=(300, 3))
    wide = np.hstack([Y, np.zeros((300, 10))])
    np.testing.assert_array_equal(nearest_neighbours(Y, Y[:50], 5), nearest_neighbours(wide, wide[:50], 5))


def test_a_point_is_not_its_own_neighbour_but_its_duplicate_is():
    Y = np.array([[0.0], [0.0], [5.0], [5.0]])
    assert leave_one_out_accuracy(Y, np.array([0, 0, 1, 1]), (1,)) == (1.0,)
    assert leave_one_out_accuracy(Y, np.array([0, 1, 0, 1]), (1,)) == (0.0,)


def test_many_duplicates():
    Y = np.zeros((50, 2))
    assert leave_one_out_accuracy(Y, np.zeros(50, dtype=int), (1, 3)) == (1.0, 1.0)


def test_ties_go_to_the_nearer_class():
    assert vote(np.array([[1, 0, 0, 1]]), 2)[0] == 1
    assert vote(np.array([[0, 1, 1, 2]]), 3)[0] == 1


def test_k_is_cut_and_unlabelled_are_left_out():
    Y = np.array([[0.0], [0.1], [5.0], [5.1], [0.05]])
    y = np.array([0, 0, 1, 1, -1])
    assert leave_one_out_accuracy(Y, y, (1, 99))[0] == 1.0
    assert np.isnan(held_out_accuracy(Y, y, Y[:0], y[:0], (1,))[0])


def test_many_classes_and_neighbours_vote_as_by_hand():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 6, (200, 25))
    right = rng.integers(0, 6, 200)
    expected = np.zeros(25, dtype=int)
    for row, answer in zip(codes, right, strict=True):
        for k in range(1, 26):
            votes = np.bincount(row[:k], minlength=6)
            tied = np.flatnonzero(votes == votes.max())
            winner = min(tied, key=lambda c: list(row[:k]).index(c))
            assert vote(row[None, :k], 6)[0] == winner
            expected[k - 1] += winner == answer
    np.testing.assert_array_equal(right_for_every_k(codes, right, 6), expected)


def test_blocks_of_queries_give_the_same_classes(monkeypatch):
    rng = np.random.default_rng(2)
    Y, y, queries = rng.normal(size=(80, 2)) * 1.5, rng.integers(0, 3, 80), rng.normal(size=(33, 2))
    voted, local = k_nearest_classes(Y, y, queries, 7, 3), local_k_classes(Y, y, queries, 3)
    monkeypatch.setattr(evaluation, "_BLOCK_CELLS", 40)
    np.testing.assert_array_equal(k_nearest_classes(Y, y, queries, 7, 3), voted)
    for ours, blocked in zip(local, local_k_classes(Y, y, queries, 3), strict=True):
        np.testing.assert_allclose(blocked, ours)
