"""OBJECTIVES: the scores that NCA can climb, each a function of log p_i alone.

With w_ij = exp(−‖A x_i − A x_j‖²), S_i = Σ_{j∈C_i, j≠i} w_ij and Z_i = Σ_{j≠i} w_ij, p_i = S_i / Z_i. A score that
gives its value and its derivatives in log S_i and log Z_i works with every way of summing. A new objective is one
function here and one line in the registry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Score:
    """Value of an objective and its derivatives, each (n_samples,)."""

    value: float
    by_log_s: np.ndarray
    by_log_z: np.ndarray


@dataclass(frozen=True)
class Objective:
    """An entry of the registry: what it is called, its formula, and `score(log_p, weights) -> Score`."""

    title: str
    formula: str
    score: Callable[[np.ndarray, np.ndarray], Score]
    additive: bool = True  # a sum over points, so that a batch of n/m points estimates 1/m of it


def _expected_correct(log_p: np.ndarray, weights: np.ndarray) -> Score:
    """f(A) = Σ_i ω_i p_i (Goldberger et al. 2004, eq. 3)."""
    wp = weights * np.exp(log_p)
    return Score(float(wp.sum()), wp, -wp)


def _log_probability(log_p: np.ndarray, weights: np.ndarray) -> Score:
    """g(A) = Σ_i ω_i log p_i (eq. 6); a point whose class has no other member has p_i = 0 and is left out."""
    live = np.where(np.isfinite(log_p), weights, 0.0)
    return Score(float(live @ np.where(live > 0, log_p, 0.0)), live, -live)


def _log_expected_correct(log_p: np.ndarray, weights: np.ndarray) -> Score:
    """log f(A): the same optima as f, steeper where f is near 0."""
    f = _expected_correct(log_p, weights)
    total = max(f.value, np.finfo(float).tiny)
    return Score(float(np.log(total)), f.by_log_s / total, f.by_log_z / total)


OBJECTIVES: dict[str, Objective] = {
    "f": Objective("Expected number of correctly classified points (eq. 3)", "Σ pᵢ", _expected_correct),
    "g": Objective("Log-probability of classifying all points correctly (eq. 6)", "Σ log pᵢ", _log_probability),
    "log_f": Objective("Logarithm of f", "log Σ pᵢ", _log_expected_correct, additive=False),
}
