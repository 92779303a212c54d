"""scikit-learn's own checks of estimators, with ten settings each; all but the first with `-m thorough`."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from nca_core import NCAClassifier, NeighborhoodComponentsAnalysis

TRANSFORMERS = [
    {},
    {"shape": "diagonal"},
    {"init": "sample_first", "objective": "g"},
    {"init": "identity", "dtype": "float32"},
    {"init": "uniform", "optimiser": "cg", "objective": "log_f"},
    {"optimiser": "stochastic", "regularisation": 0.1},
    {"n_components": 1, "init": "random", "optimiser": "bfgs", "random_state": 0},
    {"init": "whitening", "objective": "pairs", "scale_start": True},
    {"objective": "mcml", "optimiser": "gradient-ascent", "standardise": True},
    {"n_components": 1, "summation": "spectral", "n_jobs": 1, "tol": 0.001, "warm_start": True},
]
CLASSIFIERS = [
    {},
    {"rule": "local"},
    {"rule": "stochastic"},
    {"standardise": True, "dtype": "float32", "summation": "truncated", "n_jobs": 1},
    {"n_components": None, "init": "lda", "scale_start": False},
    {"n_components": 1, "n_neighbors": 1, "init": "pca", "objective": "g"},
    {"shape": "diagonal", "rule": "stochastic", "optimiser": "cg", "warm_start": True},
    {"init": "sample_first", "random_state": 0, "n_neighbors": 3},
    {"regularisation": 0.1, "optimiser": "stochastic", "random_state": 1},
    {"objective": "log_f", "tol": 0.01, "rule": "local"},
]


@parametrize_with_checks(
    [NeighborhoodComponentsAnalysis(max_iter=10, **TRANSFORMERS[0]), NCAClassifier(max_iter=10, **CLASSIFIERS[0])]
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.thorough
@parametrize_with_checks(
    [NeighborhoodComponentsAnalysis(max_iter=5, **settings) for settings in TRANSFORMERS[1:]]
    + [NCAClassifier(max_iter=5, **settings) for settings in CLASSIFIERS[1:]]
)
def test_scikit_learns_checks_with_other_settings(estimator, check):
    check(estimator)
