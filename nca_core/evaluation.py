"""What an Evaluator finds, at an A or at given places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Evaluation:
    """Everything known at one A; arrays are read-only and in the order of the rows of X.

    Attributes
    ----------
    objective : float
        The maximised value, the penalty −λ‖A‖² included; a sum over points, not a mean.
    gradient : ndarray
        ∂objective/∂A, (n_components, n_features).
    p : ndarray
        p_i, the probability that the stochastic rule classifies point i correctly, (n_samples,).
    entropy : ndarray
        H_i of the neighbour distribution p_i·, in nats, (n_samples,).
    mean_p : float
        The weighted mean of p_i.
    summation : str
        The method used for the sums, a key of SUMMATION_METHODS, or "pairwise".
    """

    objective: float
    gradient: np.ndarray  # (n_components, n_features)
    p: np.ndarray  # (n_samples,)
    entropy: np.ndarray  # (n_samples,)
    mean_p: float
    summation: str


@dataclass(frozen=True)
class EvaluationOfPlaces:
    """Everything known where the points lie at given places, whatever put them there; as Evaluation, but for

    Attributes
    ----------
    objective : float
        Without a penalty.
    d_Y : ndarray
        ∂objective/∂Y, (n_samples, n_components).
    """

    objective: float
    d_Y: np.ndarray  # (n_samples, n_components)
    p: np.ndarray  # (n_samples,)
    entropy: np.ndarray  # (n_samples,)
    mean_p: float
    summation: str
