"""The neighbour rules for new points, by loops over points; and which input is refused."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from nca_core.accuracy import evaluation
from nca_core.accuracy.evaluation import (
    leave_one_out_accuracy,
    leave_one_out_curve,
)
from nca_core.accuracy.k_estimate import k_of_new_points
from nca_core.accuracy.local_k import leave_one_out_local_k, local_k_classes
from nca_core.accuracy.stochastic_rule import class_probabilities, perplexity_of_queries
from nca_core.evaluator import Evaluator
from nca_core.methods import METHODS
from nca_core.training import TrainingConfig, train


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


def test_perplexity_of_new_points_by_hand(plane):
    Y, _, queries = plane
    for x, found in zip(queries, perplexity_of_queries(Y, queries), strict=True):
        p = _p(Y, x)
        assert found == pytest.approx(np.exp(-np.sum(p * np.log(p))), rel=1e-12)
    assert perplexity_of_queries(np.zeros((7, 2)), queries) == pytest.approx(np.full(25, 7.0))


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


def test_k_of_new_points_by_hand(plane):
    Y, _, queries = plane
    entropy = np.array([-np.sum(_p(Y, x) * np.log(_p(Y, x))) for x in queries])
    assert k_of_new_points(Y, queries) == pytest.approx((np.exp(entropy.mean()), np.exp(entropy).mean()), rel=1e-12)
    some = k_of_new_points(Y, queries, max_queries=10, random_state=3)
    asked = np.random.default_rng(3).choice(25, 10, replace=False)
    assert some[1] == pytest.approx(np.exp(entropy[asked]).mean(), rel=1e-12)


def test_every_query_votes_with_its_own_k(plane):
    Y, y, queries = plane
    classes, perplexity = local_k_classes(Y * 2, y, queries * 2, 3)
    assert len(np.unique(np.rint(perplexity))) > 3
    for x, k, found in zip(queries * 2, np.rint(perplexity).astype(int), classes, strict=True):
        nearest = y[np.argsort(np.sum((Y * 2 - x) ** 2, axis=1))[:k]]
        votes = np.bincount(nearest, minlength=3)
        assert votes[found] == votes.max()
        tied = np.flatnonzero(votes == votes.max())
        if len(tied) == 1:
            assert found == tied[0]


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


def test_nca_as_a_method_is_its_training():
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    nca = METHODS["nca"]
    config = nca.config(2, nca.starts[0], 0, nca.with_defaults({"target_similarity": None}))
    found = nca.train(X, y, config, measure_accuracy=False)
    end = train(X, y, TrainingConfig(), measure_accuracy=False)
    np.testing.assert_array_equal(found.snapshots[-1].transformation, end.snapshots[-1].transformation)
    assert found.reason == end.reason


def test_sample_weights_are_the_weights_of_the_terms():
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    weights = np.random.default_rng(0).uniform(0, 2, len(X))
    last = train(X, y, TrainingConfig(max_iter=5), sample_weight=weights).snapshots[-1]
    at = Evaluator(X, y).evaluate(last.transformation)
    assert last.objective == pytest.approx(weights @ at.p, rel=1e-12)
    assert last.mean_p == pytest.approx(weights @ at.p / weights.sum(), rel=1e-12)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"y": ["a", "b", "a", "b"]}, "integer class codes"),
        ({"y": [0.0, 1.5, 0.0, 1.0]}, "integer class codes"),
        ({"sample_weight": [1, 2, 3]}, "sample_weight has shape (3,); it must be (4,)"),
        ({"sample_weight": [1, 2, 3, -1]}, "at least 0"),
        ({"sample_weight": [0, 0, 0, 0]}, "above 0 for some row"),
        ({"sample_weight": ["a", "b", "c", "d"]}, "not a real number"),
        ({"held_out": (np.zeros((2, 3)), np.zeros(2))}, "held_out has shapes (2, 3) and (2,)"),
        ({"held_out": (np.full((2, 2), np.nan), np.zeros(2))}, "not finite"),
        ({"initial": np.zeros((2, 3))}, "initial has shape (2, 3); it must be (1, 2)"),
        ({"initial": np.full((1, 2), np.nan)}, "finite"),
        ({"config": TrainingConfig(n_components=1, tol=np.nan)}, "tol is nan"),
    ],
)
def test_every_door_refuses_in_one_sentence(options, words):
    X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 5.0]])
    options = {"y": [0, 1, 0, 1], "config": TrainingConfig(n_components=1), **options}
    with pytest.raises(ValueError) as error:
        train(X, options.pop("y"), options.pop("config"), **options)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_all_k_at_once_equal_one_after_the_other(plane, monkeypatch):
    Y, y, _ = plane
    Y = np.vstack([Y, Y[:10]])  # duplicates
    y = np.concatenate([y, [-1, *y[1:10]]])
    together = leave_one_out_curve(Y, y, 12)
    np.testing.assert_allclose(together, leave_one_out_accuracy(Y, y, range(1, 13)))
    monkeypatch.setattr(evaluation, "_PROGRESS_QUERIES", 7)
    heard = []
    np.testing.assert_allclose(leave_one_out_curve(Y, y, 12, on_progress=lambda *at: heard.append(at)), together)
    assert heard[0] == (7, 69)
    assert heard[-1] == (69, 69)


def test_a_long_evaluation_can_be_cancelled(plane, monkeypatch):
    Y, y, _ = plane
    monkeypatch.setattr(evaluation, "_PROGRESS_QUERIES", 20)

    def enough(done, n):
        if done >= 40:
            raise StopIteration

    some = leave_one_out_curve(Y, y, 1, on_progress=enough)
    right = [y[np.argsort(np.sum((Y - Y[i]) ** 2, axis=1))[1]] == y[i] for i in range(40)]
    assert some[0] == pytest.approx(np.mean(right))
    assert np.isnan(leave_one_out_curve(Y[:1], y[:1], 3)).all()
