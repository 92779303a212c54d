"""Shapes of A, diagonal NCA as it is shown, inside standardisation, mini-batches: each against what it must equal."""

import itertools

import numpy as np
import pytest
from sklearn.datasets import load_wine

from nca_core.objectives import OBJECTIVES
from nca_core.objectives.evaluator import Evaluator
from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train, train_diagonal
from nca_core.training.starts import INITIALISATIONS, nearest_diagonal, scale_to_sensible_k, scaled_start
from tests.nca_core import textbook


@pytest.fixture(scope="module")
def raw_wine():
    return load_wine(return_X_y=True)


def test_a_diagonal_transformation_stays_diagonal_and_is_stationary(wine):
    Z, y = wine
    config = TrainingConfig(
        n_components=13, shape="diagonal", initialisation="identity", regularisation=0.5, max_iter=300, tol=1e-6
    )
    end = train(Z, y, config)
    A = end.snapshots[-1].transformation
    assert np.count_nonzero(A - np.diag(np.diag(A))) == 0
    gradient = np.diag(Evaluator(Z, y, regularisation=0.5).evaluate(A).gradient)
    assert end.snapshots[-1].gradient_norm == pytest.approx(np.linalg.norm(gradient), rel=1e-6)
    assert np.linalg.norm(gradient) < 1e-3 * np.linalg.norm(end.snapshots[0].gradient_norm)
    with pytest.raises(ValueError, match="a diagonal A needs as many as there are features, 13"):
        train(Z, y, TrainingConfig(n_components=2, shape="diagonal"))


def test_a_constant_feature_divides_nothing_by_zero(raw_wine):
    X, y = raw_wine
    end = train(np.hstack([X, np.full((len(X), 1), 0.1)]), y, TrainingConfig(standardise=True, max_iter=5))
    assert np.isfinite(end.snapshots[-1].transformation).all()
    assert end.snapshots[-1].mean_p > 0.9


def test_auto_is_scikit_learns_rule(raw_wine):
    X, y = raw_wine
    rng = np.random.default_rng(0)
    for d, name in ((2, "lda"), (3, "pca"), (13, "identity")):
        np.testing.assert_array_equal(INITIALISATIONS["auto"](X, y, d, rng), INITIALISATIONS[name](X, y, d, rng))


def test_the_penalty_is_on_the_standardised_transformation(raw_wine):
    X, y = raw_wine
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    inside = train(X, y, TrainingConfig(standardise=True, regularisation=2.0, max_iter=40)).snapshots[-1]
    outside = train(Z, y, TrainingConfig(regularisation=2.0, max_iter=40)).snapshots[-1]
    assert inside.objective == pytest.approx(outside.objective, rel=1e-6)
    np.testing.assert_allclose(inside.transformation * X.std(axis=0), outside.transformation, rtol=1e-2, atol=1e-3)


def test_a_penalty_for_each_feature_by_finite_differences(wine):
    Z, y = wine
    rates = np.random.default_rng(0).uniform(0, 3, 13)
    A = np.random.default_rng(1).normal(size=(2, 13)) * 0.3
    plain, held = Evaluator(Z, y).evaluate(A), Evaluator(Z, y, regularisation=rates).evaluate(A)
    assert held.objective == pytest.approx(plain.objective - np.sum(rates * A**2), rel=1e-12)
    np.testing.assert_allclose(held.gradient, plain.gradient - 2 * rates * A, rtol=1e-12)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_neither_more_points_nor_the_unit_of_the_weights_ends_a_climb_early(wine, objective):
    Z, y = wine
    config = TrainingConfig(objective=objective, max_iter=15)
    plain = train(Z, y, config, sample_weight=np.ones(len(y))).snapshots
    light = train(Z, y, config, sample_weight=np.full(len(y), 1e-9)).snapshots
    assert len(light) == len(plain)
    assert light[-1].mean_p == pytest.approx(plain[-1].mean_p, rel=1e-6)
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 3, 6_000)
    many = rng.normal(size=(6_000, 4)) + classes[:, None] * [1.5, 0, 0, 0]
    config = TrainingConfig(objective=objective, initialisation="random", max_iter=8, tol=1e-3)
    end = train(many, classes, config, measure_accuracy=False)
    assert len(end.snapshots) > 5
    assert end.snapshots[-1].objective > end.snapshots[0].objective


