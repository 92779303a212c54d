"""NCA as one projection among others: fit, transform, and what a reader should know."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from nca_core.snapshot import Trajectory

if TYPE_CHECKING:
    from nca_core.training import TrainingConfig


class NCA:
    """Linear projection that maximises the expected leave-one-out accuracy of the stochastic neighbour rule.

    Parameters:
        n_components: d, rows of A.
        config: how to train; its n_components is replaced.

    Attributes after fit:
        transformation: A, (n_components, n_features).
        mean: (n_features,), taken off before projecting, which moves the picture and no distance.
        note: how the training ended.
        trajectory: all snapshots.
    """

    def __init__(self, n_components: int = 2, config: TrainingConfig | None = None) -> None:
        self.n_components = n_components
        self.config = config
        self.note = ""

    def fit(self, X: np.ndarray, y: np.ndarray) -> NCA:
        """Train on X, (n_samples, n_features), and class codes y, (n_samples,)."""
        from nca_core.training import TrainingConfig, train  # which begins at other projections

        config = replace(self.config or TrainingConfig(), n_components=self.n_components)
        self.trajectory: Trajectory = train(X, y, config, measure_accuracy=False)
        self.mean = np.asarray(X).mean(axis=0)
        self.transformation = self.trajectory.snapshots[-1].transformation
        self.note = self.trajectory.reason
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        """(X − mean) Aᵀ, (n_samples, n_components)."""
        return (X - self.mean) @ self.transformation.T
