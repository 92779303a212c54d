"""Methods that are solved in one go, against direct computations."""

import numpy as np
import pytest
from scipy.linalg import sqrtm
from scipy.spatial.distance import pdist
from sklearn.datasets import load_breast_cancer
from sklearn.decomposition import PCA as TheirPCA
from sklearn.decomposition import FactorAnalysis, FastICA
from sklearn.random_projection import GaussianRandomProjection

from nca_core.methods import METHODS
from tests.nca_core import textbook


@pytest.fixture(scope="module")
def two_classes():
    X, y = load_breast_cancer(return_X_y=True)
    return ((X - X.mean(axis=0)) / X.std(axis=0))[:, :10] @ np.diag(np.arange(1, 11)), y


def fitted(key, X, y, d, seed=0, **settings):
    method = METHODS[key]
    return method.fit(X, y, d, seed, **method.with_defaults(settings))


def within(Y, y):
    """Pooled covariance within classes, by loops over classes."""
    return sum(np.mean(y == c) * np.cov(Y[y == c].T, bias=True) for c in np.unique(y))


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("rows", [178, 8])
def test_pca_equals_scikit_learns_up_to_sign(wine, d, rows):
    X, y = wine[0][:rows], wine[1][:rows]
    A = fitted("pca", X, y, d).transformation
    theirs = TheirPCA(d, svd_solver="full").fit_transform(X)
    np.testing.assert_allclose(np.abs((X - X.mean(axis=0)) @ A.T), np.abs(theirs), atol=1e-8)
    assert (A[np.arange(d), np.abs(A).argmax(axis=1)] > 0).all()


OVER_ALL, WITHIN = (lambda Y, y: np.cov(Y.T, bias=True)), (lambda Y, y: within(Y, y))
COVARIANCES = pytest.mark.parametrize(("key", "covariance"), [("whitening", OVER_ALL), ("rca", WITHIN)])


@COVARIANCES
@pytest.mark.parametrize("d", [1, 2, 4])
def test_a_whitened_covariance_is_the_identity(two_classes, key, covariance, d):
    X, y = two_classes[0] / np.arange(1, 11), two_classes[1]
    found = fitted(key, X + 50.0, y, d)
    np.testing.assert_allclose(covariance(X @ found.transformation.T, y), np.eye(d), atol=1e-8)
    assert ("class means differ along 1" in found.note) == (key == "rca" and d > 1) == bool(found.note)


@COVARIANCES
def test_in_all_dimensions_the_distances_are_those_of_the_inverse_root(wine, key, covariance):
    X, y = wine
    root = np.linalg.inv(sqrtm(covariance(X, y)).real)
    A = fitted(key, X, y, X.shape[1]).transformation
    np.testing.assert_allclose(pdist(X @ A.T), pdist(X @ root.T), rtol=1e-7)


def test_whitening_says_where_the_rows_span_too_little():
    line = np.outer(np.arange(10.0), [1.0, 2.0, 3.0])
    found = fitted("whitening", line, np.arange(10) % 2, 3)
    assert "1 direction only" in found.note
    assert found.transformation.any(axis=1).tolist() == [True, False, False]


def test_lda_and_rca_against_the_formula(two_classes):
    X, y = two_classes
    A = fitted("lda", X, y, 3).transformation
    root = np.linalg.inv(sqrtm(within(X @ A.T, y)).real)
    np.testing.assert_allclose(fitted("lda_rca", X, y, 3).transformation, root @ A, atol=1e-9)


def test_lda_and_rca_is_lda_where_nothing_was_completed(wine):
    lda, both = (fitted(key, *wine, 2) for key in ("lda", "lda_rca"))
    np.testing.assert_allclose(both.transformation, lda.transformation, atol=1e-8)
    assert lda.note == both.note == ""


def test_lda_and_rca_keeps_apart_what_has_no_spread_within_classes():
    X, y = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]), np.array([0, 1, 2])
    both = fitted("lda_rca", X, y, 2)
    assert pdist(X @ both.transformation.T).min() > 0.1
    assert "no spread within classes" in both.note


def test_lda_and_rca_leaves_unlabelled_rows_out(wine):
    X, y = wine[0], wine[1].copy()
    y[::4] = -1
    some = fitted("lda_rca", X[y >= 0], y[y >= 0], 2)
    np.testing.assert_array_equal(fitted("lda_rca", X, y, 2).transformation, some.transformation)


