"""MCML over all Q: its formulas by loops, its optimum by the conditions of a convex problem, and its certificate."""

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from nca_core import MCML
from nca_core.features.covariance import truncated
from nca_core.features.validation import UNLABELLED
from nca_core.objectives.evaluator import Evaluator
from nca_core.training.config import TrainingConfig
from nca_core.training.mcml import Collapse, train_mcml
from tests.nca_core import textbook

EXACT = {"tol": 1e-15, "max_iter": 2_000}


@pytest.fixture(scope="module")
def blobs():
    X, y = textbook.blobs(n=36, D=3)
    y = y.copy()
    y[3], y[5] = 9, UNLABELLED  # alone in its class; unlabelled
    X[:, 0] += 1.5 * (y == 1)
    X[:, 1] *= 3.0
    return X - X.mean(axis=0), y


def q_of(X, y, d=None, **options):
    config = TrainingConfig(**{"n_components": d or X.shape[1], **EXACT, **options})
    trajectory = train_mcml(X, y, config, measure_accuracy=False)
    A = trajectory.snapshots[-1].transformation
    return A.T @ A, trajectory


@pytest.fixture(scope="module")
def optimum(blobs):
    """(Q, trajectory) with a penalty of 1."""
    return q_of(*blobs, regularisation=1.0)


def test_primal_and_gradients_are_those_of_loops_over_pairs(blobs):
    X, y = blobs
    rng = np.random.default_rng(0)
    B = rng.normal(size=(3, 3))
    weights = rng.uniform(0.1, 2.0, len(X))
    collapse = Collapse(X, y, 0.7, weights)
    at, Q = collapse.evaluate(B), collapse.q_of(B)
    value, in_q = textbook.mcml_of_q(Q, X, y, weights)
    s = np.mean(X.var(axis=0))
    assert at.primal == pytest.approx(-value + 0.7 * s * np.trace(Q), rel=1e-11)
    in_b = 2.0 * B @ collapse.R @ (-in_q + 0.7 * s * np.eye(3)) @ collapse.R
    np.testing.assert_allclose(at.gradient, in_b, rtol=1e-8, atol=1e-9)
    slopes = textbook.slopes(lambda B: collapse.evaluate(B).primal, B)
    np.testing.assert_allclose(at.gradient, slopes, rtol=1e-5, atol=1e-5 * np.abs(slopes).max())


@pytest.mark.parametrize("weighted", [False, True])
def test_the_low_rank_form_is_the_form_in_q(blobs, weighted):
    X, y = blobs
    rng = np.random.default_rng(1)
    A, weights = 0.7 * rng.normal(size=(2, 3)), rng.uniform(0.1, 2.0, len(X)) if weighted else None
    at = Evaluator(X, y, objective="mcml", sample_weight=weights).evaluate(A)
    value, in_q = textbook.mcml_of_q(A.T @ A, X, y, weights)
    assert at.objective == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(at.gradient, 2.0 * A @ in_q, rtol=1e-9, atol=1e-9)  # ∂Q/∂A, Q = AᵀA


@pytest.mark.parametrize("start", ["lda", "identity", "random", "whitening"])
def test_one_optimum_from_every_start(blobs, optimum, start):
    Q, trajectory = optimum
    other, from_there = q_of(*blobs, regularisation=1.0, initialisation=start, random_state=3)
    assert from_there.snapshots[-1].objective == pytest.approx(trajectory.snapshots[-1].objective, rel=1e-9)
    np.testing.assert_allclose(other, Q, atol=1e-6 * np.abs(Q).max())


def test_the_optimum_fulfils_the_conditions_of_a_convex_problem(blobs):
    X, y = blobs
    Q, _ = q_of(X, y, regularisation=4.0)
    gradient = -textbook.mcml_of_q(Q, X, y)[1] + 4.0 * np.mean(X.var(axis=0)) * np.eye(3)  # of −Σ p⁰ log p + λ s tr Q
    size = np.abs(textbook.mcml_of_q(np.zeros((3, 3)), X, y)[1]).max()
    assert np.linalg.eigvalsh(gradient)[0] > -1e-5 * size  # G ⪰ 0
    assert np.abs(gradient @ Q).max() < 1e-5 * size * np.abs(Q).max()  # G Q = 0
    assert np.linalg.eigvalsh(Q)[0] < 1e-4 * np.linalg.eigvalsh(Q)[-1]  # it lies on the border of the cone


