"""Compiled: points to a grid, and what a grid holds back to the points.

A grid has three axes, of which the first are of length 1 where points have fewer components; the last component runs
along the last axis. A point at x reaches the WIDTH places from floor((x − low) / SPACING) on, on each axis.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from nca_core.neighbours.base.exponential import FAST, jit, widest_vectors
from nca_core.neighbours.grid.window import DEGREE, SPACING, WIDTH

# Rows of WIDTH numbers as one vector each: numba's own loops over parts of rows take three times as long, since they
# look at every part's bounds. Arrays are in one piece and are addressed by the place of a number in them.
_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)
_FLAGS = ("contract", "nsz")


class _Code:
    """Operations of the loops below on LLVM values."""

    def __init__(self, context: Any, builder: Any, signature: Any) -> None:
        self._context, self._builder, self._types = context, builder, signature.args

    def array(self, number: int, value: Any) -> Any:
        """Where the numbers of argument `number` begin."""
        return self._context.make_array(self._types[number])(self._context, self._builder, value).data

    def moved(self, data: Any, at: Any) -> Any:
        at = ir.Constant(ir.IntType(64), at) if isinstance(at, int) else at
        return self._builder.gep(data, [at])

    def row(self, data: Any) -> Any:
        return self._builder.load(self._pointer(data), align=8)

    def put(self, row: Any, data: Any) -> None:
        self._builder.store(row, self._pointer(data), align=8)

    def number(self, data: Any, at: int) -> Any:
        return self._builder.load(self.moved(data, at))

    def repeated(self, number: Any) -> Any:
        nothing = ir.Constant(_VECTOR, ir.Undefined)
        one = self._builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
        places = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
        return self._builder.shuffle_vector(one, nothing, places)

    def part(self, row: Any, first: int, count: int) -> Any:
        places = ir.Constant(ir.VectorType(ir.IntType(32), count), list(range(first, first + count)))
        return self._builder.shuffle_vector(row, ir.Constant(row.type, ir.Undefined), places)

    def times(self, one: Any, other: Any) -> Any:
        return self._builder.fmul(one, other, flags=_FLAGS)

    def plus(self, one: Any, other: Any) -> Any:
        return self._builder.fadd(one, other, flags=_FLAGS)

    def _pointer(self, data: Any) -> Any:
        return self._builder.bitcast(data, _VECTOR.as_pointer())


@intrinsic
def _polynomials_at(typing_context: Any, powers: Any, first: Any, s: Any, out: Any, at: Any) -> Any:
    """A row of polynomials in s, whose coefficients begin at `first`, goes to `at`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code = _Code(context, builder, signature)
        data = code.moved(code.array(0, arguments[0]), arguments[1])
        s = code.repeated(arguments[2])
        value = code.row(data)
        for m in range(1, DEGREE + 1):
            value = code.plus(code.times(value, s), code.row(code.moved(data, m * WIDTH)))
        code.put(value, code.moved(code.array(3, arguments[3]), arguments[4]))
        return context.get_dummy_value()

    return types.void(powers, types.int64, types.float64, out, types.int64), generate


@intrinsic
def _add_rows(
    typing_context: Any, grid: Any, first: Any, stride: Any, weight: Any, weights: Any, start: Any, row: Any, at: Any
) -> Any:
    """WIDTH rows of a grid, from `first` on: each has weight times its own of the weights from `start` on times the row
    from `at` on added."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code = _Code(context, builder, signature)
        here = code.moved(code.array(0, arguments[0]), arguments[1])
        weights = code.moved(code.array(4, arguments[4]), arguments[5])
        row = code.row(code.moved(code.array(6, arguments[6]), arguments[7]))
        row = code.times(row, code.repeated(arguments[3]))
        for b in range(WIDTH):
            part = code.times(code.repeated(code.number(weights, b)), row)
            code.put(code.plus(code.row(here), part), here)
            here = code.moved(here, arguments[2])
        return context.get_dummy_value()

    i, f = types.int64, types.float64
    return types.void(grid, i, i, f, weights, i, row, i), generate


@intrinsic
def _sum_rows(
    typing_context: Any, grid: Any, first: Any, stride: Any, weights: Any, start: Any, out: Any, at: Any
) -> Any:
    """Σ_b weights_b row_b over WIDTH rows of a grid, from `first` on, for each of three rows of weights from `start`
    on; the three go to `out`, from `at` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code = _Code(context, builder, signature)
        here = code.moved(code.array(0, arguments[0]), arguments[1])
        weights = code.moved(code.array(3, arguments[3]), arguments[4])
        totals = [ir.Constant(_VECTOR, [0.0] * WIDTH)] * 3
        for b in range(WIDTH):
            row = code.row(here)
            for order in range(3):
                part = code.times(code.repeated(code.number(weights, order * WIDTH + b)), row)
                totals[order] = code.plus(totals[order], part)
            here = code.moved(here, arguments[2])
        data = code.moved(code.array(5, arguments[5]), arguments[6])
        for order in range(3):
            code.put(totals[order], code.moved(data, order * WIDTH))
        return context.get_dummy_value()

    i = types.int64
    return types.void(grid, i, i, weights, i, out, i), generate


