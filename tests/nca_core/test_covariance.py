"""Class statistics and principal axes against loops and numpy's own covariance."""

import numpy as np
import pytest

from nca_core.features.covariance import class_statistics, principal_axes


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
