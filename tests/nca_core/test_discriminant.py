"""LDA against scikit-learn; completed, shrunk, and of as many rows as classes."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from nca_core.features.covariance import discriminant_axes
from nca_core.features.validation import UNLABELLED


def standardised(load):
    X, y = load(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def test_the_same_plane_as_scikit_learns():
    X, y = standardised(load_wine)
    A, note = discriminant_axes(X, y, 2)
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).scalings_[:, :2]
    assert np.linalg.matrix_rank(np.vstack([A, theirs.T]), tol=1e-6) == 2
    assert note == ""


def test_each_axis_is_scikit_learns_in_its_order():
    X, y = standardised(load_wine)
    A = discriminant_axes(X, y, 2)[0]
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).scalings_[:, :2].T
    cosines = np.sum(A * theirs, axis=1) / np.linalg.norm(A, axis=1) / np.linalg.norm(theirs, axis=1)
    np.testing.assert_allclose(np.abs(cosines), 1.0, atol=1e-6)


def test_the_spread_within_classes_is_one():
    X, y = standardised(load_wine)
    Y = X @ discriminant_axes(X, y, 2)[0].T
    within = np.concatenate([Y[y == c] - Y[y == c].mean(axis=0) for c in range(3)])
    np.testing.assert_allclose(within.T @ within / len(Y), np.eye(2), atol=1e-8)


def test_two_classes_are_completed_by_principal_axes_and_say_so():
    A, note = discriminant_axes(*standardised(load_breast_cancer), 3)
    first, second, third = A
    assert abs(first @ second) < 1e-8 * np.linalg.norm(first) * np.linalg.norm(second)
    assert abs(second @ third) < 1e-8 * np.linalg.norm(second) * np.linalg.norm(third)
    assert "2 classes give 1 axis" in note
    assert "2 principal axes" in note


def test_collinear_features_are_shrunk_and_said():
    X, y = standardised(load_wine)
    A, note = discriminant_axes(np.hstack([X, X]), y, 2)
    assert np.isfinite(A).all()
    assert "collinear" in note


def test_as_many_rows_as_classes():
    A, _ = discriminant_axes(np.random.default_rng(0).normal(size=(4, 5)), np.arange(4), 2)
    assert A.shape == (2, 5)
    assert np.isfinite(A).all()


def test_unlabelled_rows_are_left_out():
    X, y = standardised(load_wine)
    y = y.copy()
    y[::5] = UNLABELLED
    np.testing.assert_array_equal(discriminant_axes(X, y, 2)[0], discriminant_axes(X[y >= 0], y[y >= 0], 2)[0])
