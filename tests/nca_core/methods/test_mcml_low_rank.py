"""Low-rank MCML against its form in Q, written with loops over pairs."""

from __future__ import annotations

import numpy as np
import pytest

from nca_core.features.validation import UNLABELLED
from nca_core.objectives.evaluator import Evaluator
from tests.nca_core import textbook


@pytest.fixture(params=[None, "weights"])
def case(request):
    X, y = textbook.blobs(n=30, D=4)
    y = y.copy()
    y[3] = 9  # alone in its class
    y[5] = UNLABELLED
    rng = np.random.default_rng(1)
    return X, y, None if request.param is None else rng.uniform(0.1, 2.0, 30), 0.7 * rng.normal(size=(2, 4))


def test_value_and_gradient_are_those_of_the_form_in_q(case):
    X, y, weights, A = case
    at = Evaluator(X, y, objective="mcml", sample_weight=weights).evaluate(A)
    value, in_q = textbook.mcml_of_q(A.T @ A, X, y, weights)
    assert at.objective == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(at.gradient, 2.0 * A @ in_q, rtol=1e-9, atol=1e-9)  # ∂Q/∂A, Q = AᵀA


def test_classes_as_similarities_give_the_same(case):
    X, y, weights, A = case
    M = ((y[:, None] == y[None]) & (y >= 0)).astype(float)
    one, two = (
        Evaluator(X, y, objective="mcml", sample_weight=weights, target_similarity=similarity).evaluate(A)
        for similarity in (None, M)
    )
    assert one.objective == pytest.approx(two.objective, rel=1e-12)
    np.testing.assert_allclose(one.gradient, two.gradient, atol=1e-10)
