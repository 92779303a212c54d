"""Diagonal NCA as it is shown: the weights of the engine's own diagonal training, turned to principal axes."""

import itertools

import numpy as np
import pytest

from nca_core.training.config import TrainingConfig
from nca_core.training.nca import train, train_diagonal
from tests.nca_core import textbook


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
