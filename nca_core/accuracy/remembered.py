"""RememberedCodes: the classes of the nearest neighbours of the same points, asked for with one K after another."""

from __future__ import annotations

import threading

import numpy as np

from nca_core.accuracy.nearest import NearestNeighbours, nearest_others


class RememberedCodes:
    """Looks for more neighbours than are asked for, and answers smaller K from these.

    Which of equally far points come first may depend on K, so a query with such points is looked for again: the answer
    is the one of `nearest_others` for every K. Threads may ask at once.

    Parameters
    ----------
    nearest : NearestNeighbours
        The points.
    y : ndarray
        Their codes from 0, (n_samples,).
    queries : ndarray
        (n_queries, n_components).
    rows : ndarray or None
        Places of the queries among the points where they are not to be their own neighbours, (n_queries,).
    """

    def __init__(self, nearest: NearestNeighbours, y: np.ndarray, queries: np.ndarray, rows: np.ndarray | None) -> None:
        self._nearest, self._y, self._queries, self._rows = nearest, y, queries, rows
        self._dtype = np.min_scalar_type(int(y.max(initial=0)))
        # The codes found, and for each query the largest K that it answers.
        self._known = np.empty((len(queries), 0), dtype=self._dtype), np.empty(0, dtype=np.int64)
        self._one_looks = threading.Lock()

    def are_of(self, queries: np.ndarray, rows: np.ndarray | None) -> bool:
        """Whether these are its queries."""
        return (rows is None) == (self._rows is None) and np.array_equal(queries, self._queries)

    def of(self, k: int) -> np.ndarray:
        """Codes of the k nearest, nearest first, (n_queries, k); 1 <= k <= the number of other points."""
        with self._one_looks:
            if k > self._known[0].shape[1]:
                self._known = self._look(k)
            found, sure = self._known
        codes = found[:, :k].astype(np.int64)
        again = np.flatnonzero(sure < k)
        if len(again):
            rows = None if self._rows is None else self._rows[again]
            codes[again] = self._y[nearest_others(self._nearest, None, self._queries[again], rows, k)]
        return codes

    def _look(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        others = len(self._nearest) - (self._rows is not None)
        reach = min(others, 1 << (k - 1).bit_length())
        own = int(self._rows is not None)  # it stands first, unless another one is as near
        distances, found = self._nearest.with_distances(self._queries, min(reach + own + 1, len(self._nearest)))
        level = np.diff(distances, axis=1) == 0  # (n_queries, n_found - 1)
        # Up to the first two that are equally far all K have the same neighbours.
        first = np.where(level.any(axis=1), level.argmax(axis=1), level.shape[1])
        whole = distances.shape[1] == len(self._nearest)
        sure = np.where(first == level.shape[1], reach if whole else level.shape[1] - own, first - own)
        return self._y[found[:, own : own + reach]].astype(self._dtype), sure
