"""A random projection as a method: what chance alone gives."""

from __future__ import annotations

import numpy as np

from nca_core.methods.method import Fitted, Method


def fit(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """Gaussian entries with variance 1 / n_components, by scikit-learn; the data are not looked at."""
    from sklearn.random_projection import GaussianRandomProjection

    drawn = GaussianRandomProjection(n_components, random_state=random_state).fit(X)
    return Fitted(np.asarray(drawn.components_))


RANDOM_PROJECTION = Method(
    key="random_projection",
    title="Random",
    description="A random projection: what chance alone gives.",
    formula="A_kl ~ N(0, 1/d)",
    kind="solved",
    fit=fit,
)
