"""K̂: how many neighbours the stochastic rule effectively looks at, from the entropies of p_i·."""

from __future__ import annotations

import numpy as np


def local_perplexity(entropy: np.ndarray) -> np.ndarray:
    """exp(H_i) for every point, (n_samples,); H_i in nats. Between 1 and n − 1."""
    return np.exp(entropy)


def k_mean_entropy(entropy: np.ndarray) -> float:
    """K̂ = exp(mean_i H_i), the geometric mean of the local perplexities (NCA paper, section 2)."""
    return float(np.exp(np.mean(entropy)))


def rounded_k(k: float) -> int:
    """The K of a nearest-neighbour rule that goes with an estimate: the next whole number, at least 1."""
    return max(1, round(k))


def k_mean_perplexity(entropy: np.ndarray) -> float:
    """The other average, mean_i exp(H_i)."""
    return float(np.mean(local_perplexity(entropy)))


def k_of_new_points(
    Y: np.ndarray, queries: np.ndarray, *, max_queries: int | None = None, random_state: int = 0
) -> tuple[float, float]:
    """Both averages for points that were held out, from the entropies of p_xj ∝ exp(−‖x − y_j‖²) over the training
    points: (exp(mean_x H_x), mean_x exp(H_x)).

    Parameters
    ----------
    Y : ndarray
        Projected training points, (n_samples, n_components).
    queries : ndarray
        Projected new points, (n_queries, n_components).
    max_queries : int or None
        Of more new points a fixed random sample of so many is asked.
    random_state : int
        Seed of that sample.
    """
    from nca_core.accuracy.stochastic_rule import perplexity_of_queries

    if max_queries is not None and len(queries) > max_queries:
        queries = queries[np.random.default_rng(random_state).choice(len(queries), max_queries, replace=False)]
    entropy = np.log(perplexity_of_queries(Y, queries))
    return k_mean_entropy(entropy), k_mean_perplexity(entropy)
