"""K̂: how many neighbours the stochastic rule effectively looks at, from the entropies of p_i·."""

from __future__ import annotations

import numpy as np


def local_perplexity(entropy: np.ndarray) -> np.ndarray:
    """exp(H_i) for every point, (n_samples,); H_i in nats. Between 1 and n − 1."""
    return np.exp(entropy)


def k_mean_entropy(entropy: np.ndarray) -> float:
    """K̂ = exp(mean_i H_i), the geometric mean of the local perplexities (NCA paper, section 2)."""
    return float(np.exp(np.mean(entropy)))


def k_mean_perplexity(entropy: np.ndarray) -> float:
    """The other average, mean_i exp(H_i)."""
    return float(np.mean(local_perplexity(entropy)))
