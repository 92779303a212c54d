"""LearnedMetric: what an estimator with components_ says about the distance that it learnt."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted


class LearnedMetric:
    """For estimators that hold A as `components_`, (n_components, n_features)."""

    components_: np.ndarray

    def get_mahalanobis_matrix(self) -> np.ndarray:
        """Q = AᵀA, (n_features, n_features), of the distance that was learnt: (x − z)ᵀ Q (x − z) = ‖A x − A z‖²."""
        check_is_fitted(self)
        return self.components_.T @ self.components_
