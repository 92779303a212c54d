"""NearestNeighbours: the k nearest of fixed points, by tree for up to nine dimensions, else by every distance."""

import threading

import numpy as np

_TREE_DIMENSIONS = 9
_BLOCK_CELLS, _LEAST_QUERIES = 1_000_000, 16  # queries times points; so that these are read once for several
_PART = 20_000  # points
_SPARE = 16  # candidates besides k
_FEWER_THAN_A_TREE = 4  # to look at every point for so few queries is quicker than to build a tree
_EXPONENT_RANGE = 300  # squares of values within 2^±300 neither overflow nor vanish
_SMALLEST_EXPONENT = -1000  # numbers below have lost digits themselves, and 1 / 2**-1074 is infinite
_FARTHEST = 1e150
_ROUNDING = 4 * np.finfo(np.float64).eps


class NearestNeighbours:
    """Which rows of Y are nearest to a point, in Euclidean distance; Y is kept, and a tree once one is needed.

    Y: (n_samples, n_components), finite.
    """

    def __init__(self, Y: np.ndarray) -> None:
        Y = np.ascontiguousarray(Y, dtype=np.float64)
        largest = max(float(Y.max(initial=0.0)), -float(Y.min(initial=0.0)))
        # A power of two changes the size of the numbers, not their digits.
        exponent = int(np.frexp(largest)[1])
        exponent = max(exponent, _SMALLEST_EXPONENT)
        self._unit = 2.0**-exponent if abs(exponent) > _EXPONENT_RANGE else 1.0
        self._Y = Y * self._unit if self._unit != 1.0 else Y
        self._lock = threading.Lock()
        self._tree: object | None = None
        self._centred: tuple[np.ndarray, np.ndarray, float] | None = None

    def __len__(self) -> int:
        return len(self._Y)

    def of(self, queries: np.ndarray, k: int) -> np.ndarray:
        """Row numbers of the k nearest, nearest first, (n_queries, k); 1 ≤ k ≤ n_samples."""
        # Farther away squares overflow, and all of Y is equally near.
        limit = _FARTHEST / self._unit
        queries = np.clip(np.asarray(queries, dtype=np.float64), -limit, limit) * self._unit
        if self._Y.shape[1] > _TREE_DIMENSIONS:
            return self._by_products(queries, k)
        if self._tree is None and len(queries) <= _FEWER_THAN_A_TREE:
            return self._by_differences(queries, k)
        return np.asarray(self._tree_of_points().query(queries, k=np.arange(1, k + 1))[1])  # type: ignore[attr-defined]

    def _tree_of_points(self) -> object:
        with self._lock:
            if self._tree is None:
                from scipy.spatial import cKDTree

                # Halving boxes instead of points takes half the time to build and none to search.
                self._tree = cKDTree(self._Y, leafsize=32, balanced_tree=False, compact_nodes=False)
        return self._tree

    def _by_differences(self, queries: np.ndarray, k: int) -> np.ndarray:
        found = np.empty((len(queries), k), dtype=np.int64)
        for row, query in enumerate(queries):
            distances = np.zeros(len(self._Y))
            for axis in range(self._Y.shape[1]):
                distances += (self._Y[:, axis] - query[axis]) ** 2
            part = np.argpartition(distances, k - 1)[:k]
            found[row] = part[np.argsort(distances[part], kind="stable")]
        return found

    def _by_products(self, queries: np.ndarray, k: int) -> np.ndarray:
        """Products of matrices about the mean find some more than k candidates, differences the nearest of these."""
        with self._lock:
            if self._centred is None:
                mean = self._Y.mean(axis=0)
                centred = self._Y - mean
                norms = np.einsum("ij,ij->i", centred, centred)
                self._centred = mean, np.column_stack([-2.0 * centred, norms]), float(norms.max())
        mean, factors, largest = self._centred
        d, m = self._Y.shape[1], min(k + _SPARE, len(self._Y))
        found = np.empty((len(queries), k), dtype=np.int64)
        size = max(_LEAST_QUERIES, _BLOCK_CELLS // len(self._Y))
        for first in range(0, len(queries), size):
            block = queries[first : first + size]
            centred = block - mean
            own = np.einsum("ij,ij->i", centred, centred)
            products = np.column_stack([centred, np.ones(len(block))]) @ factors.T  # (n_queries, n_samples)
            places = _smallest(products, m)
            farthest = products[np.arange(len(block)), places[:, -1]]
            places.sort(axis=1)
            squares = np.zeros(places.shape)
            for axis in range(d):
                squares += (self._Y[places, axis] - block[:, axis, None]) ** 2
            order = np.argsort(squares, axis=1, kind="stable")[:, :k]
            found[first : first + len(block)] = np.take_along_axis(places, order, axis=1)
            if m < len(self._Y):
                # A point that is no candidate may be nearer than these where rounding is larger than the difference.
                rounding = _ROUNDING * (d + 4) * (own + largest)
                last = np.take_along_axis(squares, order[:, -1:], axis=1)[:, 0]
                doubtful = np.flatnonzero(last > farthest + own - rounding)
                found[first + doubtful] = self._by_differences(block[doubtful], k)
        return found


def _smallest(products: np.ndarray, m: int) -> np.ndarray:
    """Places of the m smallest numbers of each row, (n_queries, m), the largest of these last."""
    step = products.shape[1] // _PART
    if step < 2:
        return np.argpartition(products, m - 1, axis=1)[:, :m]
    # The m-th of a part is no less than that of all, and few are below it.
    bounds = np.partition(products[:, ::step], m - 1, axis=1)[:, m - 1]
    found = []
    for row, bound in zip(products, bounds, strict=True):
        few = np.flatnonzero(row <= bound)
        found.append(few[np.argpartition(row[few], m - 1)[:m]])
    return np.array(found)


def nearest_others(
    nearest: NearestNeighbours, kept: np.ndarray | None, queries: np.ndarray, rows: np.ndarray | None, k: int
) -> np.ndarray:
    """The k nearest of the points `kept` (all where None) that are not the query itself, (n_queries, k)."""
    found = nearest.of(queries, k if rows is None else k + 1)
    if kept is not None:
        found = kept[found]
    if rows is None:
        return found
    itself = found == rows[:, None]
    # Among many duplicates, or among fewer points, a point is not in its own list: then the farthest entry goes.
    itself[~itself.any(axis=1), -1] = True
    return found[~itself].reshape(len(queries), -1)