@pytest.mark.parametrize("seed", [0, 7])
def test_a_random_projection_is_scikit_learns(wine, seed):
    A = fitted("random_projection", *wine, 2, seed).transformation
    theirs = GaussianRandomProjection(2, random_state=seed).fit(wine[0])
    np.testing.assert_array_equal(A, theirs.components_)
    assert not np.array_equal(A, fitted("random_projection", *wine, 2, seed + 1).transformation)


def test_tsne_keeps_neighbours_together():
    X, y = textbook.blobs(n=45, D=6, classes=3)
    Y = fitted("tsne", X + 12.0 * np.eye(6)[y], y, 2, 4).embedding
    distances = np.linalg.norm(Y[:, None] - Y[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    assert np.mean(y[distances.argmin(axis=1)] == y) == 1.0


def test_euclidean_is_the_first_features(wine):
    X, y = wine
    found = fitted("euclidean", X, y, 3)
    np.testing.assert_array_equal(X @ found.transformation.T, X[:, :3])
    assert found.note == "the first 3 of 13 features"
    assert fitted("euclidean", X[:, :2], y, 2).note == ""


def test_rca_keeps_the_axes_of_most_variance_after_it(wine):
    X, y = wine
    whole = X @ np.linalg.inv(sqrtm(within(X, y)).real)
    best = np.sort(np.linalg.eigvalsh(np.cov(whole.T, bias=True)))[::-1][:2].sum()
    Y = X @ fitted("rca", X, y, 2).transformation.T
    assert np.trace(np.cov(Y.T, bias=True)) == pytest.approx(best, rel=1e-9)


def few_rows(n_classes=3, members=4, D=20, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(n_classes), members)
    return rng.normal(size=(n_classes * members, D)) + 2.0 * rng.normal(size=(n_classes, D))[y], y


def test_dcv_puts_each_class_on_one_point_and_the_points_apart():
    X, y = few_rows()
    A = fitted("dcv", X, y, 2).transformation
    Y = X @ A.T
    assert max(np.ptp(Y[y == c], axis=0).max() for c in range(3)) < 1e-9
    assert pdist([Y[y == c].mean(axis=0) for c in range(3)]).min() > 1.0
    np.testing.assert_allclose(A @ A.T, np.eye(2), atol=1e-9)


def test_dcv_spreads_the_common_vectors_as_far_as_the_null_space_lets_them():
    X, y = few_rows()
    deviations = np.vstack([X[y == c] - X[y == c].mean(axis=0) for c in range(3)])
    null = np.eye(20) - np.linalg.pinv(deviations) @ deviations  # projection onto the null space of S_w
    common = np.array([X[y == c].mean(axis=0) for c in range(3)]) @ null
    best = np.linalg.svd(common - common.mean(axis=0), compute_uv=False)[:2] ** 2
    means = common @ fitted("dcv", X, y, 2).transformation.T
    assert np.sum((means - means.mean(axis=0)) ** 2) == pytest.approx(best.sum(), rel=1e-8)


def test_dcv_says_why_not_and_what_it_completed(wine):
    with pytest.raises(ValueError, match="vary within their classes in every direction"):
        fitted("dcv", *wine, 2)
    X, y = few_rows(n_classes=2)
    assert fitted("dcv", X, y, 3).note == "the classes coincide along 1 axis; completed with principal axes"


def test_ica_is_scikit_learns_and_a_rotation_of_whitening(wine):
    X, y = wine
    ours = X @ fitted("ica", X, y, 2).transformation.T
    theirs = FastICA(2, whiten="unit-variance", random_state=0, max_iter=500).fit_transform(X)
    cosines = np.abs(np.corrcoef(ours.T, theirs.T)[:2, 2:])
    np.testing.assert_allclose(np.sort(cosines.max(axis=0)), 1.0, atol=1e-3)
    np.testing.assert_allclose(np.cov(ours.T, bias=True), np.eye(2), atol=1e-7)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_factor_analysis_is_scikit_learns_in_any_unit(wine, unit):
    X, y = wine
    ours = unit * X @ fitted("factor_analysis", unit * X, y, 2).transformation.T
    theirs = FactorAnalysis(2, svd_method="lapack").fit_transform(X)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-6)
