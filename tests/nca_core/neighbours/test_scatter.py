"""The scatter within classes by loops over pairs, and the objective it belongs to at extremes."""

import numpy as np
import pytest

from nca_core.neighbours.base.sums import Classes
from nca_core.neighbours.similarity import scatter_within_classes
from nca_core.objectives.evaluator import Evaluator
from tests.nca_core import textbook


@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_value_and_derivative_by_pairs(offset):
    rng = np.random.default_rng(0)
    codes = np.sort(rng.integers(-2, 4, 40))
    Y = rng.integers(-8, 8, (3, 40)) / 4.0 + offset * np.maximum(codes, 0)  # exact in binary, far apart or not
    weights = rng.uniform(0, 2, 40)
    value, d_Y = scatter_within_classes(Y, Classes.of(codes), weights)
    steps = (Y[:, :, None] - Y[:, None, :]) * textbook.mates(codes)  # y_i − y_j of mates
    expected = -weights @ (steps**2).sum(axis=(0, 2))
    expected_d_Y = -2 * (steps * (weights[:, None] + weights)).sum(axis=2)
    # A class mean at 1e8 has an error of about 1e-8; the second centring takes it out again.
    assert value == pytest.approx(expected, rel=1e-13)
    np.testing.assert_allclose(d_Y, expected_d_Y, rtol=1e-12, atol=1e-12 * np.abs(expected_d_Y).max())


def test_without_labels_there_is_no_scatter():
    value, d_Y = scatter_within_classes(np.arange(8.0).reshape(2, 4), Classes.of(np.full(4, -1)), np.ones(4))
    assert value == 0.0
    assert not d_Y.any()


def test_far_out_every_pair_costs_its_distance():
    """As A grows, log p_ij tends to −‖y_i − y_j‖² + the distance to the nearest point."""
    X, y = textbook.blobs(n=12)
    A = np.eye(2, 5) * 1e6
    Y = X @ A.T
    squares = ((Y[:, None] - Y[None]) ** 2).sum(axis=2) + np.diag(np.full(12, np.inf))
    expected = sum(squares[i].min() - squares[i, j] for i in range(12) for j in range(12) if i != j and y[i] == y[j])
    at = Evaluator(X, y, objective="pairs").evaluate(A)
    assert at.objective == pytest.approx(expected, rel=1e-12)
    assert np.isfinite(at.gradient).all()


def test_a_sample_of_references_stands_for_all_mates():
    """With every point twice, one copy of each as references gives the same mean pull from mates."""
    X, y = textbook.blobs(n=30)
    A = np.random.default_rng(4).normal(size=(2, 5)) * 0.5
    X2, y2 = np.vstack([X, X]), np.concatenate([y, y])
    evaluator = Evaluator(X2, y2, objective="pairs")
    queries = np.arange(30)
    sampled = evaluator.gradient_of_queries(A, queries, np.arange(30))
    half = Evaluator(X, y, objective="pairs")
    counts = np.bincount(y)[y] - 1
    weights = 2.0 * (2 * counts + 1) / np.maximum(counts, 1)  # twice as many queries; partners there over those here
    weighted = Evaluator(X, y, objective="pairs", sample_weight=weights).evaluate(A).gradient
    np.testing.assert_allclose(sampled, weighted, rtol=1e-9, atol=1e-9)
    assert np.linalg.norm(half.evaluate(A).gradient - sampled) > 1.0
