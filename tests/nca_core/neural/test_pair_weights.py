"""Pairs that belong together by degrees (eq. 8 of the NCA paper) through a network: faces, turned and scaled."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from datasets.generators.turned_faces import draw_faces, pair_weights
from nca_core.features.covariance import leading_axes
from nca_core.objectives.evaluator import Evaluator
from nca_core.training.network import NetworkConfig, train_network
from tests.nca_core import textbook

N, TRAINED = 560, 420


def test_the_objective_of_weighted_pairs_is_eq_8():
    X, y = textbook.blobs(n=20, D=3)
    rng = np.random.default_rng(0)
    w = rng.uniform(size=(20, 20))
    w = (w + w.T) * (1 - np.eye(20))
    A = rng.normal(size=(2, 3))
    at = Evaluator(X, y, target_similarity=w / 2.0, objective="pair_weights").evaluate(A)
    assert at.objective == pytest.approx(textbook.pair_weights(A, X, w / 2.0), rel=1e-11)


def test_weights_are_the_density_of_the_papers_noise():
    w = pair_weights(np.array([0.0, 1.22, 0.0]), np.array([30.0, 30.0, 33.0]))
    np.testing.assert_allclose(w[0], [1.0, np.exp(-0.5), np.exp(-2.0)])


def told(known, Y, unknown):
    """The share of the variance of new rows' values that their five nearest known rows tell."""
    values, new = known[1], unknown[1]
    near = np.argsort(cdist(Y, known[0]), axis=1)[:, :5]
    return 1.0 - np.mean((new - values[near].mean(axis=1)) ** 2) / np.var(new)


def test_faces_of_people_not_trained_on_lie_by_their_angle_and_size():
    rng = np.random.default_rng(1)
    angles, sizes, side = rng.uniform(-45, 45, N), rng.uniform(25, 35, N), rng.uniform(0, 2 * np.pi, N)
    people = rng.integers(0, 30, N)
    people[TRAINED:] += 100
    X = draw_faces(angles, sizes, people, 1.3 * np.stack([np.cos(side), np.sin(side)], axis=1))
    X += 0.02 * rng.standard_normal(X.shape)
    old, new = slice(0, TRAINED), slice(TRAINED, N)
    w = pair_weights(angles[old], sizes[old]) * (1.0 - np.eye(TRAINED))
    nobody = np.zeros(TRAINED, dtype=int)
    config = NetworkConfig(objective="pair_weights", max_iter=100)
    shots = train_network(X[old], nobody, config, target_similarity=w, measure_accuracy=False).snapshots
    assert shots[-1].objective > shots[0].objective
    network, axes = shots[-1].network, leading_axes(X[old], 2)
    found = {
        name: [told((Y[old], values[old]), Y[new], (None, values[new])) for values in (angles, sizes)]
        for name, Y in (("network", network.apply(X)), ("pca", X @ axes.T))
    }
    assert found["network"][0] > 0.95
    assert found["pca"][0] < 0.6
    # The noise allows 1.5 of 10 pixels and 1.22 of 90 degrees, so the size is told in part only, by PCA even better.
    assert found["network"][1] > 0.3
