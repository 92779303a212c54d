"""Which K the training rows choose, against a vote with each row left out."""

from __future__ import annotations

from collections import Counter

import numpy as np

from nca_core.accuracy.votes import k_by_leave_one_out


def accuracies(Y, y, k_most):
    """Of K = 1, ..., k_most: each row asks its K nearest others; of equal votes the one that is met first wins."""
    distances = np.linalg.norm(Y[:, None] - Y[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    nearest = y[np.argsort(distances, axis=1)[:, :k_most]]
    votes = [[Counter(row[:k].tolist()).most_common(1)[0][0] for row in nearest] for k in range(1, k_most + 1)]
    return [np.mean(vote == y) for vote in np.array(votes)]


def test_the_middle_of_equally_good_ones():
    y = np.repeat([0, 1], 20)
    rng = np.random.default_rng(2)
    Y = rng.normal(size=(40, 2)) + 9.0 * y[:, None]
    Y[[3, 24]] = Y[[24, 3]]  # two rows on the wrong side: K = 1 asks them, larger ones outvote them
    found = accuracies(Y, y, 15)
    best = np.flatnonzero(found == np.max(found)) + 1
    assert best[0] > 1
    assert len(best) > 3
    assert k_by_leave_one_out(Y, y) == best[(len(best) - 1) // 2]
    assert k_by_leave_one_out(Y, y) not in (best[0], best[-1])


def test_only_one_is_best():
    rng = np.random.default_rng(4)
    y = np.arange(90) % 3
    Y = rng.normal(size=(90, 2)) + 1.2 * np.array([[0, 0], [2, 0], [0, 2]])[y]
    found = accuracies(Y, y, 19)
    best = np.flatnonzero(found == np.max(found)) + 1
    assert k_by_leave_one_out(Y, y) == best[(len(best) - 1) // 2]


def test_up_to_twice_the_root_of_the_rows_is_tried():
    """Rows in a chessboard of noise around two centres: the more are asked, the better."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    Y = rng.normal(size=(400, 1)) * 3 + y[:, None]
    found = accuracies(Y, y, 60)
    allowed = found[:40]
    best = np.flatnonzero(allowed == np.max(allowed)) + 1
    assert best[-1] > 15
    assert np.max(found) > np.max(allowed)  # without the bound another would be chosen
    assert k_by_leave_one_out(Y, y) == best[(len(best) - 1) // 2]
