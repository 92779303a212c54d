"""Compiled: points to a grid, and what a grid holds back to the points.

A grid has three axes, of which the first are of length 1 where points have fewer components; the last component runs
along the last axis. A point at x reaches the WIDTH places from floor((x − low) / SPACING) on, on each axis.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.exponential import FAST, widest_vectors
from nca_core.neighbours.base.jit import jit
from nca_core.neighbours.grid.vectors import add_rows, polynomials_at, product, sum_rows
from nca_core.neighbours.grid.window import DEGREE, SPACING, WIDTH

_TILE = 4  # places, and WIDTH on the last axis: points of one tile are done one after the other, from the cache
_SECOND, _THIRD = 3 * WIDTH, 6 * WIDTH  # where the windows of these axes begin


@jit()
def order_by_tiles(Y, low, shape):  # type: ignore[no-untyped-def]
    """The points, tile by tile, int32 (n_points,); Y is (n_components, n_points), `low` its least coordinates, `shape`
    that of the grid."""
    d, n = Y.shape
    tiles = np.empty(3, dtype=np.int64)
    for axis in range(3):
        tiles[axis] = shape[axis] // (WIDTH if axis == 2 else _TILE) + 1
    first = np.zeros(tiles[0] * tiles[1] * tiles[2] + 1, dtype=np.int32)
    tile_of = np.empty(n, dtype=np.int32)
    for j in range(n):
        tile = 0
        for axis in range(d):
            wide = SPACING * (WIDTH if axis == d - 1 else _TILE)
            tile = tile * tiles[3 - d + axis] + int((Y[axis, j] - low[axis]) / wide)
        tile_of[j] = tile
        first[tile + 1] += 1
    for tile in range(len(first) - 1):
        first[tile + 1] += first[tile]
    order = np.empty(n, dtype=np.int32)
    for j in range(n):
        order[first[tile_of[j]]] = j
        first[tile_of[j]] += 1
    return order


@jit(fastmath=FAST)
def _reach(Y, low, shape, j, polynomials, orders, windows):  # type: ignore[no-untyped-def]
    """The number of the place that point j reaches first; its windows and their `orders` − 1 derivatives on each axis
    go to `windows`, (3, 3, WIDTH)."""
    widest_vectors()
    d = Y.shape[0]
    first = 0
    for axis in range(3 - d, 3):
        x = (Y[axis + d - 3, j] - low[axis + d - 3]) / SPACING
        place = int(x)
        first = first * shape[axis] + place
        for order in range(orders):
            powers = order * (DEGREE + 1) * WIDTH
            polynomials_at(polynomials, powers, 2.0 * (x - place) - 1.0, windows, (3 * axis + order) * WIDTH)
    return first


@jit()
def _rows(count):  # type: ignore[no-untyped-def]
    """So many rows of zeros, (count, WIDTH), each of which begins where a line of the cache does: rows across two lines
    cost twice as much."""
    numbers = np.zeros(count * WIDTH + 8)
    first = (-(numbers.ctypes.data // 8)) % 8
    return numbers[first : first + count * WIDTH].reshape((count, WIDTH))


@jit()
def _no_windows():  # type: ignore[no-untyped-def]
    """Of axes that points do not have: all is in the first of WIDTH places."""
    windows = _rows(9).reshape((3, 3, WIDTH))
    windows[:, 0, 0] = 1.0
    return windows


@jit(fastmath=FAST)
def spread(Y, low, strengths, polynomials, grid):  # type: ignore[no-untyped-def]
    """Add Σ_j strengths_j φ(places − y_j) to the grid."""
    widest_vectors()
    d = Y.shape[0]
    windows = _no_windows()
    deep = WIDTH if d > 2 else 1
    row = grid.shape[2] if d > 1 else 0  # one row is taken WIDTH times, with weights 1, 0, 0, ...
    plane = grid.shape[1] * grid.shape[2]
    for j in range(Y.shape[1]):
        if strengths[j] == 0.0:
            continue
        first = _reach(Y, low, grid.shape, j, polynomials, 1, windows)
        for a in range(deep):
            add_rows(grid, first + a * plane, row, strengths[j] * windows[0, 0, a], windows, _SECOND, windows, _THIRD)


@jit(fastmath=FAST)
def read(Y, low, grid, polynomials, squares, out):  # type: ignore[no-untyped-def]
    """What the grid holds at the points: its value, its derivatives by component, and where `squares` is set the sum of
    its second derivatives; `out` is (n_components + 2, n_points)."""
    widest_vectors()
    d = Y.shape[0]
    windows = _no_windows()
    row = grid.shape[2] if d > 1 else 0
    plane = grid.shape[1] * grid.shape[2]
    # Rows of the grid, added up by their windows on the axes before the last, and by the derivatives of these.
    here, total = _rows(3).ravel(), _rows(4).ravel()
    for j in range(Y.shape[1]):
        first = _reach(Y, low, grid.shape, j, polynomials, 3 if squares else 2, windows)
        if d < 3:
            sum_rows(grid, first, row, windows, _SECOND, total)
        else:
            total[:] = 0.0
            for a in range(WIDTH):
                sum_rows(grid, first + a * plane, row, windows, _SECOND, here)
                w, w1, w2 = windows[0, 0, a], windows[0, 1, a], windows[0, 2, a]
                for k in range(WIDTH):
                    total[k] += w * here[k]
                    total[WIDTH + k] += w * here[WIDTH + k]
                    total[2 * WIDTH + k] += w * here[2 * WIDTH + k] + w2 * here[k]
                    total[3 * WIDTH + k] += w1 * here[k]
            out[1, j] = product(total, 3 * WIDTH, windows, _THIRD)
        out[0, j] = product(total, 0, windows, _THIRD)
        out[d, j] = product(total, 0, windows, _THIRD + WIDTH)
        if d > 1:
            out[d - 1, j] = product(total, WIDTH, windows, _THIRD)
        if squares:
            out[d + 1, j] = product(total, 2 * WIDTH, windows, _THIRD)
            out[d + 1, j] += product(total, 0, windows, _THIRD + 2 * WIDTH)
