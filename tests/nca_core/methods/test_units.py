"""Statistics and axes against loops, numpy and scikit-learn; units change no projection that promises so."""

import tracemalloc

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.spatial.distance import cdist, pdist
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from nca_core.features import covariance
from nca_core.features.covariance import discriminant_axes
from nca_core.methods import METHODS
from nca_core.training.starts import SIMPLE_STARTS

SOLVED = {"lda": 2, "lda_rca": 2, "rca": 2, "all of rca": 13, "whitening": 13, "factor_analysis": 2}


def placed(key, X, y, d):
    method = METHODS[key.removeprefix("all of ")]
    fitted = method.fit(X, y, d, 0, **method.with_defaults({}))
    return X @ fitted.transformation.T, fitted.note


@pytest.mark.parametrize("key", SOLVED)
@pytest.mark.parametrize("factors", ["one column times 1e6", "all over", "nearly nothing"])
def test_any_positive_rescaling_gives_the_same_distances(key, factors):
    X, y = load_wine(return_X_y=True)
    unit = {
        "one column times 1e6": np.where(np.arange(13) == 4, 1e6, 1.0),
        "all over": 10.0 ** np.random.default_rng(0).uniform(-9, 9, 13),
        "nearly nothing": np.where(np.arange(13) == 0, 1e-20, 1e20),
    }[factors]
    (plain, note), (scaled, other) = placed(key, X, y, SOLVED[key]), placed(key, X * unit, y, SOLVED[key])
    np.testing.assert_allclose(pdist(scaled), pdist(plain), rtol=1e-5, atol=1e-6)
    assert note == other
    assert "collinear" not in note
    assert "direction" not in note or key == "all of rca"


@pytest.mark.parametrize(
    "key", ["pca", "lda", "lda_rca", "rca", "all of rca", "whitening", "factor_analysis", "laplacianfaces"]
)
def test_more_features_than_rows_need_no_square_of_features_and_give_the_same_distances(key, monkeypatch):
    """Of 20,000 genes a covariance takes 3 GB and minutes."""
    rng, y = np.random.default_rng(0), np.arange(24) % 3
    X = rng.normal(size=(24, 800)) * rng.lognormal(size=800) + y[:, None] * (np.arange(800) < 9)
    X[:, 3], X[:, 5] = 2.0, X[:, 4]
    d = 24 if key.startswith("all") else 4
    tracemalloc.start()
    found, note = placed(key, X, y, d)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 800**2 * 8 / 2
    monkeypatch.setattr(covariance, "_covariance_or_root", lambda centred: centred.T @ centred / len(centred))
    by_squares, said = placed(key, X, y, d)
    np.testing.assert_allclose(pdist(found), pdist(by_squares), rtol=1e-7)
    assert note == said


@pytest.mark.parametrize("start", ["whitening", "pooled_whitening"])
def test_whitened_starts_in_all_dimensions_too(start):
    X, y = load_wine(return_X_y=True)
    unit = 10.0 ** np.random.default_rng(1).uniform(-6, 6, 13)
    ends = [rows @ SIMPLE_STARTS[start](rows, y, 13, np.random.default_rng()).T for rows in (X, X * unit)]
    np.testing.assert_allclose(pdist(ends[1]), pdist(ends[0]), rtol=1e-5)


def test_raw_breast_cancer_is_scikit_learns_and_not_collinear():
    """Its variances span twelve orders of magnitude, and its rank is full."""
    X, y = load_breast_cancer(return_X_y=True)
    A, note = discriminant_axes(X, y, 1)
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X / X.std(axis=0), y).scalings_[:, 0] / X.std(axis=0)
    ours = X @ A[0]
    assert abs(np.corrcoef(ours, X @ theirs)[0, 1]) > 1 - 1e-9
    apart = abs(ours[y == 0].mean() - ours[y == 1].mean())
    assert apart**2 * np.mean(y) * np.mean(1 - y) == pytest.approx(3.43, abs=0.01)
    assert note == ""


def test_a_singular_spread_is_called_what_it_is():
    X, y = load_wine(return_X_y=True)
    means = np.eye(3)[y]
    cases = {
        "": np.column_stack([X, np.full(len(X), 1e8)]),  # a constant feature is no matter
        "collinear features": np.column_stack([X, X[:, 0] * 1e-9 + X[:, 1]]),
        "in some directions rows vary only between classes": np.column_stack([X, means[:, 0] * 1e4]),
        "there are fewer rows than features": np.random.default_rng(0).normal(size=(178, 200)),
        "no spread within classes": means,
    }
    for said, rows in cases.items():
        for unit in (1.0, 10.0 ** np.random.default_rng(2).uniform(-5, 5, rows.shape[1])):
            A, note = discriminant_axes(rows * unit, y, 2)
            assert note.startswith(said)
            assert bool(note) == bool(said)
            assert np.isfinite(A).all()


def test_a_singular_spread_is_shrunk_the_same_in_every_unit():
    X, y = load_wine(return_X_y=True)
    double = np.column_stack([X, X[:, :3], np.eye(3)[y][:, 0], np.ones(len(X))])
    assert "regularised" in discriminant_axes(double, y, 2)[1]
    unit = 10.0 ** np.random.default_rng(3).uniform(-6, 6, double.shape[1])
    ends = [rows @ discriminant_axes(rows, y, 2)[0].T for rows in (double, double * unit)]
    np.testing.assert_allclose(pdist(ends[1]), pdist(ends[0]), rtol=1e-4)


@pytest.mark.parametrize("unit", [1.0, np.geomspace(1e-7, 1e7, 30)])
def test_laplacianfaces_take_all_directions_of_raw_features(unit):
    """The graph is that of the given rows; the directions are those of a solver that has every feature in its unit."""
    X, y = load_breast_cancer(return_X_y=True)
    X = X * unit
    distances = cdist(X, X)
    np.fill_diagonal(distances, np.inf)
    W = np.zeros((len(X), len(X)))
    for i, near in enumerate(np.argsort(distances, axis=1)[:, :5]):
        W[i, near] = W[near, i] = 1.0
    D, Z = np.diag(W.sum(axis=1)), X / X.std(axis=0)
    Z = Z - np.diag(D) @ Z / D.sum()
    values = eigh(Z.T @ (D - W) @ Z, Z.T @ D @ Z)[0]
    Y = X @ METHODS["laplacianfaces"].fit(X, y, 3, 0, n_neighbours=5).transformation.T
    Y = Y - np.diag(D) @ Y / D.sum()
    np.testing.assert_allclose(np.diag(Y.T @ (D - W) @ Y / D.sum()), values[:3], rtol=1e-6)
    np.testing.assert_allclose(Y.T @ D @ Y / D.sum(), np.eye(3), atol=1e-6)


def test_collinear_features_change_nothing():
    X, y = load_wine(return_X_y=True)
    more = np.column_stack([X, X @ np.random.default_rng(0).normal(size=(13, 4)) * 1e3])
    for key in ("lda", "rca"):
        np.testing.assert_allclose(pdist(placed(key, more, y, 2)[0]), pdist(placed(key, X, y, 2)[0]), rtol=1e-5)
    found, note = placed("rca", more, y, 15)
    np.testing.assert_allclose(pdist(found), pdist(placed("rca", X, y, 13)[0]), rtol=1e-5)
    assert note.startswith("collinear")


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
