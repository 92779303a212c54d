"""The neighbour rules for new points, by loops over points; and which input is refused."""

import numpy as np
import pytest

from nca_core.accuracy import votes as evaluation
from nca_core.accuracy.stochastic_rule import class_probabilities, perplexity_of_queries
from nca_core.accuracy.votes import Neighbourhood, leave_one_out_curve, leave_one_out_local_k
from nca_core.objectives.evaluator import Evaluator


@pytest.fixture(scope="module")
def plane():
    rng = np.random.default_rng(0)
    Y = rng.normal(size=(60, 2))
    return Y, rng.integers(0, 3, 60), rng.normal(size=(25, 2))


def _p(Y, x):
    w = np.array([np.exp(-np.sum((x - y) ** 2)) for y in Y])
    return w / w.sum()


def test_the_stochastic_rule_by_hand(plane):
    Y, y, queries = plane
    y = y.copy()
    y[:5] = -1
    found = class_probabilities(Y, y, queries, 4)
    for x, row in zip(queries, found, strict=True):
        p = _p(Y[5:], x)
        np.testing.assert_allclose(row, [p[y[5:] == c].sum() for c in range(4)], atol=1e-13)


def test_the_stochastic_rule_far_away_and_without_labels(plane):
    Y, y, _ = plane
    far = class_probabilities(Y, y, np.array([[1e6, 1e6]]), 3)
    assert far.sum() == pytest.approx(1.0)
    with pytest.raises(ValueError, match="no labelled point"):
        class_probabilities(Y, np.full(60, -1), Y, 3)


@pytest.mark.parametrize("spread", [0.3, 3.0, 30.0, 3e3])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_what_is_left_out_among_many_points_does_not_show(spread, d):
    """Crowded, all are looked at; spread out, the nearest suffice; both give what all give."""
    rng = np.random.default_rng(d)
    Y, y = rng.normal(size=(6_000, d)) * spread, rng.integers(0, 4, 6_000)
    queries = np.vstack([rng.normal(size=(40, d)) * spread, Y[:5], np.full((1, d), 1e4), np.full((1, d), 1e200)])
    distances = ((np.clip(queries, -1e150, 1e150)[:, None, :] - Y[None]) ** 2).sum(axis=2)
    beyond = distances - distances.min(axis=1, keepdims=True)
    p = np.exp(-beyond)
    p /= p.sum(axis=1, keepdims=True)
    logs = np.log(np.where(p > 0, p, 1.0))
    np.testing.assert_allclose(perplexity_of_queries(Y, queries), np.exp(-(p * logs).sum(axis=1)), rtol=1e-10)
    shares = np.stack([p[:, y == c].sum(axis=1) for c in range(4)], axis=1)
    np.testing.assert_allclose(class_probabilities(Y, y, queries, 4), shares, atol=1e-13)


def test_leave_one_out_with_each_points_own_k_by_hand(plane):
    Y, y, _ = plane
    Y = np.vstack([Y, Y[:6]]) * 2.0  # duplicates
    y = np.concatenate([y, [-1, *y[1:6]]]) * 7  # codes with gaps, and an unlabelled point
    perplexity = np.exp(Evaluator(Y, y).evaluate(np.eye(2)).entropy)
    found, accuracy = leave_one_out_local_k(Y, y, perplexity)
    assert len(np.unique(np.rint(perplexity))) > 3
    right = []
    for i in range(len(Y)):
        others = np.flatnonzero((y >= 0) & (np.arange(len(y)) != i))
        near = others[np.argsort(np.sum((Y[others] - Y[i]) ** 2, axis=1))][: max(1, round(perplexity[i]))]
        votes = [np.sum(y[near] == c) for c in (0, 7, 14)]
        assert votes[found[i] // 7] == max(votes)
        right.append(found[i] == y[i])
    assert accuracy == pytest.approx(np.mean(np.array(right)[y >= 0]))
    np.testing.assert_array_equal(leave_one_out_local_k(Y, y, perplexity, 1)[0][y >= 0], nearest_class(Y, y)[y >= 0])
    assert np.isnan(leave_one_out_local_k(Y[:1], y[:1], perplexity[:1])[1])


def nearest_class(Y, y):
    distances = np.sum((Y[:, None] - Y[None]) ** 2, axis=2)
    np.fill_diagonal(distances, np.inf)
    distances[:, y < 0] = np.inf
    return y[distances.argmin(axis=1)]


def test_all_k_at_once_equal_one_after_the_other(plane, monkeypatch):
    Y, y, _ = plane
    Y = np.vstack([Y, Y[:10]])  # duplicates
    y = np.concatenate([y, [-1, *y[1:10]]])
    together = leave_one_out_curve(Y, y, 12)
    np.testing.assert_allclose(together, Neighbourhood(Y, y).leave_one_out(range(1, 13)))
    monkeypatch.setattr(evaluation, "_BLOCK_CELLS", 90)
    np.testing.assert_allclose(leave_one_out_curve(Y, y, 12), together)
    assert np.isnan(leave_one_out_curve(Y[:1], y[:1], 3)).all()
