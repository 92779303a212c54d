"""better_from_a_smaller_start: a second climb where the start lets each point see one neighbour alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nca_core.simple_starts import scale_to_sensible_k
from nca_core.snapshot import Trajectory
from nca_core.training import SOLVED

_ONE_NEIGHBOUR = 1.1  # K̂ at most so large: the gradient is nearly zero, and a climb ends where it began or close by


def better_from_a_smaller_start(
    end: Trajectory,
    X: np.ndarray,
    codes: np.ndarray,
    max_iter: int,
    least_gain: float,
    climb: Callable[[np.ndarray, int, int], Trajectory],
) -> tuple[Trajectory, float]:
    """The better of two climbs: the one that ended before `max_iter` from such a start, and one from a smaller start
    with the iterations that are left; and what the start was multiplied by, 1 where the first climb stands.

    Parameters
    ----------
    end : Trajectory
        The first climb.
    X, codes : ndarray
        Features, (n_samples, n_features), and class codes, (n_samples,).
    max_iter : int
        Most iterations of both together.
    least_gain : float
        Of the objective, by which the second has to end higher.
    climb : callable
        Climbs from a start, with the most iterations that it may take and the number of those made already.
    """
    first = end.snapshots[0]
    made = end.snapshots[-1].iteration
    if end.ended not in ("cannot_move", "converged") or made >= max_iter:
        return end, 1.0
    if first.k_mean_entropy > _ONE_NEIGHBOUR or first.mean_p >= SOLVED:
        return end, 1.0
    smaller = scale_to_sensible_k(first.transformation, X, codes)
    by = float(np.linalg.norm(smaller) / np.linalg.norm(first.transformation)) if np.any(smaller) else 1.0
    if by >= 1.0:
        return end, 1.0
    again = climb(smaller, max_iter - made, made)
    gained = again.snapshots[-1].objective - end.snapshots[-1].objective
    return (again, by) if gained > least_gain else (end, 1.0)
