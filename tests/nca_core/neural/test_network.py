"""NCA through a network: backpropagation by finite differences, linear units as plain NCA, pairs weighed by degrees."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.spatial.distance import cdist

from datasets.generators.turned_faces import draw_faces, pair_weights
from nca_core.features.covariance import leading_axes
from nca_core.objectives import OBJECTIVES
from nca_core.objectives.evaluator import Evaluator
from nca_core.snapshot import UNITS
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train
from nca_core.training.network import NetworkConfig, Weights, initial_coordinates, train_network
from tests.nca_core import textbook


@pytest.fixture
def blobs():
    return textbook.blobs(n=40, D=4)


def rings(n=240, seed=1):
    """Three rings in noise: no matrix parts them."""
    rng = np.random.default_rng(seed)
    angle, y = rng.uniform(0, 2 * np.pi, n), np.arange(n) % 3
    X = (1.0 + y)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1) + 0.1 * rng.normal(size=(n, 2))
    return np.column_stack([X, rng.normal(size=n)]), y


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_places_say_what_the_matrix_that_made_them_says(blobs, objective):
    X, y = blobs
    A = np.random.default_rng(3).normal(size=(2, 4))
    evaluator = Evaluator(X, y, objective=objective, sample_weight=np.random.default_rng(1).uniform(0.1, 2, len(X)))
    here, there = evaluator.evaluate(A), evaluator.evaluate_embedding(X @ A.T + 100.0)
    assert there.objective == pytest.approx(here.objective, rel=1e-10)
    np.testing.assert_allclose(there.gradient.T @ X, here.gradient, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(there.p, here.p, rtol=1e-9)
    np.testing.assert_allclose(there.entropy, here.entropy, rtol=1e-9)
    with pytest.raises(ValueError, match="it must be \\(40, n_components\\)"):
        evaluator.evaluate_embedding(X[:5])


@pytest.mark.parametrize("objective", ["f", "g", "mcml"])
@pytest.mark.parametrize("units", UNITS)
def test_backpropagation_against_finite_differences(blobs, units, objective):
    X, y = blobs
    weights = Weights(X * [1.0, 9.0, 0.1, 1.0] + 5.0, units, 6, 2)
    evaluator = Evaluator(X, y, objective=objective)

    def value(packed):
        return evaluator.evaluate_embedding(weights.hidden(packed) @ weights.unpacked(packed)[2].T).objective

    def gradient(packed):
        hidden = weights.hidden(packed)
        d_Y = evaluator.evaluate_embedding(hidden @ weights.unpacked(packed)[2].T).gradient
        return weights.gradient(packed, hidden, d_Y)

    at = np.random.default_rng(2).normal(size=6 * (4 + 1 + 2)) * 0.7
    assert check_grad(value, gradient, at) < 1e-5 * np.linalg.norm(gradient(at))


@pytest.mark.parametrize(("penalty", "weighted"), [(0.0, False), (0.3, True)])
def test_a_snapshot_is_what_a_textbook_says_of_its_coordinates(blobs, penalty, weighted):
    X, y = blobs
    weight = np.random.default_rng(1).uniform(0.1, 3.0, 40) if weighted else None
    config = NetworkConfig(n_hidden=7, max_iter=3, regularisation=penalty, objective="g")
    last = train_network(X, y, config, sample_weight=weight).snapshots[-1]
    net = last.network
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    Y = 1.0 / (1.0 + np.exp(-(Z @ net.W.T + net.b))) @ net.V.T
    np.testing.assert_allclose(last.coordinates, Y, rtol=1e-9)
    np.testing.assert_allclose(net.apply(X), Y, rtol=1e-9)
    expected = textbook.g(np.eye(2), Y, y, weight) - penalty * (np.sum(net.W**2) + np.sum(net.V**2))
    assert last.objective == pytest.approx(expected, rel=1e-9)
    assert last.k_mean_entropy == pytest.approx(np.exp(textbook.entropies(np.eye(2), Y).mean()), rel=1e-9)


def test_linear_units_are_nca():
    """V W is a matrix: the same objective and neighbours, and the same end where there is one optimum only (MCML's
    objective in as many dimensions as features, which NCA's engine climbs in A)."""
    X, y = textbook.blobs(n=60, D=4)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    same = {"objective": "mcml", "n_components": 4, "max_iter": 2_000, "tol": 1e-10}
    ours = train_network(Z, y, NetworkConfig(units="linear", n_hidden=8, **same)).snapshots
    A = [shot.network.V @ shot.network.W for shot in (ours[0], ours[-1])]
    evaluator = Evaluator(Z, y, objective="mcml")
    for shot, matrix in zip((ours[0], ours[-1]), A, strict=True):
        at = evaluator.evaluate(matrix)
        assert shot.objective == pytest.approx(at.objective, rel=1e-10)
        assert shot.mean_p == pytest.approx(at.mean_p, rel=1e-10)
    theirs = train(Z, y, TrainingConfig(**same), initial=A[0]).snapshots
    assert theirs[0].objective == pytest.approx(ours[0].objective, rel=1e-10)
    assert ours[-1].objective == pytest.approx(theirs[-1].objective, rel=1e-8)
    Q = theirs[-1].transformation.T @ theirs[-1].transformation
    np.testing.assert_allclose(A[1].T @ A[1], Q, atol=1e-3 * np.abs(Q).max())
    # With W held at the identity the gradient in V is that in A.
    weights = Weights(Z, "linear", 4, 2)
    A = np.random.default_rng(4).normal(size=(2, 4))
    packed = weights.packed(np.eye(4), np.zeros(4), A)
    d_Y = evaluator.evaluate_embedding(Z @ A.T).gradient
    d_V = weights.unpacked(weights.gradient(packed, weights.hidden(packed), d_Y))[2]
    np.testing.assert_allclose(d_V, evaluator.evaluate(A).gradient, rtol=1e-6, atol=1e-8)


def test_the_start_of_a_matrix_is_shown_before_and_has_a_sensible_k(blobs):
    X, y = blobs
    A, config = np.random.default_rng(5).normal(size=(2, 4)), NetworkConfig(n_hidden=30, random_state=7)
    first = train_network(X, y, replace(config, max_iter=1), initial=A).snapshots[0]
    np.testing.assert_allclose(first.coordinates, initial_coordinates(X, y, config, A, X), rtol=1e-9)
    assert 3.0 <= first.k_mean_entropy <= 40 / 3


def test_a_curve_parts_rings_that_no_matrix_parts_and_holds_for_new_rows():
    """Of so many rows: of 180 the last bits of a sum lead from 0.6 to 0.85."""
    X, y = rings(480)
    rows = np.random.default_rng(0).permutation(len(X))
    known, new = rows[:240], rows[240:]
    held_out = (X[new], y[new])
    asked = TrainingConfig(n_components=1, max_iter=100)
    matrix = train(X[known], y[known], asked, held_out=held_out).snapshots[-1]
    config = NetworkConfig(n_components=1, n_hidden=30, max_iter=150, regularisation=0.1)
    network = train_network(X[known], y[known], config, held_out=held_out).snapshots[-1]
    Y, there = (network.network.apply(part) for part in (X[known], X[new]))
    nearest = np.linalg.norm(there[:, None] - Y[None], axis=2).argmin(axis=1)
    assert network.held_out_1nn == pytest.approx(np.mean(y[known][nearest] == y[new]))
    assert network.held_out_1nn > matrix.held_out_1nn + 0.1


@pytest.mark.parametrize("size", [1e-6, 1e-200])
def test_the_size_of_all_weights_together_changes_nothing(blobs, size):
    config = NetworkConfig(n_hidden=5, max_iter=8)
    here, there = (train_network(*blobs, config, sample_weight=each * np.ones(40)).snapshots for each in (1.0, size))
    assert len(here) == len(there)
    np.testing.assert_allclose(there[-1].coordinates, here[-1].coordinates, rtol=1e-6)


def test_where_the_scale_runs_away_k_is_not_determined(blobs):
    X, y = blobs
    apart = X + 10.0 * y[:, None]
    assert not train_network(apart, y, NetworkConfig(n_hidden=5, max_iter=60)).k_determined
    assert train_network(apart, y, NetworkConfig(n_hidden=5, max_iter=60, regularisation=1.0)).k_determined
    assert train_network(X, y, NetworkConfig(n_hidden=5, max_iter=3)).k_determined


@pytest.mark.parametrize("units", UNITS)
def test_the_start_follows_its_matrix_on_new_rows_with_units_that_bend_and_do_not_saturate(units):
    rng = np.random.default_rng(5)
    X, new = rng.normal(size=(2, 300, 6))
    A = np.linalg.qr(rng.normal(size=(6, 2)))[0].T
    weights = Weights(X, units, 100, 2)
    packed = weights.start(A, X @ A[0] > 0, random_state=0)
    network, hidden = weights.network(packed), weights.hidden(packed)
    here, there = (part - part.mean(axis=0) for part in (network.apply(new), new @ A.T))
    alike = np.linalg.norm(here.T @ there, "nuc") / np.linalg.norm(here) / np.linalg.norm(there)
    assert alike**2 > (0.985 if units == "logistic" else 1 - 1e-9)
    if units == "logistic":
        straight = np.column_stack([X, np.ones(len(X))])
        bent = hidden - straight @ np.linalg.lstsq(straight, hidden, rcond=None)[0]
        assert bent.var() > 0.05 * hidden.var(axis=0).mean()  # else the network is a matrix
        assert np.mean((hidden < 0.01) | (hidden > 0.99)) < 0.15
        spread = network.apply(X).std(axis=0)
        assert np.linalg.norm(network.V) < 3.6 * np.linalg.norm(spread)  # no units that cancel one another


N, TRAINED = 560, 420


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