def test_the_dual_never_exceeds_the_optimum_and_meets_it_there(blobs, optimum):
    X, y = blobs
    _, trajectory = optimum
    best = -trajectory.snapshots[-1].objective
    collapse = Collapse(X, y, 1.0)
    rng = np.random.default_rng(2)
    for scale in (0.01, 0.3, 1.0, 5.0):
        at = collapse.evaluate(scale * rng.normal(size=(3, 3)))
        assert at.dual <= best * (1 + 1e-9) <= at.primal * (1 + 1e-8)
    assert "duality gap proves it to be within" in trajectory.reason
    loose = train_mcml(X, y, TrainingConfig(n_components=2, regularisation=1.0, max_iter=500))
    assert loose.ended == "converged"
    assert -loose.snapshots[-1].objective - best <= 1e-3 * (-loose.snapshots[-1].objective - collapse.entropy)


def test_the_certificate_is_the_best_of_all_that_were_seen(blobs, monkeypatch):
    """Near the optimum the bound of an iterate goes up and down."""
    X, y = blobs
    plain, asked = Collapse.evaluate, []

    def evaluate(self, B):
        asked.append(1)
        at = plain(self, B)
        return replace(at, dual=at.dual - 5.0) if len(asked) > 12 else at

    monkeypatch.setattr(Collapse, "evaluate", evaluate)
    end = train_mcml(X, y, TrainingConfig(n_components=2, regularisation=1.0, **EXACT))
    assert len(asked) > 20
    assert float(re.search(r"within (\S+) %", end.reason)[1]) < 1.0


def test_no_certificate_without_a_penalty_and_a_word_where_q_runs_away():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 5)
    X = rng.normal(size=(10, 12)) + 4.0 * y[:, None]
    free = train_mcml(X, y, TrainingConfig(regularisation=0.0, max_iter=30))
    held = train_mcml(X, y, TrainingConfig(regularisation=1.0, max_iter=30))
    assert "Q runs away" in free.reason
    assert "Q runs away" not in held.reason
    overlapping = train_mcml(*textbook.blobs(n=60), TrainingConfig(regularisation=0.0, max_iter=300))
    assert "runs away" not in overlapping.reason


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_the_unit_of_the_features_changes_nothing(blobs, unit):
    X, y = blobs
    here, there = (train_mcml(rows, y, TrainingConfig(regularisation=1.0, **EXACT)) for rows in (X, unit * X))
    assert there.snapshots[-1].objective == pytest.approx(here.snapshots[-1].objective, rel=1e-6)
    one, two = (A.T @ A for A in (here.snapshots[-1].transformation, unit * there.snapshots[-1].transformation))
    np.testing.assert_allclose(two, one, atol=1e-5 * np.abs(one).max())


def test_snapshots_climb_and_show_the_truncation_of_q_turned_towards_the_one_before(blobs, optimum):
    X, y = blobs
    full, shown = optimum[1].snapshots, q_of(X, y, 2, regularisation=1.0)[1].snapshots
    values = [snapshot.objective for snapshot in shown]
    assert np.all(np.diff(values) >= -1e-9 * np.abs(values[0]))
    Q = full[-1].transformation.T @ full[-1].transformation
    A = truncated(Q, 2)[0]
    np.testing.assert_allclose(shown[-1].transformation.T @ shown[-1].transformation, A.T @ A, atol=1e-5)
    np.testing.assert_allclose(shown[-1].spectrum, np.linalg.eigvalsh(Q)[::-1], atol=1e-5 * np.abs(Q).max())
    for before, after in pairwise(shown):
        overlap = before.transformation @ X.T @ X @ after.transformation.T
        np.testing.assert_allclose(overlap, overlap.T, atol=1e-8 * np.abs(overlap).max())
        assert np.linalg.eigvalsh(overlap)[0] >= -1e-8 * np.abs(overlap).max()


def test_accuracies_and_k_are_of_what_is_shown_and_held_out_rows_are_measured(blobs):
    X, y = blobs
    last = train_mcml(X[:30], y[:30], TrainingConfig(), held_out=(X[30:], y[30:])).snapshots[-1]
    A = last.transformation
    assert last.mean_p == pytest.approx(np.mean(textbook.correct(A, X[:30], y[:30])[y[:30] >= 0]) * 29 / 30, rel=1e-6)
    assert last.k_mean_entropy == pytest.approx(np.exp(np.mean(textbook.entropies(A, X[:30]))), rel=1e-6)
    assert np.isfinite(last.held_out_1nn)
    assert last.gradient_norm >= 0


@pytest.mark.parametrize("size", [1e-150, 1e-240])
def test_weights_that_are_next_to_nothing(size):
    """Without a penalty they change nothing; with one it is all that counts, and A ends at 0."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 2
    X[:, 0] += y
    usual, small = (MCML(regularisation=0.0).fit(X, y, sample_weight=w * np.ones(40)).spectrum_ for w in (1.0, size))
    np.testing.assert_allclose(small[0], usual[0], rtol=0.05)
    assert MCML().fit(X, y, sample_weight=np.full(40, size)).spectrum_[0] < 1e-100
