"""Sums of Gaussians over many points at those same points, by way of a grid.

Each point is spread over the grid by a window, the grid is filtered axis by axis, and read at the points by the same
window (see `window`). All is local: what is summed at a point depends on points within 7.83 alone, and so does its
error.
"""

from collections.abc import Iterator

import numpy as np

from nca_core.neighbours import grid as loops
from nca_core.neighbours.grid.window import CELL, REACH, SPACING, WIDTH, errors_of_cells, filter_numbers, polynomials

_BLOCK = 32  # places that are filtered at a time
_MOST = 2.0**40  # places on an axis, far beyond what any grid can hold; larger numbers do not fit into 64 bits


def places_of(extent: np.ndarray) -> np.ndarray:
    """Places of a grid for points of this extent, on each axis, (n_components,)."""
    return np.minimum(np.floor(extent / SPACING) + WIDTH + 1, _MOST).astype(np.int64)


class GridField:
    """The grid for one set of points.

    Y: (n_components, n_points), n_components ≤ 3, rows in one piece.
    box: least and largest coordinates of all points that share the grid, each (n_components,); those of Y where None.
    """

    def __init__(self, Y: np.ndarray, box: tuple[np.ndarray, np.ndarray] | None = None) -> None:
        low, high = (Y.min(axis=1), Y.max(axis=1)) if box is None else box
        self._low: np.ndarray = low
        shape = places_of(high - self._low)
        self._shape = (1,) * (3 - len(shape)) + tuple(int(m) for m in shape)
        self._order = loops.grid_kernels.order_by_tiles(Y, self._low, self._shape)
        # Points that reach the same places follow one another, so that these stay in the cache.
        self._Y = np.take(Y, self._order, axis=1)
        self._cells = tuple(int(m) + 1 for m in (high - self._low) / CELL)

    def sums(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Σ_j w_ij and Σ_j w_ij ‖y_i − y_j‖², each (n_points,), and Σ_j w_ij (y_j − y_i), (n_components, n_points);
        the point itself counts."""
        return self.sums_from(smooth(self.spread(np.ones(self._Y.shape[1])), len(self._Y)))

    def pull(self, strengths: np.ndarray) -> np.ndarray:
        """Σ_j strengths_j w_ij (y_j − y_i), (n_components, n_points)."""
        return self.pull_from(smooth(self.spread(strengths), len(self._Y)))

    def spread(self, strengths: np.ndarray) -> np.ndarray:
        """The grid that these points are added to; `smooth` it once all points of the grid are."""
        grid = np.zeros(self._shape)
        windows, places, *_ = loops.grid_kernels.batch_arrays()
        loops.grid_kernels.spread(self._Y, self._low, self._order, strengths, polynomials(), windows, places, grid)
        return grid

    def sums_from(self, grid: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """As `sums`, from the smooth grid of all points, each of strength 1."""
        d = len(self._Y)
        found = self._read(grid, True)
        # Σ_j ∂²w_ij/∂y_i² = Σ_j (4 ‖y_i − y_j‖² − 2d) w_ij
        found[d + 1] += 2.0 * d * found[0]
        found[d + 1] *= 0.25
        found[1 : d + 1] *= 0.5
        return found[0], found[d + 1], found[1 : d + 1]

    def pull_from(self, grid: np.ndarray) -> np.ndarray:
        found = self._read(grid, False)
        found *= 0.5
        return found

    def counts(self) -> np.ndarray:
        """How many of these points are in each cell of the box; `errors` takes those of all its points."""
        return np.bincount(self._cell(), minlength=int(np.prod(self._cells))).reshape(self._cells).astype(np.float64)

    def errors(self, counts: np.ndarray) -> np.ndarray:
        """What each of the sums of w_ij may be wrong by, (n_points,).

        A pair's error is the window's along one axis times the Gaussian along the others.
        """
        from scipy.ndimage import correlate1d

        near, wrong = errors_of_cells()
        error = np.zeros_like(counts)
        for axis in range(counts.ndim):
            error = correlate1d(error, near, axis, mode="constant") + correlate1d(counts, wrong, axis, mode="constant")
            counts = correlate1d(counts, near, axis, mode="constant")
        result = np.empty(self._Y.shape[1])
        result[self._order] = error.reshape(-1)[self._cell()]
        return result

    def _cell(self) -> np.ndarray:
        cells = ((self._Y - self._low[:, None]) / CELL).astype(np.int64)
        return np.ravel_multi_index(tuple(cells), self._cells)

    def _read(self, grid: np.ndarray, squares: bool) -> np.ndarray:
        d, n = self._Y.shape
        result = np.empty((d + 2 if squares else d, n))
        loops.grid_kernels.read(
            self._Y, self._low, self._order, grid, polynomials(), squares, *loops.grid_kernels.batch_arrays(), result
        )
        return result


def smooth(grid: np.ndarray, n_axes: int) -> np.ndarray:
    """The grid, filtered along its last `n_axes` axes in its place: it is the largest thing there is."""
    deep, high, wide = grid.shape
    for axis in range(3 - n_axes, 2):
        planes = grid.reshape(1, deep, high * wide) if axis == 0 else grid
        before = planes[:, :0].copy()  # what stood in the places before those that are filtered now
        for some, around, band in _blocks(planes.shape[1]):
            given = np.concatenate([before, planes[:, some.start : around.stop]], axis=1)
            before = planes[:, max(some.stop - REACH, 0) : some.stop].copy()
            np.matmul(band, given, out=planes[:, some])
    rows, blocks = grid.reshape(-1, wide), list(_blocks(wide))
    for first in range(0, len(rows), _BLOCK):  # so many stay in the cache
        here = rows[first : first + _BLOCK]
        given = here.copy()
        for some, around, band in blocks:
            np.matmul(given[:, around], band.T, out=here[:, some])
    return grid


def _blocks(length: int) -> Iterator[tuple[slice, slice, np.ndarray]]:
    """(some places of an axis, those around them that count there, the filter as a matrix from these to those)."""
    from_place = np.arange(_BLOCK + 2 * REACH) - REACH - np.arange(_BLOCK)[:, None]
    band = np.append(filter_numbers(), 0.0)[np.minimum(np.abs(from_place), REACH + 1)]
    for start in range(0, length, _BLOCK):
        stop, low, high = min(start + _BLOCK, length), max(start - REACH, 0), min(start + _BLOCK + REACH, length)
        part = band[: stop - start, low - start + REACH : high - start + REACH]
        yield slice(start, stop), slice(low, high), part
