"""Factor analysis as a method, by scikit-learn."""

from __future__ import annotations

import warnings

import numpy as np

from nca_core.methods.method import Fitted, Method


def fit(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """A x is the posterior mean of the factors: A = (I + W Ψ⁻¹ Wᵀ)⁻¹ W Ψ⁻¹, W the loadings, Ψ each feature's noise.

    Fitted on standardised features, which changes nothing but the digits.

    References
    ----------
    Barber (2012), Bayesian reasoning and machine learning, section 21.1.
    """
    from sklearn.decomposition import FactorAnalysis
    from sklearn.exceptions import ConvergenceWarning

    centred = X - X.mean(axis=0)
    deviation = centred.std(axis=0)
    varies = deviation > 1e-12 * max(float(np.abs(X).max()), np.finfo(float).tiny)
    A = np.zeros((n_components, X.shape[1]))
    if not varies.any():
        return Fitted(A, note="the rows are all equal; the rest stays 0")
    scaled = centred[:, varies] / deviation[varies]
    most = min(n_components, scaled.shape[1], len(X))
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", ConvergenceWarning)
        model = FactorAnalysis(most, random_state=random_state, svd_method="lapack").fit(scaled)
    unsettled = any(issubclass(warning.category, ConvergenceWarning) for warning in heard)
    origin = np.zeros((1, scaled.shape[1]))
    factors = model.transform(np.eye(scaled.shape[1])) - model.transform(origin)  # (n_varying, most)
    A[:most, varies] = factors.T / deviation[varies]
    return Fitted(A, note="the search for the factors did not settle" if unsettled else "")


FACTOR_ANALYSIS = Method(
    key="factor_analysis",
    title="Factor analysis",
    description="What the features share, apart from each one's own noise; labels are not looked at.",
    formula="x = Wᵀ z + μ + ε, ε ~ N(0, Ψ);  A x = E[z | x]",
    kind="solved",
    fit=fit,
)
