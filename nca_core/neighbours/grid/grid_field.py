"""Sums of Gaussians over many points at those same points, by way of a grid.

Each point is spread over the grid by a window, the grid is filtered axis by axis, and read at the points by the same
window (see `window`). All is local: what is summed at a point depends on points within 7.83 alone, and so does its
error.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nca_core.neighbours.grid.window import REACH, SPACING, WIDTH, filter_numbers, polynomials

_BLOCK = 32  # places that are filtered at a time
_MOST = 2.0**40  # places on an axis, far beyond what any grid can hold; larger numbers do not fit into 64 bits


def places_of(extent: np.ndarray) -> np.ndarray:
    """Places of a grid for points of this extent, on each axis, (n_components,)."""
    return np.minimum(np.floor(extent / SPACING) + WIDTH + 1, _MOST).astype(np.int64)


class GridField:
    """The grid for one set of points.

    Parameters
    ----------
    Y : ndarray
        (n_components, n_points), n_components ≤ 3, rows in one piece.

    Attributes
    ----------
    order : ndarray
        int32 (n_points,), the points in the order in which they are done, so that those that reach the same places
        follow one another. All that is given and taken below is in that order.
    """

    def __init__(self, Y: np.ndarray) -> None:
        from nca_core.neighbours.grid import grid_kernels

        self._low = Y.min(axis=1)
        shape = places_of(Y.max(axis=1) - self._low)
        self._shape = (1,) * (3 - len(shape)) + tuple(int(m) for m in shape)
        self.order = grid_kernels.order_by_tiles(Y, self._low, self._shape)
        self._Y = Y[:, self.order]

    def sums(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Σ_j w_ij and Σ_j w_ij ‖y_i − y_j‖², each (n_points,), and Σ_j w_ij (y_j − y_i), (n_components, n_points);
        the point itself counts."""
        d, n = self._Y.shape
        found = self._at_points(np.ones(n), True)
        # Σ_j ∂²w_ij/∂y_i² = Σ_j (4 ‖y_i − y_j‖² − 2d) w_ij
        found[d + 1] += 2.0 * d * found[0]
        found[d + 1] *= 0.25
        found[1 : d + 1] *= 0.5
        return found[0], found[d + 1], found[1 : d + 1]

    def pull(self, strengths: np.ndarray) -> np.ndarray:
        """Σ_j strengths_j w_ij (y_j − y_i), (n_components, n_points)."""
        found = self._at_points(strengths, False)[1:-1]
        found *= 0.5
        return found

    def _at_points(self, strengths: np.ndarray, squares: bool) -> np.ndarray:
        from nca_core.neighbours.grid import grid_kernels

        d, n = self._Y.shape
        grid = np.zeros(self._shape)
        grid_kernels.spread(self._Y, self._low, strengths, polynomials(), grid)
        grid = smoothed(grid, d)
        result = np.empty((d + 2, n))
        grid_kernels.read(self._Y, self._low, grid, polynomials(), squares, result)
        return result


def smoothed(grid: np.ndarray, n_axes: int) -> np.ndarray:
    """The grid filtered along its last `n_axes` axes; it is overwritten."""
    deep, high, wide = grid.shape
    other = np.empty_like(grid)
    for axis in range(3 - n_axes, 2):
        whole = (1, deep, high * wide) if axis == 0 else grid.shape
        for some, around, band in _blocks(grid.shape[axis]):
            np.matmul(band, grid.reshape(whole)[:, around], out=other.reshape(whole)[:, some])
        grid, other = other, grid
    rows, results, blocks = grid.reshape(-1, wide), other.reshape(-1, wide), list(_blocks(wide))
    for first in range(0, len(rows), _BLOCK):  # so many stay in the cache
        here = slice(first, first + _BLOCK)
        for some, around, band in blocks:
            np.matmul(rows[here, around], band.T, out=results[here, some])
    return other


def _blocks(length: int) -> Iterator[tuple[slice, slice, np.ndarray]]:
    """(some places of an axis, those around them that count there, the filter as a matrix from these to those)."""
    from_place = np.arange(_BLOCK + 2 * REACH) - REACH - np.arange(_BLOCK)[:, None]
    band = np.append(filter_numbers(), 0.0)[np.minimum(np.abs(from_place), REACH + 1)]
    for start in range(0, length, _BLOCK):
        stop, low, high = min(start + _BLOCK, length), max(start - REACH, 0), min(start + _BLOCK + REACH, length)
        part = band[: stop - start, low - start + REACH : high - start + REACH]
        yield slice(start, stop), slice(low, high), part
