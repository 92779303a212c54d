"""TrainedTransformer: what the estimators of dense rows and class labels share that end a training with a transform."""

from __future__ import annotations

from typing import Any, Self
from warnings import warn

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags

from nca_core.estimators.checks import codes_of, labelled_rows
from nca_core.features.validation import check_sample_weight
from nca_core.snapshot import Snapshot, Trajectory


class TrainedTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """An estimator gives `_train`, which trains, and `_keep`, which keeps what was learnt."""

    def fit(self, X: Any, y: Any, point_weight: Any = None) -> Self:
        """Learn from X, (n_samples, n_features), and class labels y, (n_samples,).

        `point_weight`, (n_samples,), weighs each point's term of the objective.

        Raises
        ------
        ValueError
            For parameters or data that cannot be trained on.
        """
        X, y = labelled_rows(self, X, y)
        if point_weight is not None:
            point_weight = check_sample_weight(point_weight, len(X), "point_weight")
        end = self._train(X, codes_of(y)[1], point_weight)
        last = end.snapshots[-1]
        self.objective_, self.n_iter_ = last.objective, max(1, last.iteration)
        self.ended_, self.reason_ = end.ended, end.reason
        self._keep(last)
        if self._warns(end):
            warn(f"[{type(self).__name__}] {end.reason}", ConvergenceWarning, stacklevel=2)
        return self

    def _train(self, X: np.ndarray, codes: np.ndarray, point_weight: np.ndarray | None) -> Trajectory:
        raise NotImplementedError

    def _keep(self, last: Snapshot) -> None:
        raise NotImplementedError

    def _warns(self, end: Trajectory) -> bool:
        """Whether the end of the training is worth a warning."""
        return end.ended in ("max_iter", "cannot_move")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
