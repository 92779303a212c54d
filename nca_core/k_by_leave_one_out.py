"""The K of a nearest-neighbour vote by which the training rows tell one another's classes best."""

from __future__ import annotations

import numpy as np

from nca_core.accuracy.evaluation import leave_one_out_curve
from nca_core.sampling import stratified_sample

_ASKED = 5_000  # points whose leave-one-out accuracy decides
_LEAST_TRIED = 15  # values of K, where there are as many points


def k_by_leave_one_out(Y: np.ndarray, y: np.ndarray) -> int:
    """The K of the best leave-one-out accuracy, of equally good ones the middle; up to 15 or 2 √n are tried.

    Parameters
    ----------
    Y : ndarray of shape (n_samples, n_components)
        Places.
    y : ndarray of shape (n_samples,)
        Class codes.
    """
    rows = stratified_sample(y, _ASKED, np.random.default_rng(0))
    if len(rows) < 2:
        return 1
    accuracy = leave_one_out_curve(Y[rows], y[rows], min(len(rows) - 1, max(_LEAST_TRIED, round(2 * len(rows) ** 0.5))))
    best = np.flatnonzero(accuracy >= np.max(accuracy)) + 1
    return min(int(best[(len(best) - 1) // 2]), len(Y))
