"""The vote of very many neighbours, counted, against neighbours that are sorted one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from nca_core.accuracy.counted_vote import UNDECIDED, counted_vote, is_quicker
from nca_core.accuracy.evaluation import held_out_accuracy, leave_one_out_accuracy


def voted(Y, y, query, k, itself=None):
    """By the rule of the books; of equal votes the class that is met first wins."""
    distances = np.linalg.norm(Y - query, axis=1)
    if itself is not None:
        distances[itself] = np.inf
    nearest = np.argsort(distances, kind="stable")[:k]
    return Counter(y[nearest].tolist()).most_common(1)[0][0]


@pytest.fixture
def crowd():
    rng = np.random.default_rng(7)
    y = rng.integers(0, 4, 300)
    return rng.normal(size=(300, 3)) + 0.7 * np.eye(4, 3)[y], y


@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e200, 5e-320])
@pytest.mark.parametrize("k", [60, 150, 299])
def test_accuracies_of_a_large_k_are_those_of_sorted_neighbours(crowd, k, scale):
    X, y = crowd
    Y = np.round(X, 2) * scale if scale > 1e-300 else np.round(X * 5) * 5e-324  # the smallest numbers there are
    assert is_quicker(*Y.shape, k)
    units = Y / np.abs(Y).max()  # which do not overflow
    if len(np.unique(units, axis=0)) == len(units):  # else which of equally far ones count is open
        right = [voted(units, y, units[i], k, itself=i) == y[i] for i in range(len(y))]
        assert leave_one_out_accuracy(Y, y, [1, k])[1] == np.mean(right)
    new, y_new = X[:50] * scale + 0.013 * scale, y[:50]
    if scale > 1e-300:
        largest = np.abs(Y).max()
        right = [voted(units, y, row / largest, k) == c for row, c in zip(new, y_new, strict=True)]
        assert held_out_accuracy(Y, y, new, y_new, [k])[0] == np.mean(right)


def test_it_leaves_open_what_only_the_order_can_tell():
    Y = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
    y = np.array([0, 0, 1, 1, 1])
    query = np.array([[-1.0]])
    assert counted_vote(Y, y, query, None, 4).tolist() == [UNDECIDED]  # two of each
    assert counted_vote(Y, y, query, None, 3).tolist() == [0]
    assert counted_vote(Y, y, query, np.array([0]), 3).tolist() == [1]  # the first is the query itself
    assert counted_vote(np.zeros((5, 1)), y, query, None, 3).tolist() == [UNDECIDED]  # five are as near
    assert leave_one_out_accuracy(np.tile(Y, (13, 1)), np.tile(y, 13), [60])[0] == pytest.approx(39 / 65)
