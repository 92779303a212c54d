"""Fisher's linear discriminant analysis as a method."""

from __future__ import annotations

import numpy as np

from nca_core.discriminant import discriminant_axes
from nca_core.methods.method import Fitted, Method


def fit(X: np.ndarray, y: np.ndarray, n_components: int, random_state: int) -> Fitted:
    """The discriminant axes, completed by principal axes where the classes span too few."""
    transformation, note = discriminant_axes(X, y, n_components)
    return Fitted(transformation, note=note)


LDA = Method(
    key="lda",
    title="LDA",
    description="The directions that separate class means best, relative to the spread within classes.",
    formula="A = leading solutions of S_b a = λ S_w a",
    kind="solved",
    fit=fit,
    needs_labels=True,
)
