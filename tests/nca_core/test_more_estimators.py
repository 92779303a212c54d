"""scikit-learn's own checks of all estimators; MCML, NeuralNCA and VariableKernelClassifier as such."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.utils.estimator_checks import parametrize_with_checks

from nca_core import MCML, NCAClassifier, NeighborhoodComponentsAnalysis, NeuralNCA, VariableKernelClassifier


@parametrize_with_checks(
    [
        NeighborhoodComponentsAnalysis(max_iter=10),
        NCAClassifier(max_iter=10),
        MCML(max_iter=5),
        NeuralNCA(1, n_hidden=5, max_iter=5),
        VariableKernelClassifier(max_iter=5),
    ]
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def test_mcml_truncates_the_full_metric(wine):
    X, y = wine
    full, two = MCML().fit(X, y), MCML(2).fit(X, y)
    np.testing.assert_allclose(two.components_, full.components_[:2], atol=1e-8)
    np.testing.assert_allclose(full.get_metric_matrix(), full.components_.T @ full.components_)
    np.testing.assert_allclose(np.linalg.eigvalsh(full.get_metric_matrix())[::-1], full.spectrum_, atol=1e-8)
    assert full.transform(X).shape == (178, 13)
    assert "duality gap" in full.reason_


def test_a_linear_kernel_is_plain_mcml(wine):
    X, y = wine
    plain, kernel = (MCML(kernel=name).fit(X, y).transform(X) for name in (None, "linear"))
    np.testing.assert_allclose(pdist(kernel), pdist(plain), atol=0.05)


def test_low_rank_reaches_at_least_what_truncation_does(wine):
    from nca_core.objectives.evaluator import Evaluator

    X, y = wine
    values = [
        Evaluator(X, y, objective="mcml").evaluate(MCML(2, rank=rank, regularisation=0.1).fit(X, y).components_)
        for rank in ("full", "low")
    ]
    assert values[1].objective >= values[0].objective - 1e-6


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"n_components": 0}, "n_components is 0"),
        ({"n_components": 14}, "between 1 and n_features = 13"),
        ({"kernel": "cubic"}, "rbf, polynomial, linear"),
        ({"rank": "half"}, "full, low"),
        ({"regularisation": -1}, "regularisation is -1"),
    ],
)
def test_bad_parameters_of_mcml_are_one_sentence(wine, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        MCML(**options).fit(*wine)


def test_all_are_cloned_and_pickled(wine):
    X, y = wine
    for estimator in (
        MCML(2, max_iter=3, regularisation=0.0),
        NeuralNCA(max_iter=2),
        VariableKernelClassifier(max_iter=2),
    ):
        with np.testing.suppress_warnings() as quiet:
            quiet.filter(UserWarning)
            fitted = clone(estimator).fit(X, y)
        again = pickle.loads(pickle.dumps(fitted))
        asked = "predict_proba" if isinstance(estimator, VariableKernelClassifier) else "transform"
        np.testing.assert_array_equal(getattr(again, asked)(X), getattr(fitted, asked)(X))


def test_neural_nca_places_new_rows_and_parts_classes_better_than_its_start(wine):
    X, y = wine
    fitted = NeuralNCA(2, n_hidden=20, max_iter=60, objective="g", regularisation=0.1).fit(X[::2], y[::2])
    Y, there = fitted.transform(X[::2]), fitted.transform(X[1::2])
    assert there.shape == (89, 2)
    nearest = np.linalg.norm(there[:, None] - Y[None], axis=2).argmin(axis=1)
    assert np.mean(y[::2][nearest] == y[1::2]) > 0.9
    assert 1.0 <= fitted.k_estimate_ <= 88.0
    assert fitted.objective_ < 0.0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [({"n_components": 14}, "between 1 and n_features = 13"), ({"n_hidden": 0}, "n_hidden is 0")],
)
def test_bad_parameters_of_neural_nca_are_one_sentence(wine, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        NeuralNCA(**options).fit(*wine)
