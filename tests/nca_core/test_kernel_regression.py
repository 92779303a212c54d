"""MLKR against loops over pairs, finite differences, and data whose number is known."""

import numpy as np
import pytest

from nca_core.features.validation import UNLABELLED
from nca_core.training.config import TrainingConfig
from nca_core.training.kernel_regression import regression_error, train_mlkr
from tests.nca_core import textbook


@pytest.fixture
def numbers():
    """Rows whose number is a curve of two of five features of different units."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(360, 5)) * [1.0, 3.0, 0.2, 1.0, 1.0]
    t = np.sin(1.5 * X[:, 0]) + X[:, 2] / 0.2 + 0.1 * rng.normal(size=360)
    return X, t, np.digitize(t, np.quantile(t, [0.33, 0.66]))


def test_blocks_and_threads_add_up_to_the_same(monkeypatch):
    rng = np.random.default_rng(0)
    Y, T = rng.normal(size=(90, 2)), rng.normal(size=(90, 1))
    whole = regression_error(Y, T, np.ones(90))
    monkeypatch.setattr("nca_core.neighbours.pairs.block_sums._BLOCK_CELLS", 700)
    monkeypatch.setattr("nca_core.neighbours.pairs.block_sums._PAIRS_FOR_A_THREAD", 500)
    parts = regression_error(Y, T, np.ones(90))
    assert parts[0] == pytest.approx(whole[0], rel=1e-12)
    np.testing.assert_allclose(parts[1], whole[1], rtol=1e-9, atol=1e-12)


def test_the_snapshots_objective_and_gradient_are_those_of_a_textbook(numbers):
    X, t, codes = (each[:80] for each in numbers)
    config = TrainingConfig(max_iter=2, regularisation=0.4)
    last = train_mlkr(X, codes, config, targets=t).snapshots[-1]
    T = ((t - t.mean()) / t.std())[:, None]

    def objective(A):
        return -textbook.regression_error(A, X, T) - 0.4 * np.sum(A**2)

    A = last.transformation
    assert last.objective == pytest.approx(objective(A), rel=1e-9)
    assert last.gradient_norm == pytest.approx(np.linalg.norm(textbook.slopes(objective, A)), rel=1e-4)


def test_it_finds_the_direction_that_tells_the_number_and_tells_new_rows(numbers):
    X, _, codes = numbers
    X = X / X.std(axis=0)
    direction = np.array([1.0, 0.0, 0.5, 0.0, 0.0])
    t = np.sin(X @ direction) + 0.1 * np.random.default_rng(0).normal(size=len(X))
    config = TrainingConfig(n_components=5, max_iter=200)
    shots = train_mlkr(X[:300], codes[:300], config, targets=t[:300]).snapshots
    A = shots[-1].transformation
    assert np.all(np.diff([shot.objective for shot in shots]) >= -1e-9)
    stretched = np.linalg.eigh(A.T @ A)[1][:, -1]
    assert abs(stretched @ direction) > 0.99 * np.linalg.norm(direction)

    def told(M):
        p = np.exp(-(((X[300:] @ M.T)[:, None] - (X[:300] @ M.T)[None]) ** 2).sum(axis=2))
        return p @ t[:300] / p.sum(axis=1)

    spread = np.sum((t[300:] - t[300:].mean()) ** 2)
    assert 1 - np.sum((t[300:] - told(A)) ** 2) / spread > 0.9
    assert 1 - np.sum((t[300:] - told(shots[0].transformation)) ** 2) / spread < 0.85


@pytest.mark.parametrize("weight", [None, np.random.default_rng(1).uniform(0.1, 3.0, 40)])
def test_classes_are_told_by_their_shares_and_weights_count(weight):
    X, y = textbook.blobs(n=40)
    y = y.copy()
    y[::7] = UNLABELLED
    last = train_mlkr(X, y, TrainingConfig(max_iter=5), sample_weight=weight).snapshots[-1]
    rows = y >= 0
    T = (y[rows][:, None] == np.unique(y[rows])[None]).astype(float)

    def objective(A):
        return -textbook.regression_error(A, X[rows], T, None if weight is None else weight[rows])

    assert last.objective == pytest.approx(objective(last.transformation), rel=1e-8)
    slopes = textbook.slopes(objective, last.transformation)
    assert last.gradient_norm == pytest.approx(np.linalg.norm(slopes), rel=1e-4)


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_the_units_of_features_and_numbers_change_nothing(numbers, unit):
    X, t, codes = numbers
    config = TrainingConfig(max_iter=5)
    A = np.random.default_rng(0).normal(size=(2, 5))
    here = train_mlkr(X, codes, config, targets=t, initial=A).snapshots[-1]
    there = train_mlkr(unit * X, codes, config, targets=unit * t + 3.0 * unit, initial=A / unit).snapshots[-1]
    assert there.objective == pytest.approx(here.objective, rel=1e-5)
    np.testing.assert_allclose(unit * there.transformation, here.transformation, rtol=1e-4, atol=1e-6)
