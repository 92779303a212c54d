"""Rules that go by p_ij, for places whose scale was learnt: K̂ neighbours, each row's own K, the stochastic rule."""

from __future__ import annotations

import numpy as np

from nca_core.accuracy.evaluation import k_nearest_classes
from nca_core.accuracy.k_estimate import k_mean_entropy, rounded_k
from nca_core.accuracy.local_k import local_k_classes
from nca_core.accuracy.stochastic_rule import class_probabilities
from nca_core.classifiers.classifier import Classifier, Told
from nca_core.evaluator import Evaluator


def tell_by_k_estimate(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Told:
    """The vote of round(K̂) rows (section 2 of the NCA paper)."""
    entropy = Evaluator(Y, y).evaluate_places(Y).entropy
    k = min(rounded_k(k_mean_entropy(entropy)), len(Y))
    return Told(k_nearest_classes(Y, y, queries, k, int(y.max()) + 1), f"K = {k}")


def tell_by_own_k(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Told:
    """The vote of round(exp(H_x)) rows, H_x the entropy of the new row's own p_x·."""
    codes, own = local_k_classes(Y, y, queries, int(y.max()) + 1)
    return Told(codes, f"K from {own.min():.0f} to {own.max():.0f}")


def tell_by_probability(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Told:
    """The class with the largest share of p_x·."""
    return Told(class_probabilities(Y, y, queries, int(y.max()) + 1).argmax(axis=1))


K_ESTIMATE = Classifier("k_estimate", "K-NN, K = K̂", "A vote of round(K̂) rows.", tell_by_k_estimate, by_scale=True)
OWN_K = Classifier(
    "own_k", "K-NN, own K", "A vote in which each new row brings its own K, exp of its entropy.", tell_by_own_k, True
)
STOCHASTIC = Classifier(
    "stochastic", "stochastic rule", "The class with the largest share of p_x·.", tell_by_probability, by_scale=True
)
