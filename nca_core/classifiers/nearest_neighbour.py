"""The nearest neighbour, and K of them with the K that leave-one-out prefers."""

from __future__ import annotations

import numpy as np

from nca_core.accuracy.evaluation import k_nearest_classes
from nca_core.classifiers.classifier import Classifier, Told
from nca_core.k_by_leave_one_out import k_by_leave_one_out


def tell_nearest(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Told:
    """The class of the nearest row."""
    return Told(k_nearest_classes(Y, y, queries, 1, int(y.max()) + 1))


def tell_by_leave_one_out(Y: np.ndarray, y: np.ndarray, queries: np.ndarray) -> Told:
    """The vote of as many rows as tell one another's classes best."""
    k = k_by_leave_one_out(Y, y)
    return Told(k_nearest_classes(Y, y, queries, k, int(y.max()) + 1), f"K = {k}")


NEAREST = Classifier("nearest", "1-NN", "The class of the nearest row.", tell_nearest)
K_BY_LEAVE_ONE_OUT = Classifier(
    "k_leave_one_out",
    "K-NN, K by leave-one-out",
    "A vote of the K nearest rows, with the K by which the training rows tell one another best.",
    tell_by_leave_one_out,
)
