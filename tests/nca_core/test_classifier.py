"""NCAClassifier: its three rules by hand, and probabilities that agree with the vote."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.neighbors import KNeighborsClassifier

from nca_core import NCAClassifier
from nca_core.accuracy.stochastic_rule import class_probabilities
from nca_core.estimators.classifier import agreeing_with


@pytest.fixture(scope="module")
def mixed():
    """Classes that overlap, so that the rules differ for some points."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    return rng.normal(size=(200, 4)) + y[:, None] * 0.5, y, rng.normal(size=(150, 4)) + 0.5


def _probabilities(model, X):
    return class_probabilities(model.embedding_, model._codes, model.transform(X), len(model.classes_))


def test_the_default_rule_is_k_nearest_neighbours_with_the_estimated_k(mixed):
    X, y, queries = mixed
    model = NCAClassifier(max_iter=5).fit(X, y)
    assert model.n_neighbors_ == max(1, round(model.k_estimate_)) > 2
    theirs = KNeighborsClassifier(model.n_neighbors_).fit(model.embedding_, y)
    shares = np.sort(theirs.predict_proba(model.transform(queries)), axis=1)
    clear = shares[:, -1] > shares[:, -2]  # they settle ties by the order of the classes
    assert clear.sum() > 100
    np.testing.assert_array_equal(model.predict(queries)[clear], theirs.predict(model.transform(queries))[clear])


@pytest.mark.parametrize("rule", ["neighbours", "local", "stochastic"])
def test_the_most_probable_class_is_the_predicted_one(mixed, rule):
    X, y, queries = mixed
    model = NCAClassifier(max_iter=5, rule=rule).fit(X, y)
    probabilities, plain = model.predict_proba(queries), _probabilities(model, queries)
    np.testing.assert_array_equal(probabilities.argmax(axis=1), model.predict(queries))
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, rtol=1e-12)
    agree = plain.argmax(axis=1) == model.predict(queries)
    np.testing.assert_array_equal(probabilities[agree], plain[agree])  # there it is the stochastic rule itself
    if rule == "stochastic":
        assert agree.all()
    else:
        assert 0 < np.count_nonzero(~agree) < 40


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 5), st.integers(0, 10_000))
def test_probabilities_move_by_the_least_amount(n_classes, seed):
    rng = np.random.default_rng(seed)
    P = rng.dirichlet(np.ones(n_classes), size=1)
    chosen = rng.integers(0, n_classes, 1)
    ours = agreeing_with(P, chosen)[0]
    assert ours.argmax() == chosen[0]
    assert ours.sum() == pytest.approx(1.0)
    constraints = [{"type": "eq", "fun": lambda q: q.sum() - 1.0}] + [
        {"type": "ineq", "fun": lambda q, k=k: q[chosen[0]] - q[k]} for k in range(n_classes)
    ]
    best = minimize(lambda q: np.sum((q - P[0]) ** 2), P[0], constraints=constraints, method="SLSQP", tol=1e-12)
    np.testing.assert_allclose(ours, best.x, atol=1e-5)