@pytest.mark.parametrize("initialisation", ["pca", "lda", "random"])
def test_the_start_of_a_diagonal_training_is_scaled_as_what_it_is(wine, initialisation):
    """What is scaled for a sensible K is the diagonal A itself, not the full one that it is made from."""
    X, y = wine
    X = X * 1e3  # far from a sensible K
    diagonal = nearest_diagonal(scaled_start(X, y, 13, initialisation, 0, scale_start=False).transformation)
    config = TrainingConfig(n_components=13, shape="diagonal", initialisation=initialisation, max_iter=1)
    first = train(X, y, config, measure_accuracy=False).snapshots[0]
    np.testing.assert_allclose(first.transformation, scale_to_sensible_k(diagonal, X, y), rtol=1e-9)


@pytest.fixture
def blobs():
    X, y = textbook.blobs(n=50, D=4)
    X[:, 1] += 2.0 * y
    return X * [1.0, 5.0, 0.3, 1.0], y


def test_what_is_shown_are_the_principal_axes_of_the_weighted_rows(blobs):
    X, y = blobs
    config = TrainingConfig(initialisation="whitening", max_iter=20)
    shown = train_diagonal(X, y, config)
    square = TrainingConfig(n_components=4, shape="diagonal", initialisation="whitening", max_iter=20)
    theirs = train(X, y, square)
    assert len(shown.snapshots) == len(theirs.snapshots)
    assert (shown.ended, shown.reason) == (theirs.ended, theirs.reason)
    for one, two in zip(shown.snapshots, theirs.snapshots, strict=True):
        assert one.objective == two.objective
        a = np.diag(two.transformation)
        Z = (X - X.mean(axis=0)) * a
        values, vectors = np.linalg.eigh(Z.T @ Z)
        axes = vectors[:, ::-1][:, :2].T * a
        Y, wanted = (X - X.mean(axis=0)) @ one.transformation.T, (X - X.mean(axis=0)) @ axes.T
        np.testing.assert_allclose(Y @ Y.T, wanted @ wanted.T, atol=1e-8 * values[-1])
        assert one.mean_p == pytest.approx(np.mean(textbook.correct(one.transformation, X, y)), rel=1e-8)


def test_the_picture_does_not_jump_from_one_iteration_to_the_next(blobs):
    """Axes whose variances cross, or are equal, turn; each picture is laid onto the one before."""
    X, y = blobs
    shots = train_diagonal(X, y, TrainingConfig(initialisation="whitening", max_iter=20)).snapshots
    pictures = [(X - X.mean(axis=0)) @ shot.transformation.T for shot in shots]
    for before, after in itertools.pairwise(pictures):
        overlap = before.T @ after
        np.testing.assert_allclose(overlap, overlap.T, atol=1e-6 * np.abs(overlap).max())
        assert np.linalg.eigvalsh((overlap + overlap.T) / 2).min() >= -1e-6 * np.abs(overlap).max()


def test_where_the_scale_runs_away_k_is_not_determined(blobs):
    X, y = blobs
    apart = X + 1e3 * y[:, None]
    assert not train_diagonal(apart, y, TrainingConfig(max_iter=50)).k_determined
    assert train_diagonal(apart, y, TrainingConfig(max_iter=50, regularisation=1.0)).k_determined


def test_a_start_from_a_matrix_weighs_by_the_lengths_of_its_columns(blobs):
    X, y = blobs
    A = np.array([[1.0, 0.0, 2.0, 0.0], [0.0, 0.3, 0.0, 0.0]])
    first = train_diagonal(X, y, TrainingConfig(max_iter=1), initial=A).snapshots[0]
    weights = np.array([1.0, 0.3, 2.0, 0.2])  # 0 would stay 0
    square = TrainingConfig(n_components=4, shape="diagonal", max_iter=1)
    assert first.objective == train(X, y, square, initial=np.diag(weights)).snapshots[0].objective
