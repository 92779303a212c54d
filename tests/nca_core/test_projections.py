"""PCA and LDA against scikit-learn, and the completed LDA of two classes."""

from __future__ import annotations

import numpy as np
import pytest
from nca_core.projections import PROJECTIONS
from nca_core.projections.lda import LDA
from nca_core.projections.pca import PCA
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.decomposition import PCA as TheirPCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis


def wine():
    X, y = load_wine(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("rows", [178, 8])
def test_pca_equals_scikit_learns_up_to_sign(d, rows):
    X = wine()[0][:rows]
    ours = PCA(d).fit(X).transform(X)
    theirs = TheirPCA(d, svd_solver="full").fit_transform(X)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-8)


def test_lda_spans_the_same_plane_as_scikit_learns():
    X, y = wine()
    ours = LDA(2).fit(X, y)
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, y).scalings_[:, :2]
    joint = np.linalg.matrix_rank(np.vstack([ours.transformation, theirs.T]), tol=1e-6)
    assert joint == 2
    assert ours.note == ""


def test_lda_makes_the_spread_within_classes_one():
    X, y = wine()
    Y = LDA(2).fit(X, y).transform(X)
    within = np.concatenate([Y[y == c] - Y[y == c].mean(axis=0) for c in range(3)])
    np.testing.assert_allclose(within.T @ within / len(Y), np.eye(2), atol=1e-8)


def test_two_classes_are_completed_by_principal_axes_and_say_so():
    X, y = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    lda = LDA(3).fit(X, y)
    first, second, third = lda.transformation
    assert abs(first @ second) < 1e-8 * np.linalg.norm(first) * np.linalg.norm(second)
    assert abs(second @ third) < 1e-8 * np.linalg.norm(second) * np.linalg.norm(third)
    assert "2 classes give 1 axis" in lda.note
    assert "2 principal axes" in lda.note


def test_collinear_features_are_shrunk_and_said():
    X, y = wine()
    lda = LDA(2).fit(np.hstack([X, X]), y)
    assert np.isfinite(lda.transformation).all()
    assert "collinear" in lda.note


def test_as_many_rows_as_classes():
    lda = LDA(2).fit(np.random.default_rng(0).normal(size=(4, 5)), np.arange(4))
    assert lda.transformation.shape == (2, 5)
    assert np.isfinite(lda.transformation).all()


@pytest.mark.parametrize("name", PROJECTIONS)
def test_contract(name):
    X, y = wine()
    for d in (1, 2, 3):
        fitted = PROJECTIONS[name](d).fit(X, y)
        assert fitted.transformation.shape == (d, 13)
        np.testing.assert_allclose(fitted.transform(X), (X - fitted.mean) @ fitted.transformation.T)
        assert isinstance(fitted.note, str)
