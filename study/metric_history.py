"""How the metric of a training grows: the singular values and the norm of A over its iterations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.preparation import Prepared
from nca_core.snapshot import Trajectory

FLAT = 0.1  # of the largest singular value: one below it adds less than a hundredth to a squared distance


@dataclass(frozen=True)
class MetricHistory:
    """Of each snapshot of a training."""

    title: str
    iterations: np.ndarray  # (n_snapshots,); their numbers
    # (n_snapshots, n_components); of A, the largest first: the square roots of the eigenvalues of AᵀA that are not 0 by
    # its rank
    singular_values: np.ndarray

    @property
    def norms(self) -> np.ndarray:
        """The Frobenius norm ‖A‖ of each snapshot, (n_snapshots,)."""
        return np.linalg.norm(self.singular_values, axis=1)

    @property
    def sentence(self) -> str:
        """How much A grew, and in how many directions it counts."""
        first, last = float(self.norms[0]), float(self.norms[-1])
        values = self.singular_values[-1]
        grown = f"{self.title}: ‖A‖ is {last:.3g}"
        if len(self.norms) > 1 and first > 0:
            grown += f", {last / first:.3g} times that of the start"
        if not values[0] > 0:
            return f"{grown}; all points fall into one place."
        counting = int(np.count_nonzero(values >= FLAT * values[0]))
        listed = ", ".join(f"{value:.3g}" for value in values)
        if counting < len(values):
            only = "1 counts" if counting == 1 else f"{counting} count"
            shape = "a line" if counting == 1 else "flat"
            return f"{grown}; of its singular values ({listed}) only {only}: the picture is nearly {shape}."
        return f"{grown}; its singular values are {listed}, so every axis of the picture counts."


def metric_history(title: str, trajectory: Trajectory) -> MetricHistory:
    """From the A of each snapshot; of a network, of the matrix over its hidden units."""
    snapshots = trajectory.snapshots
    values = np.array([np.linalg.svd(at.transformation, compute_uv=False) for at in snapshots])
    return MetricHistory(title, np.array([at.iteration for at in snapshots]), values)


def weights_of_features(ready: Prepared, transformation: np.ndarray, per_deviation: bool) -> np.ndarray:
    """The weight of each original feature in each row of A.

    ready: the prepared data that `transformation` was trained on.
    transformation: A, (n_components, n_features of the prepared data).
    per_deviation: per standard deviation of the feature over the training rows, which makes units comparable; else per
        unit.

    Returns (n_components, n_features of the raw data).
    """
    weights = ready.back_to_features(transformation)
    if per_deviation:
        weights = weights * ready.raw.X[ready.train].std(axis=0)
    return weights