@intrinsic
def _add_row(typing_context: Any, total: Any, at: Any, weight: Any, row: Any, there: Any) -> Any:
    """Weight times the row from `there` on is added to that from `at` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code = _Code(context, builder, signature)
        here = code.moved(code.array(0, arguments[0]), arguments[1])
        row = code.row(code.moved(code.array(3, arguments[3]), arguments[4]))
        code.put(code.plus(code.row(here), code.times(code.repeated(arguments[2]), row)), here)
        return context.get_dummy_value()

    return types.void(total, types.int64, types.float64, row, types.int64), generate


@intrinsic
def _product(typing_context: Any, one: Any, at: Any, other: Any, there: Any) -> Any:
    """Σ_k one_k other_k over the rows from `at` and `there` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code = _Code(context, builder, signature)
        row = code.row(code.moved(code.array(0, arguments[0]), arguments[1]))
        row = code.times(row, code.row(code.moved(code.array(2, arguments[2]), arguments[3])))
        for half in (WIDTH >> level for level in range(1, WIDTH.bit_length())):
            row = code.plus(code.part(row, 0, half), code.part(row, half, half))
        return builder.extract_element(row, ir.Constant(ir.IntType(32), 0))

    return types.float64(one, types.int64, other, types.int64), generate


# Loops call them without the context.
polynomials_at: Any = _polynomials_at
add_rows: Any = _add_rows
sum_rows: Any = _sum_rows
add_row: Any = _add_row
product: Any = _product


_TILE = 4  # places, and WIDTH on the last axis: points of one tile are done one after the other, from the cache
_BATCH = 16  # points whose windows are worked out together
_ROWS = 9  # of windows of a point: three axes, each with two derivatives
_SECOND, _THIRD = 3 * WIDTH, 6 * WIDTH  # where the windows of these axes begin


