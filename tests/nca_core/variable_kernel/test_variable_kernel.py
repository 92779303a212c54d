"""VSM and GVSM: formulas by loops, derivatives by finite differences at held neighbours, noisy XOR."""

from contextlib import nullcontext

import numpy as np
import pytest
from scipy.optimize import check_grad
from sklearn.datasets import load_iris

from nca_core import VariableKernelClassifier
from nca_core.features.validation import UNLABELLED
from nca_core.training.problem import Recorder
from nca_core.training.variable_kernel import (
    KernelMetricProblem,
    VariableKernelConfig,
    class_shares,
    error_and_gradient,
    nearest,
    train_variable_kernel,
    votes,
)
from tests.nca_core import textbook

K = 6


def problem_of(X, y, metric, L):
    config, recorder = VariableKernelConfig(metric=metric, n_neighbours=K), Recorder(X, y, nullcontext)
    return KernelMetricProblem(recorder, X, y, config, L, spread=np.ones(4))


@pytest.fixture
def blobs():
    X, y = textbook.blobs(n=40, D=4)
    return X - X.mean(axis=0), y


def by_loops(X, y, L, r, k):
    """(p of each row, E), leave one out, as the paper writes it."""
    n, classes = len(X), y.max() + 1
    shares = np.zeros((n, classes))
    for t in range(n):
        d = np.array([np.sqrt((X[t] - c) @ L.T @ L @ (X[t] - c)) for c in X])
        near = [j for j in np.argsort(d, kind="stable") if j != t][:k]
        sigma = r / (k // 2) * sum(d[j] for j in near[: k // 2])
        weights = [np.exp(-(d[j] ** 2) / (2 * sigma**2)) for j in near]
        for j, weight in zip(near, weights, strict=True):
            shares[t, y[j]] += weight / sum(weights)
    wanted = np.eye(classes)[y]
    return shares, np.sum((wanted - shares) ** 2)


def test_shares_and_error_are_those_of_the_paper(blobs):
    X, y = blobs
    L = np.triu(np.random.default_rng(0).normal(size=(4, 4)))
    neighbours = nearest(X @ L.T, K)
    shares, error = by_loops(X, y, L, 0.8, K)
    found = votes(X @ L.T, neighbours, 0.8)
    np.testing.assert_allclose(class_shares(found.weights, y[neighbours], shares.shape[1]), shares, atol=1e-9)
    assert error_and_gradient(X, y, neighbours, L, 0.8)[0] == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize("k", [1, 2, 7])
def test_derivatives_against_finite_differences_at_held_neighbours(blobs, k):
    X, y = blobs
    L = np.random.default_rng(1).normal(size=(4, 4))
    neighbours, weights = nearest(X @ L.T, k), np.random.default_rng(2).uniform(0, 2, len(X))

    def gradient(flat):
        _, d_L, d_log_r = error_and_gradient(X, y, neighbours, flat[:-1].reshape(4, 4), np.exp(flat[-1]), weights)
        return np.append(d_L, d_log_r)

    def value(flat):
        return error_and_gradient(X, y, neighbours, flat[:-1].reshape(4, 4), np.exp(flat[-1]), weights)[0]

    at = np.append(L.ravel(), np.log(0.9))
    assert check_grad(value, gradient, at) < 1e-5 * max(1.0, np.linalg.norm(gradient(at)))


def test_the_diagonal_of_gvsm_is_vsm(blobs):
    X, y = blobs
    L = np.diag([1.0, 0.5, 2.0, 0.1])
    vsm, gvsm = (problem_of(X, y, metric, L) for metric in ("diagonal", "full"))
    one, two = vsm.at(L, 1.2), gvsm.at(L, 1.2)
    assert one.error == two.error
    of_vsm, of_gvsm = (problem.error_at(at.neighbours, at.L, at.r)[1] for problem, at in ((vsm, one), (gvsm, two)))
    whole = np.zeros((4, 4))
    whole[np.triu_indices(4)] = of_gvsm[:-1]
    np.testing.assert_array_equal(of_vsm[:-1], np.diag(whole))
    assert of_vsm[-1] == of_gvsm[-1]


@pytest.mark.parametrize("metric", ["diagonal", "full"])
def test_l_keeps_its_shape_and_the_error_falls_with_neighbours_of_its_own(blobs, metric):
    X, y = blobs
    problem = problem_of(X, y, metric, np.eye(4))
    first = at = problem.start()
    for _ in range(3):
        new = problem.step(at)
        if new is None:
            break
        assert new.error < at.error
        assert new.error == pytest.approx(by_loops(X, y, new.L, new.r, K)[1], rel=1e-7)
        np.testing.assert_array_equal(new.L, np.diag(np.diag(new.L)) if metric == "diagonal" else np.triu(new.L))
        at = new
    assert at.error < first.error


def test_duplicates_leave_no_nan(blobs):
    X, y = np.repeat(blobs[0][:8], 5, axis=0), np.repeat(blobs[1][:8], 5)
    y[::7] = 1 - y[::7].clip(0, 1)
    error, d_L, d_r = error_and_gradient(X, y, nearest(X, 4), np.eye(4), 1.0)
    assert np.isfinite([error, d_r, *d_L.ravel()]).all()


@pytest.mark.parametrize("metric", ["diagonal", "full"])
def test_a_training_climbs_and_shows_finite_matrices_in_any_unit(blobs, metric):
    X, y = blobs
    y = y.copy()
    y[::9] = UNLABELLED
    ends = []
    for unit in (1e-6, 1.0, 1e6):
        trajectory = train_variable_kernel(unit * X, y, VariableKernelConfig(metric=metric, max_iter=10))
        values = [snapshot.objective for snapshot in trajectory.snapshots]
        assert values == sorted(values)
        assert all(np.isfinite(snapshot.transformation).all() for snapshot in trajectory.snapshots)
        assert trajectory.reason
        ends.append(values[-1])
    np.testing.assert_allclose(ends, ends[1], rtol=2e-2)


def test_more_neighbours_than_rows_are_cut(blobs):
    X, y = blobs
    assert train_variable_kernel(X, y, VariableKernelConfig(n_neighbours=500, max_iter=2)).snapshots


def test_a_width_at_its_bound_is_said():
    X, y = load_iris(return_X_y=True)
    model = VariableKernelClassifier("full").fit(X, y)
    assert model.r_ == pytest.approx(0.5)
    assert model.reason_.endswith("; r = 0.5, the least that is tried.")
    assert VariableKernelClassifier("none").fit(X, y).reason_.endswith("; r = 0.75.")
