"""SparseRows: a sparse X and its two passes of an evaluation, Y = A Xᵀ and ∂F/∂A = ∂F/∂Y X, never made dense."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from nca_core.neighbours.base.threads import parts_of, summed

_LARGEST_SINGLE = 1e30  # of A in float32; a line search may ask for more, and takes no such step
_STORED_FOR_A_THREAD = 500_000
_SMALL_CELLS = 20_000_000


def within_single(A: np.ndarray) -> np.ndarray:
    """A in float32, without infinities."""
    return np.clip(A, -_LARGEST_SINGLE, _LARGEST_SINGLE).astype(np.float32)


class SparseRows:
    """A sparse X, which stands where an ndarray of features is asked for: it is projected by products with what is
    stored, and never made dense. Rows are about the mean, which is only subtracted from their projections.

    Parameters
    ----------
    X : scipy.sparse array or matrix
        (n_samples, n_features), finite.
    """

    def __init__(self, X: Any) -> None:
        from scipy.sparse import csr_array

        X = csr_array(X)
        self._X = X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)
        self.shape: tuple[int, int] = X.shape

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: np.ndarray) -> SparseRows:
        return SparseRows(self._X[rows])

    def __truediv__(self, by_features: np.ndarray) -> SparseRows:
        return SparseRows(self._X.multiply(1.0 / by_features))

    def __matmul__(self, matrix: np.ndarray) -> np.ndarray:
        return self._X @ matrix

    def max(self, axis: int) -> np.ndarray:
        return self._X.max(axis=axis).toarray().ravel()

    def min(self, axis: int) -> np.ndarray:
        return self._X.min(axis=axis).toarray().ravel()

    @property
    def stored(self) -> np.ndarray:
        """The values that are not left out as zeros."""
        return self._X.data

    def toarray(self) -> np.ndarray:
        return self._X.toarray().astype(np.float64, copy=False)

    def dense_where_small(self) -> np.ndarray | SparseRows:
        """A dense copy of at most 160 MB, else these rows: what needs covariances may have it for a moment."""
        return self.toarray() if len(self) * self.shape[1] <= _SMALL_CELLS else self

    def in_order(self, order: np.ndarray, dtype: str) -> SparseRows:
        return SparseRows(self._X[order].astype(dtype, copy=False))

    among = __getitem__

    @cached_property
    def mean(self) -> np.ndarray:
        """Of each feature, (n_features,)."""
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
        """Standard deviation of each feature, (n_features,)."""
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
        transposed = A.T if self._X.dtype == np.float64 else within_single(A.T)

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
