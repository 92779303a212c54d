"""MCML and NeuralNCA: what they learn; their contract is in test_contract.py."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from sklearn.datasets import load_wine

from nca_core import MCML, NeuralNCA


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def test_mcml_truncates_the_full_metric(wine):
    X, y = wine
    full, two = MCML().fit(X, y), MCML(2).fit(X, y)
    np.testing.assert_allclose(two.components_, full.components_[:2], atol=1e-8)
    np.testing.assert_allclose(full.get_mahalanobis_matrix(), full.components_.T @ full.components_)
    np.testing.assert_allclose(np.linalg.eigvalsh(full.get_mahalanobis_matrix())[::-1], full.spectrum_, atol=1e-8)
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


def test_neural_nca_places_new_rows_and_parts_classes_better_than_its_start(wine):
    X, y = wine
    fitted = NeuralNCA(2, n_hidden=20, max_iter=60, objective="g", regularisation=0.1).fit(X[::2], y[::2])
    Y, there = fitted.transform(X[::2]), fitted.transform(X[1::2])
    assert there.shape == (89, 2)
    nearest = np.linalg.norm(there[:, None] - Y[None], axis=2).argmin(axis=1)
    assert np.mean(y[::2][nearest] == y[1::2]) > 0.9
    assert 1.0 <= fitted.k_estimate_ <= 88.0
    assert fitted.objective_ < 0.0