def order_by_tiles(Y: np.ndarray, low: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The points, tile by tile, int32 (n_points,); Y is (n_components, n_points), `low` its least coordinates, `shape`
    that of the grid."""
    n, tiles = Y.shape[1], np.array(shape) // (_TILE, _TILE, WIDTH) + 1
    tile_of, order = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int32)
    order_into(Y, low, tiles, np.zeros(tiles.prod() + 1, dtype=np.int32), tile_of, order)
    return order


# Loops get the arrays that they fill: compiling an allocation takes a tenth of a second.
@jit()
def order_into(Y, low, tiles, first, tile_of, order):  # type: ignore[no-untyped-def]
    d, n = Y.shape
    for j in range(n):
        tile = 0
        for axis in range(d):
            wide = SPACING * (WIDTH if axis == d - 1 else _TILE)
            tile = tile * tiles[3 - d + axis] + int((Y[axis, j] - low[axis]) / wide)
        tile_of[j] = tile
        first[tile + 1] += 1
    for tile in range(len(first) - 1):
        first[tile + 1] += first[tile]
    for j in range(n):
        order[first[tile_of[j]]] = j
        first[tile_of[j]] += 1


@jit(inline="always")
def _reach(Y, low, shape, j, polynomials, orders, windows, place, at):  # type: ignore[no-untyped-def]
    """The first plane that point j reaches, and the number of the place that it reaches first there, go to `place`; its
    windows and their `orders` − 1 derivatives on each axis go to the rows from `at` on, _ROWS of them."""
    d = Y.shape[0]
    place[0] = place[1] = 0
    for axis in range(3 - d, 3):
        x = (Y[axis + d - 3, j] - low[axis + d - 3]) / SPACING
        first = int(x)
        if axis == 0:
            place[0] = first
        else:
            place[1] = place[1] * shape[axis] + first
        for order in range(orders):
            powers = order * (DEGREE + 1) * WIDTH
            polynomials_at(polynomials, powers, 2.0 * (x - first) - 1.0, windows, (at + 3 * axis + order) * WIDTH)


def batch_arrays() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """For one call of `spread` or `read`: windows of _BATCH points, which on axes that points do not have are all in
    the first of WIDTH places; the places that points reach; rows of the grid, added up by their windows on the axes
    before the last, and by the derivatives of these."""
    sizes = np.array([_BATCH * _ROWS, 3, 4 * _BATCH]) * WIDTH
    numbers = np.zeros(sizes.sum() + 8)
    # Each row begins where a line of the cache does: rows across two lines cost twice as much.
    first = -(numbers.ctypes.data // 8) % 8
    windows, here, totals = np.split(numbers[first : first + sizes.sum()], sizes.cumsum()[:-1])
    windows.reshape(-1, WIDTH)[::3, 0] = 1.0
    return windows, np.zeros((_BATCH, 2), dtype=np.int64), here, totals


@jit(inline="always")
def _least_and_largest(places, count):  # type: ignore[no-untyped-def]
    """Of the first `count` planes; numba's own `min` takes much longer to compile."""
    least = most = places[0, 0]
    for q in range(count):
        least = min(least, places[q, 0])
        most = max(most, places[q, 0])
    return least, most


@jit(fastmath=FAST)
def spread(Y, low, order, strengths, polynomials, windows, places, grid):  # type: ignore[no-untyped-def]
    """Add Σ_j s_j φ(places − y_j) to the grid, where s_j is number order_j of the strengths."""
    widest_vectors()
    d, n = Y.shape
    deep = WIDTH if d > 2 else 1
    row = grid.shape[2] if d > 1 else 0  # one row is taken WIDTH times, with weights 1, 0, 0, ...
    plane = grid.shape[1] * grid.shape[2]
    orders = min(d, 1)  # 1, of which a literal would compile anew
    for start in range(0, n, _BATCH):
        count = min(_BATCH, n - start)
        for q in range(count):
            _reach(Y, low, grid.shape, start + q, polynomials, orders, windows, places[q], q * _ROWS)
        # Plane by plane: one of them stays in the cache for all points of the batch.
        first, last = _least_and_largest(places, count)
        for p in range(first, last + deep):
            for q in range(count):
                a = p - places[q, 0]
                if 0 <= a < deep:
                    at = q * _ROWS * WIDTH
                    weight = strengths[order[start + q]] * windows[at + a]
                    add_rows(grid, p * plane + places[q, 1], row, weight, windows, at + _SECOND, windows, at + _THIRD)


@jit(fastmath=FAST)
def read(Y, low, order, grid, polynomials, squares, windows, places, here, totals, out):  # type: ignore[no-untyped-def]
    """The derivatives of the grid at the points, by component; where `squares` is set its value before them, and the
    sum of its second derivatives behind. Each is a row of `out`, (so many, n_points), with point j at order_j."""
    widest_vectors()
    d, n = Y.shape
    deep = WIDTH if d > 2 else 1
    row = grid.shape[2] if d > 1 else 0
    plane = grid.shape[1] * grid.shape[2]
    for start in range(0, n, _BATCH):
        count = min(_BATCH, n - start)
        for q in range(count):
            _reach(Y, low, grid.shape, start + q, polynomials, 3 if squares else 2, windows, places[q], q * _ROWS)
        if d > 2:
            for k in range(len(totals)):
                totals[k] = 0.0
        first, last = _least_and_largest(places, count)
        for p in range(first, last + deep):
            for q in range(count):
                a = p - places[q, 0]
                at, total = q * _ROWS * WIDTH, 4 * q * WIDTH
                if d < 3:
                    sum_rows(grid, places[q, 1], row, windows, at + _SECOND, totals, total)
                elif 0 <= a < deep:
                    sum_rows(grid, p * plane + places[q, 1], row, windows, at + _SECOND, here, 0)
                    add_row(totals, total, windows[at + a], here, 0)
                    add_row(totals, total + WIDTH, windows[at + a], here, WIDTH)
                    add_row(totals, total + 3 * WIDTH, windows[at + WIDTH + a], here, 0)
                    if squares:
                        add_row(totals, total + 2 * WIDTH, windows[at + a], here, 2 * WIDTH)
                        add_row(totals, total + 2 * WIDTH, windows[at + 2 * WIDTH + a], here, 0)
        for q in range(count):
            j, last, total = order[start + q], q * _ROWS * WIDTH + _THIRD, 4 * q * WIDTH
            final = d if squares else d - 1
            out[final, j] = product(totals, total, windows, last + WIDTH)
            if d > 1:
                out[final - 1, j] = product(totals, total + WIDTH, windows, last)
            if d > 2:
                out[final - 2, j] = product(totals, total + 3 * WIDTH, windows, last)
            if squares:
                out[0, j] = product(totals, total, windows, last)
                bend = product(totals, total + 2 * WIDTH, windows, last)
                out[d + 1, j] = bend + product(totals, total, windows, last + 2 * WIDTH)
