"""Kernel features: Φ Φᵀ is the kernel matrix, and a linear kernel changes nothing."""

import numpy as np
import pytest

from nca_core.features.kernels import KERNELS, fit_kernel_features


def kernel_matrix(name, X):
    """K by loops over pairs of rows about their mean."""
    X = X - X.mean(axis=0)
    width = np.median([np.linalg.norm(a - b) for i, a in enumerate(X) for b in X[:i] if np.any(a != b)])
    formula = {
        "linear": lambda a, b: a @ b,
        "rbf": lambda a, b: np.exp(-np.sum((a - b) ** 2) / (2 * width**2)),
        "polynomial": lambda a, b: (1 + a @ b / width**2) ** 3,
    }[name]
    return np.array([[formula(a, b) for b in X] for a in X])


@pytest.mark.parametrize("shift", [0.0, 40.0])
@pytest.mark.parametrize("name", KERNELS)
def test_inner_products_of_the_features_are_the_kernel(name, shift):
    X = np.random.default_rng(0).normal(size=(25, 4)) * [1.0, 2.0, 0.5, 3.0] + shift
    X[3] = X[11]  # a duplicate
    features = fit_kernel_features(X, name).apply(X)
    K = kernel_matrix(name, X)
    np.testing.assert_allclose(features @ features.T, K, atol=1e-8 * np.abs(K).max())


@pytest.mark.parametrize("name", KERNELS)
def test_the_strongest_directions_come_first(name, wine):
    strength = (fit_kernel_features(wine[0], name).apply(wine[0]) ** 2).sum(axis=0)
    assert np.all(np.diff(strength) <= 1e-9 * strength[0])


@pytest.mark.parametrize("name", KERNELS)
def test_new_rows_are_compared_with_the_training_rows(name, wine):
    X = wine[0]
    fitted = fit_kernel_features(X[:100], name)
    old, new = fitted.apply(X[:100]), fitted.apply(X[100:])
    K = KERNELS[name].between(X[100:] - X[:100].mean(axis=0), X[:100] - X[:100].mean(axis=0), fitted.width)
    np.testing.assert_allclose(new @ old.T, K, atol=1e-6 * np.abs(K).max())


@pytest.mark.parametrize("name", KERNELS)
def test_landmarks_are_some_rows_and_the_draw_is_repeatable(name, wine):
    X = wine[0]
    one, two, other = (fit_kernel_features(X, name, landmarks=40, random_state=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(one.apply(X), two.apply(X))
    assert not np.array_equal(one.landmarks, other.landmarks)
    assert len(one.landmarks) == 40
    rows = [np.flatnonzero(np.isclose(X - X.mean(axis=0), row).all(axis=1)) for row in one.landmarks]
    assert len({int(found[0]) for found in rows}) == 40
    at = one.apply(one.landmarks + one.centre)
    K = KERNELS[name].between(one.landmarks, one.landmarks, one.width)
    np.testing.assert_allclose(at @ at.T, K, atol=1e-7 * np.abs(K).max())


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_rows_that_are_all_equal_and_any_scale_stay_finite(name, scale):
    X = np.random.default_rng(2).normal(size=(20, 3)) * scale
    assert np.isfinite(fit_kernel_features(X, name).apply(X)).all()
    same = np.full((6, 3), scale)
    assert np.isfinite(fit_kernel_features(same, name).apply(same)).all()


def test_an_unknown_kernel_is_refused_with_the_names():
    with pytest.raises(ValueError, match="'sigmoid'; it must be one of rbf, polynomial, linear"):
        fit_kernel_features(np.eye(3), "sigmoid")
