"""Class statistics, principal axes and LDA against loops, numpy's own covariance and scikit-learn."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from nca_core.features.covariance import class_statistics, discriminant_axes, principal_axes


def test_class_statistics_by_loops_over_classes():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)) * [1.0, 2.0, 3.0, 4.0] + 5.0, rng.permutation(np.repeat([3, 7, 20], [10, 20, 30]))
    found = class_statistics(X, y)
    assert found.counts.tolist() == [10, 20, 30]
    within = np.zeros((4, 4))
    for k, code in enumerate((3, 7, 20)):
        np.testing.assert_allclose(found.means[k], X[y == code].mean(axis=0), rtol=1e-12)
        within += len(X[y == code]) / 60 * np.cov(X[y == code].T, bias=True)
    np.testing.assert_allclose(found.within, within, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("n", [4, 50])
def test_principal_axes_have_the_largest_variances(n):
    X = np.random.default_rng(1).normal(size=(n, 6)) * np.arange(1, 7)
    X -= X.mean(axis=0)
    axes = principal_axes(X, 3)
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(((X @ axes.T) ** 2).sum(axis=0), np.linalg.eigvalsh(X.T @ X)[::-1][:3], rtol=1e-10)
    assert (axes[np.arange(3), np.abs(axes).argmax(axis=1)] > 0).all()


def standardised(load):
    X, y = load(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def test_each_axis_is_scikit_learns_in_its_order():
    X, y = standardised(load_wine)
    A = discriminant_axes(X, y, 2)[0]
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).scalings_[:, :2].T
    cosines = np.sum(A * theirs, axis=1) / np.linalg.norm(A, axis=1) / np.linalg.norm(theirs, axis=1)
    np.testing.assert_allclose(np.abs(cosines), 1.0, atol=1e-6)


def test_two_classes_are_completed_by_principal_axes_and_say_so():
    A, note = discriminant_axes(*standardised(load_breast_cancer), 3)
    first, second, third = A
    assert abs(first @ second) < 1e-8 * np.linalg.norm(first) * np.linalg.norm(second)
    assert abs(second @ third) < 1e-8 * np.linalg.norm(second) * np.linalg.norm(third)
    assert "2 classes give 1 axis" in note
    assert "2 principal axes" in note
