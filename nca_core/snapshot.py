"""Snapshot: what was measured at one iteration. Trajectory: the snapshots of one training, in order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Snapshot:
    """One iteration of a training, everything in it measured at the same A.

    Attributes:
        iteration: 0 is the start, before the first step.
        transformation: A, shape (n_components, n_features), read-only.
        objective: value that is maximised, the penalty −λ‖A‖² included.
        score: mean p_i, the expected leave-one-out accuracy of the stochastic neighbour rule (f/n, eq. 3).
        gradient_norm: Frobenius norm of the objective's gradient in A.
        k_mean_entropy: K̂ = exp(mean_i H_i), H_i the entropy of p_i· in nats.
        k_mean_perplexity: the other average, mean_i exp(H_i).
        accuracy_1nn: leave-one-out accuracy of the 1-nearest-neighbour rule on Y = X Aᵀ; NaN if not measured.
        accuracy_knn: the same with K = round(k_mean_entropy), at least 1.
        held_out_1nn: accuracy of the 1-nearest-neighbour rule on held-out points; NaN without any.
        held_out_knn: the same with K = round(k_mean_entropy).
        seconds: time spent in the optimiser up to here, pauses left out.
        sums: which way of summing was used ("dense", "truncated", "spectral").
    """

    iteration: int
    transformation: np.ndarray  # (n_components, n_features)
    objective: float
    score: float
    gradient_norm: float
    k_mean_entropy: float
    k_mean_perplexity: float
    accuracy_1nn: float = float("nan")
    accuracy_knn: float = float("nan")
    held_out_1nn: float = float("nan")
    held_out_knn: float = float("nan")
    seconds: float = 0.0
    sums: str = "dense"


@dataclass(frozen=True)
class Trajectory:
    """The snapshots of one training in order, how it ended ("converged", "max_iter", "stopped", "cannot_move",
    "failed"; "" while it runs) and the reason in one plain sentence."""

    snapshots: tuple[Snapshot, ...]
    ended: str = ""
    reason: str = ""
