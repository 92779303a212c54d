"""OBJECTIVES: what NCA can maximise, each a function of the sums over a point's neighbours.

With w_ij = exp(−‖A x_i − A x_j‖²), S_i = Σ_{j∈C_i, j≠i} w_ij and Z_i = Σ_{j≠i} w_ij, p_i = S_i / Z_i. An objective
that gives its value and its derivatives in log S_i and log Z_i works with every summation method; one that looks at
the pairs of a class has a further part in Y itself (`scatter`). A new objective is one function here and one line in
the registry.

References
----------
Goldberger, Roweis, Hinton, Salakhutdinov: Neighbourhood Components Analysis, NIPS 2004, eq. 3, 6 and 8.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nca_core.neighbours.base.sums import NeighbourSums


@dataclass(frozen=True)
class ObjectiveTerms:
    """What an objective contributes at one Y."""

    value: float  # F, the objective without its penalty
    d_log_s: np.ndarray  # ∂F/∂log S_i and ∂F/∂log Z_i, each (n_samples,)
    d_log_z: np.ndarray


@dataclass(frozen=True)
class Objective:
    """An entry of the registry."""

    title: str  # what it is called, and its formula in a line
    formula: str
    # (sums, partners, weights) -> ObjectiveTerms; for each point its sums, the number of other members of its class
    # (counted only where `scatter` is set) and its weight ω_i
    terms: Callable[[NeighbourSums, np.ndarray, np.ndarray], ObjectiveTerms]
    additive: bool = True  # it is a sum over points, so that a batch of m points estimates m/n of it
    # it has a further part in Y itself, −Σ_i ω_i Σ_j M_ij ‖y_i − y_j‖², from the similarities M_ij
    scatter: bool = False
    # in that part each point's similarities are divided by their sum m_i, so that they are probabilities
    shared: bool = False
    logs: bool = False  # it needs log p_i exactly even where p_i is negligible
    # what no point's term can exceed, for a weight of 1; infinite where that is not known
    largest: float = float("inf")

    @property
    def grows(self) -> bool:
        """Whether it is a sum, which grows with the weights of the points; a logarithm of one does not."""
        return self.additive or self.scatter


def _expected_correct(sums: NeighbourSums, partners: np.ndarray, weights: np.ndarray) -> ObjectiveTerms:
    """f(A) = Σ_i ω_i p_i (eq. 3)."""
    wp = weights * np.exp(sums.log_p)
    return ObjectiveTerms(float(wp.sum()), wp, -wp)


def _log_probability(sums: NeighbourSums, partners: np.ndarray, weights: np.ndarray) -> ObjectiveTerms:
    """g(A) = Σ_i ω_i log p_i (eq. 6); a point whose class has no other member has p_i = 0 and is left out."""
    live = np.where(np.isfinite(sums.log_p), weights, 0.0)
    return ObjectiveTerms(float(live @ np.where(live > 0, sums.log_p, 0.0)), live, -live)


def _log_expected_correct(sums: NeighbourSums, partners: np.ndarray, weights: np.ndarray) -> ObjectiveTerms:
    """log f(A): the same optima as f, steeper where f is near 0; by log-sum-exp, as every p_i may underflow."""
    with np.errstate(divide="ignore"):
        logs = np.log(weights) + sums.log_p
    top = float(logs.max())
    if not np.isfinite(top):  # no point has a partner: f = 0 whatever A is
        return ObjectiveTerms(float(np.log(np.finfo(float).tiny)), np.zeros_like(logs), np.zeros_like(logs))
    share = np.exp(logs - top)
    total = float(share.sum())
    share /= total
    return ObjectiveTerms(top + float(np.log(total)), share, -share)


def _every_pair(sums: NeighbourSums, partners: np.ndarray, weights: np.ndarray) -> ObjectiveTerms:
    """Σ_i ω_i Σ_{j∈C_i, j≠i} log p_ij = −Σ_i ω_i m_i log Z_i − Σ_i ω_i Σ_{j∈C_i} ‖y_i − y_j‖², m_i the partners of i:
    the first sum here, the second in `scatter_within_classes` (third variation in the talk on NCA and MCML)."""
    pull = weights * partners
    return ObjectiveTerms(-float(pull @ sums.log_z), np.zeros_like(pull), -pull)


def _class_distribution(sums: NeighbourSums, partners: np.ndarray, weights: np.ndarray) -> ObjectiveTerms:
    """Σ_i ω_i Σ_j p⁰(j|i) log p_ij = −Σ_i ω_i log Z_i − Σ_i ω_i Σ_j p⁰(j|i) ‖y_i − y_j‖², p⁰(j|i) = M_ij / m_i.

    Up to the constant entropies of p⁰ this is −Σ_i ω_i KL[p⁰(·|i) ‖ p(·|i)], the objective of MCML (Globerson, Roweis:
    Metric learning by collapsing classes, NIPS 2005); a point without partners has no p⁰ and is left out."""
    live = np.where(partners > 0, weights, 0.0)
    return ObjectiveTerms(-float(live @ sums.log_z), np.zeros_like(live), -live)


def _one_softmax(sums: NeighbourSums, partners: np.ndarray, weights: np.ndarray) -> ObjectiveTerms:
    """Σ_{a≠b} w_ab log( exp(−‖y_a − y_b‖²) / Σ_{c≠d} exp(−‖y_c − y_d‖²) ) (eq. 8), w_ab = ω_a M_ab: one softmax over
    all ordered pairs, so −W log Σ_i Z_i here, W = Σ w_ab, and −Σ w_ab ‖y_a − y_b‖² in `scatter`."""
    top = float(sums.log_z.max())
    share = np.exp(sums.log_z - top)
    total = float(share.sum())
    whole = float(weights @ partners)
    return ObjectiveTerms(-whole * (top + float(np.log(total))), np.zeros_like(share), -whole / total * share)


OBJECTIVES: dict[str, Objective] = {
    "f": Objective("Expected number of correctly classified points (eq. 3)", "Σ pᵢ", _expected_correct, largest=1.0),
    "g": Objective(
        "Log-probability of classifying all points correctly (eq. 6)",
        "Σ log pᵢ",
        _log_probability,
        logs=True,
        largest=0.0,
    ),
    "log_f": Objective("Logarithm of f", "log Σ pᵢ", _log_expected_correct, additive=False, logs=True),
    "pairs": Objective("Log-probability of every same-class pair", "Σ Σ log pᵢⱼ", _every_pair, scatter=True),
    "mcml": Objective(
        "Closeness to one point for each class (MCML)",
        "−Σ KL[p⁰ᵢ ‖ pᵢ] + const",
        _class_distribution,
        scatter=True,
        shared=True,
    ),
    "pair_weights": Objective(
        "Log-probability of weighted pairs by one softmax over all pairs (eq. 8)",
        "Σ wₐᵦ log qₐᵦ",
        _one_softmax,
        additive=False,
        scatter=True,
    ),
}
