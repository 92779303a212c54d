"""The two passes of an evaluation over the features, Y = A Xᵀ and ∂F/∂A = ∂F/∂Y X, of a dense X and of a sparse one."""

from functools import cached_property
from typing import Any

import numpy as np

from nca_core.neighbours.base.threads import parts_of, summed
from nca_core.parts.features_in_parts import FeaturesInParts, OrderedParts, centre_and_units, clipped_to_float32
from nca_core.parts.sources import slices_of_rows

_STORED_FOR_A_THREAD = 500_000
_SMALL_CELLS = 20_000_000


class SparseRows:
    """A sparse X that replaces an ndarray of features and is never made dense.

    Rows are about the mean, which is only subtracted from their projections.

    X: (n_samples, n_features), finite.
    """

    def __init__(self, X: Any) -> None:
        from scipy.sparse import csr_array

        X = csr_array(X)
        self._X = X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)
        self.shape: tuple[int, int] = X.shape

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: np.ndarray) -> "SparseRows":
        return SparseRows(self._X[rows])

    def __truediv__(self, by_features: np.ndarray) -> "SparseRows":
        return SparseRows(self._X.multiply(1.0 / by_features))

    def __matmul__(self, matrix: np.ndarray) -> np.ndarray:
        return self._X @ matrix

    def max(self, axis: int) -> np.ndarray:
        return self._X.max(axis=axis).toarray().ravel()

    def min(self, axis: int) -> np.ndarray:
        return self._X.min(axis=axis).toarray().ravel()

    @property
    def stored(self) -> np.ndarray:
        return self._X.data

    def dense_where_small(self) -> "np.ndarray | SparseRows":
        """A dense copy of at most 160 MB, for covariances; else these rows."""
        small = len(self) * self.shape[1] <= _SMALL_CELLS
        return self._X.toarray().astype(np.float64, copy=False) if small else self

    def in_order(self, order: np.ndarray, dtype: str) -> "SparseRows":
        return SparseRows(self._X[order].astype(dtype, copy=False))

    among = __getitem__

    @cached_property
    def mean(self) -> np.ndarray:
        return np.asarray(self._X.mean(axis=0, dtype=np.float64)).ravel()

    def right_singular_vectors(self, n_vectors: int) -> np.ndarray:
        """The leading ones of X − mean, (n_vectors, n_features)."""
        from scipy.sparse.linalg import LinearOperator, svds

        n, D = self.shape
        if n_vectors >= min(n, D):
            raise ValueError(
                f"X is sparse, with shape {self.shape}, and {n_vectors} principal axes are asked for; give fewer "
                "n_components, or another start such as 'identity' or 'random'."
            )
        X, mean = self._X, self.mean
        centred = LinearOperator(
            (n, D),
            matvec=lambda v: X @ v.ravel() - mean @ v.ravel(),
            rmatvec=lambda u: X.T @ u.ravel() - mean * u.sum(),
            dtype=np.float64,
        )
        found = svds(centred, k=n_vectors, v0=np.ones(min(n, D)), return_singular_vectors=True)
        return found[2][np.argsort(-found[1])]

    def deviations(self) -> np.ndarray:
        n, D = self.shape
        columns = self._X.indices
        apart = (self._X.data - self.mean[columns]) ** 2  # zeros are as far from the mean as the mean is from 0
        stored = np.bincount(columns, minlength=D)
        squares = np.bincount(columns, weights=apart, minlength=D) + (n - stored) * self.mean**2
        return np.sqrt(squares / n)

    @cached_property
    def _blocks(self) -> list[tuple[int, int, Any]]:
        n = len(self)
        least = max(1, n * _STORED_FOR_A_THREAD // max(1, self._X.nnz))
        return [(start, stop, self._X[start:stop]) for start, stop in parts_of(n, least)]

    def projected(self, A: np.ndarray) -> np.ndarray:
        """Y = A (X − mean)ᵀ, float64 (n_components, n_rows)."""
        Y = np.empty((len(self), len(A)))
        at_mean = A @ self.mean
        transposed = A.T if self._X.dtype == np.float64 else clipped_to_float32(A.T)

        def work(first: int, last: int, _: np.ndarray) -> None:
            for start, stop, block in self._blocks[first:last]:
                Y[start:stop] = block @ transposed
                Y[start:stop] -= at_mean

        summed([(k, k + 1) for k in range(len(self._blocks))], work, (0,))
        return np.ascontiguousarray(Y.T)

    def over_rows(self, d_Y: np.ndarray) -> np.ndarray:
        """∂F/∂A, (n_components, n_features), from ∂F/∂Y, (n_components, n_rows)."""

        def work(first: int, last: int, out: np.ndarray) -> None:
            for start, stop, block in self._blocks[first:last]:
                out += (block.T @ np.ascontiguousarray(d_Y[:, start:stop].T, dtype=block.dtype)).T

        found = summed([(k, k + 1) for k in range(len(self._blocks))], work, (len(d_Y), self.shape[1]))
        return found - d_Y.sum(axis=1)[:, None] * self.mean


_VALUES_FOR_A_THREAD = 2_000_000
_PRODUCTS_FOR_A_THREAD = 30_000_000
_ROWS_FOR_A_THREAD = 250  # fewer, and adding up matrices of the size of A takes as long as the products
_COMPONENTS_FOR_A_THREAD = 48  # of a gradient with many rows


class DenseRows:
    """A copy of X in a given order, about each feature's median.

    X: (n_samples, n_features), finite.
    order: row numbers of X, (n_samples,).
    dtype: of the copy and of the passes over it; "float64" or "float32".
    """

    def __init__(self, X: np.ndarray, order: np.ndarray, dtype: str) -> None:
        centre, self._units = centre_and_units(X, dtype)
        self._X: np.ndarray = np.empty(X.shape, dtype=dtype)
        for block in slices_of_rows(0, *X.shape):
            rows = X[order[block]].astype(np.float64, copy=False)
            rows -= centre
            if self._units is not None:
                rows /= self._units
            self._X[block] = rows

    def among(self, rows: np.ndarray) -> "DenseRows":
        result = DenseRows.__new__(DenseRows)
        result._X, result._units = self._X[rows], self._units
        return result

    def deviations(self) -> np.ndarray:
        return self._in_units(deviations(self._X))

    def projected(self, A: np.ndarray) -> np.ndarray:
        """Y = A Xᵀ, float64 (n_components, n_rows)."""
        X, A = self._X, self._in_units(A)
        if X.dtype == np.float32:
            A = clipped_to_float32(A)
        Y = np.empty((len(A), len(X)))

        def work(start: int, stop: int, _: np.ndarray) -> None:
            np.matmul(A, X[start:stop].T, out=Y[:, start:stop])

        summed(self._parts(len(A), 1), work, (0,))
        return Y

    def over_rows(self, d_Y: np.ndarray) -> np.ndarray:
        """∂F/∂A, (n_components, n_features), from ∂F/∂Y, (n_components, n_rows)."""
        X, d = self._X, len(d_Y)
        n, D = X.shape
        if d >= 2 * _COMPONENTS_FOR_A_THREAD:  # each thread has rows of the result: nothing to add up
            result = np.empty((d, D))

            def fill(start: int, stop: int, _: np.ndarray) -> None:
                np.matmul(d_Y[start:stop].astype(X.dtype, copy=False), X, out=result[start:stop])

            summed(parts_of(d, max(_COMPONENTS_FOR_A_THREAD, _PRODUCTS_FOR_A_THREAD // (n * D))), fill, (0,))
            return self._in_units(result)

        def work(start: int, stop: int, out: np.ndarray) -> None:
            np.matmul(d_Y[:, start:stop].astype(X.dtype, copy=False), X[start:stop], out=out)

        return self._in_units(summed(self._parts(d, _ROWS_FOR_A_THREAD), work, (d, D)))

    def _in_units(self, by_features: np.ndarray) -> np.ndarray:
        return by_features if self._units is None else by_features * self._units

    def _parts(self, n_components: int, least: int) -> list[tuple[int, int]]:
        """Ranges of at least so many rows, for threads that are worth their start."""
        n, D = self._X.shape
        worth = min(_VALUES_FOR_A_THREAD // D, _PRODUCTS_FOR_A_THREAD // (D * n_components))
        return parts_of(n, max(1, least, worth))


def ordered_rows(
    X: np.ndarray | SparseRows | FeaturesInParts, order: np.ndarray, dtype: str
) -> DenseRows | SparseRows | OrderedParts:
    """X[order] as an evaluation keeps it."""
    if isinstance(X, FeaturesInParts):
        return OrderedParts(X, order, dtype)
    return X.in_order(order, dtype) if isinstance(X, SparseRows) else DenseRows(X, order, dtype)


def deviations(X: np.ndarray | SparseRows | FeaturesInParts) -> np.ndarray:
    """Standard deviation of each column, (n_features,), without another array of the size of X."""
    if not isinstance(X, np.ndarray):
        return X.deviations()
    mean = X.mean(axis=0, dtype=np.float64)
    squares = sum(np.sum((X[block] - mean) ** 2, axis=0) for block in slices_of_rows(0, *X.shape))
    return np.sqrt(squares / len(X))


def varies(X: np.ndarray | SparseRows | FeaturesInParts, deviation: np.ndarray) -> np.ndarray:
    """Which columns of X differ by more than rounding, (n_features,), given their standard `deviation`."""
    largest = np.maximum(np.maximum(X.max(axis=0), -X.min(axis=0)), np.finfo(float).tiny)
    return deviation > 1e-12 * largest


def spreads(X: np.ndarray | SparseRows | FeaturesInParts) -> np.ndarray:
    """Standard deviation of each column, (n_features,); 0 where it differs by no more than rounding."""
    deviation = deviations(X)
    return np.where(varies(X, deviation), deviation, 0.0)


def units_of(X: np.ndarray | SparseRows | FeaturesInParts) -> np.ndarray:
    """The unit to take each column in, (n_features,): its standard deviation, 1 where it does not vary."""
    spread = spreads(X)
    return np.where(spread > 0, spread, 1.0)


def stratified_sample(y: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Sorted row numbers of about `size` rows, never more than twice as many.

    Each class keeps its share, but at least two of its members. Where there are too many classes for that, the largest
    ones are kept.

    y: class codes, (n_samples,).
    size: how many rows are wanted; all are returned where there are no more.
    """
    if size >= len(y):
        return np.arange(len(y))
    _, counts = np.unique(y, return_counts=True)
    ends, by_class = np.cumsum(counts), np.argsort(y, kind="stable")
    chosen, room = np.arange(len(counts)), max(1, size // 2)
    if len(chosen) > room:
        chosen = np.sort(np.lexsort((rng.random(len(counts)), -counts))[:room])
    rows = []
    for code in chosen:
        members = by_class[ends[code] - counts[code] : ends[code]]
        wanted = min(len(members), max(2, round(size * len(members) / len(y))))
        rows.append(rng.choice(members, wanted, replace=False))
    return np.sort(np.concatenate(rows))
