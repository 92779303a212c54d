"""counted_vote: the vote of so many neighbours that to count within their distance is quicker than to sort them."""

from __future__ import annotations

import numpy as np

_BLOCK_CELLS = 4_000_000
_SHARE = 8  # from n / 8 neighbours on
_MOST_DIMENSIONS = 9  # where distances are summed axis by axis
_SMALLEST_EXPONENT = -1000
_FARTHEST = 1e150  # so far away all points are equally near
UNDECIDED = -1


def is_quicker(n: int, d: int, k: int) -> bool:
    """Whether the vote of k among n points in d dimensions is counted sooner than they are sorted."""
    return k > max(30, n // _SHARE) and d <= _MOST_DIMENSIONS


def counted_vote(Y: np.ndarray, y: np.ndarray, queries: np.ndarray, rows: np.ndarray | None, k: int) -> np.ndarray:
    """The class that most of the k nearest points have, (n_queries,); UNDECIDED where their order has to tell.

    That is where two classes have as many, and where more than k points are no farther than the k-th.

    Parameters
    ----------
    Y, y : ndarray
        Points, (n_samples, n_components), and their class codes from 0.
    queries : ndarray of shape (n_queries, n_components)
        Who asks.
    rows : ndarray of shape (n_queries,) or None
        The places of the queries among the points, where they are not to be their own neighbours.
    k : int
        Neighbours; fewer than there are points.
    """
    classes = np.full(len(queries), UNDECIDED, dtype=np.int64)
    members = np.zeros((len(Y), int(y.max(initial=0)) + 1), dtype=np.float32)
    members[np.arange(len(Y)), y] = 1.0
    # A power of two changes the size of the numbers, not their digits; without it squares might overflow or vanish.
    unit = 2.0 ** -max(int(np.frexp(np.abs(Y).max(initial=0.0))[1]), _SMALLEST_EXPONENT)
    Y, queries = Y * unit, np.clip(queries * unit, -_FARTHEST, _FARTHEST)
    size = max(1, _BLOCK_CELLS // len(Y))
    for first in range(0, len(queries), size):
        asked = queries[first : first + size]
        squares = np.zeros((len(asked), len(Y)))
        for axis in range(Y.shape[1]):
            squares += (asked[:, axis, None] - Y[None, :, axis]) ** 2
        if rows is not None:
            squares[np.arange(len(asked)), rows[first : first + size]] = np.inf
        inside = squares <= np.partition(squares, k - 1, axis=1)[:, k - 1, None]
        ballots = inside.astype(np.float32) @ members  # whole numbers, exact
        most = ballots.max(axis=1)
        clear = (ballots.sum(axis=1) == k) & (np.count_nonzero(ballots == most[:, None], axis=1) == 1)
        classes[first : first + size][clear] = ballots.argmax(axis=1)[clear]
    return classes
