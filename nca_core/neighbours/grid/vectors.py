"""Rows of WIDTH numbers as one vector each, for compiled loops: numba's own loops over parts of rows take three times
as long, since they look at every part's bounds.

Arrays are in one piece and are addressed by the place of a number in them; nothing looks at bounds.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from nca_core.neighbours.grid.window import DEGREE, WIDTH

_ROW = ir.VectorType(ir.DoubleType(), WIDTH)
_FAST = ("contract", "nsz")


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
        nothing = ir.Constant(_ROW, ir.Undefined)
        one = self._builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
        places = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
        return self._builder.shuffle_vector(one, nothing, places)

    def part(self, row: Any, first: int, count: int) -> Any:
        places = ir.Constant(ir.VectorType(ir.IntType(32), count), list(range(first, first + count)))
        return self._builder.shuffle_vector(row, ir.Constant(row.type, ir.Undefined), places)

    def times(self, one: Any, other: Any) -> Any:
        return self._builder.fmul(one, other, flags=_FAST)

    def plus(self, one: Any, other: Any) -> Any:
        return self._builder.fadd(one, other, flags=_FAST)

    def _pointer(self, data: Any) -> Any:
        return self._builder.bitcast(data, _ROW.as_pointer())


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
        totals = [ir.Constant(_ROW, [0.0] * WIDTH)] * 3
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
