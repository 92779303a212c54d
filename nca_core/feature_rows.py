"""DenseRows: the two passes of an evaluation over the features, Y = A Xᵀ and ∂F/∂A = ∂F/∂Y X."""

from __future__ import annotations

import numpy as np

from nca_core.covariance import centred_rows, deviations
from nca_core.features_in_parts import FeaturesInParts, OrderedParts
from nca_core.neighbours.base.threads import parts_of, summed
from nca_core.neighbours.choose import PRODUCTS_FROM
from nca_core.sparse_rows import SparseRows, within_single

_VALUES_FOR_A_THREAD = 2_000_000
_PRODUCTS_FOR_A_THREAD = 30_000_000
_ROWS_FOR_A_THREAD = 250  # fewer, and adding up matrices of the size of A takes as long as the products
_COMPONENTS_FOR_A_THREAD = 48  # of a gradient with many rows


class DenseRows:
    """A copy of X, in the order that is asked for and about each feature's median.

    Parameters
    ----------
    X : ndarray
        (n_samples, n_features), finite.
    order : ndarray
        Row numbers of X, (n_samples,).
    dtype : str
        Of the copy and of the passes over it; "float64" or "float32".
    """

    def __init__(self, X: np.ndarray, order: np.ndarray, dtype: str) -> None:
        self._X, units = centred_rows(X, order, dtype)
        self._units: np.ndarray | None = units if dtype == "float32" else None  # what columns were divided by

    def among(self, rows: np.ndarray) -> DenseRows:
        """Some of the rows."""
        result = DenseRows.__new__(DenseRows)
        result._X, result._units = self._X[rows], self._units
        return result

    def deviations(self) -> np.ndarray:
        """Standard deviation of each feature, (n_features,)."""
        return self._in_units(deviations(self._X))

    def projected(self, A: np.ndarray) -> np.ndarray:
        """Y = A Xᵀ, float64 (n_components, n_rows); in the memory order of the method that will sum over it."""
        X, A = self._X, self._in_units(A)
        if X.dtype == np.float32:
            A = within_single(A)
        by_points = len(A) >= PRODUCTS_FROM
        Y = np.empty((len(X), len(A))).T if by_points else np.empty((len(A), len(X)))

        def work(start: int, stop: int, _: np.ndarray) -> None:
            if by_points:
                np.matmul(X[start:stop], A.T, out=Y.T[start:stop])
            else:
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


def rows_of(
    X: np.ndarray | SparseRows | FeaturesInParts, order: np.ndarray, dtype: str
) -> DenseRows | SparseRows | OrderedParts:
    """X[order] as an evaluation keeps it."""
    if isinstance(X, FeaturesInParts):
        return OrderedParts(X, order, dtype)
    return X.in_order(order, dtype) if isinstance(X, SparseRows) else DenseRows(X, order, dtype)
