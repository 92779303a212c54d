"""exp(−x) for compiled loops, in a form that the compiler turns into vector code.

numba's own exp is a scalar call here; `exp_minus` reduces the range and evaluates a polynomial, about ten times
faster. numba renews its cache on disk when the file of a loop changes, not when a file that it imports does: after a
change here delete the `__pycache__` of this folder.
"""

import logging
import time
from collections.abc import Callable
from multiprocessing import current_process
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core.event import Event, Listener, register
from numba.extending import intrinsic

from nca_core.compat import loop_options, prefer_wide_vectors

LARGEST = 708.0  # exp(−708) is the last comfortably normal number
_LOG2E = 1.4426950408889634
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_ROUND = 6755399441055744.0  # 1.5 * 2**52: adding it rounds to the nearest integer, kept in the low bits

# For the loops that call it. No "nnan"/"ninf": extreme inputs stay IEEE. "reassoc" lets reductions use vector lanes.
FAST = {"contract", "reassoc", "nsz", "arcp"}


@intrinsic
def _as_float(typing_context: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), generate


@intrinsic
def _as_bits(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), generate


@intrinsic
def _widest(typing_context: Any) -> Any:
    """Called in a loop's function: vectors of 512 bits where the processor has them, which LLVM halves by itself."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        prefer_wide_vectors(builder.function)
        return context.get_dummy_value()

    return types.none(), generate


widest_vectors: Any = _widest  # loops call it without the context


@intrinsic
def _flat_from(typing_context: Any, array: Any, start: Any) -> Any:
    """The numbers of a C-contiguous array from place `start` on, one axis; the caller keeps the array alive.

    Compiling it takes a third as long as of a slice, which also looks at bounds and counts references.
    """
    if array.layout != "C":
        return None
    flat = array.copy(ndim=1)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole = context.make_array(signature.args[0])(context, builder, arguments[0])
        part = context.make_array(flat)(context, builder)
        one = ir.Constant(ir.ArrayType(ir.IntType(64), 1), ir.Undefined)
        part.data = builder.gep(whole.data, [arguments[1]])
        part.nitems = builder.sub(whole.nitems, arguments[1])
        part.itemsize = whole.itemsize
        part.shape = builder.insert_value(one, part.nitems, 0)
        part.strides = builder.insert_value(one, whole.itemsize, 0)
        return part._getvalue()

    return flat(array, types.int64), generate


flat_from: Any = _flat_from


# Flags travel with instructions: "reassoc" would cancel the rounding trick, so it must not be inlined as source.
@njit(forceinline=True, fastmath={"contract"})
def exp_minus(x):  # type: ignore[no-untyped-def]
    """exp(−x) for 0 ≤ x ≤ LARGEST."""
    shifted = _ROUND - x * _LOG2E
    k = shifted - _ROUND
    r = (-x - k * _LN2_HIGH) - k * _LN2_LOW
    p = 1.0 / 479001600.0
    p = p * r + 1.0 / 39916800.0
    p = p * r + 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    return p * _as_float((_as_bits(shifted) + 1023) << 52)  # type: ignore[call-arg]


_log = logging.getLogger("nca_core")
_SECONDS = 5.0  # between two lines about progress


class _Progress(Listener):
    """Log that loops are being compiled, which takes seconds and happens once a machine; workers stay quiet."""

    def __init__(self) -> None:
        self._done, self._said = 0, 0.0

    def on_start(self, event: Event) -> None:
        if self._done == 0 and self._said == 0.0:
            self._say("Compiling the engine's loops: 4 to 10 s, once a machine.")

    def on_end(self, event: Event) -> None:
        self._done += 1
        if time.monotonic() - self._said > _SECONDS:
            self._say(f"Compiling the engine's loops: {self._done} done.")

    def _say(self, line: str) -> None:
        self._said = time.monotonic()
        if current_process().name == "MainProcess":
            _log.warning(line)


register("numba:compile", _Progress())


def jit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """numba's `njit` with the GIL released, cached on disk.

    Beside the source or in the user's cache folder; numba raises where neither can be written, as in a container
    without a home. There the loop is compiled anew in every process, instead of no training being possible at all.

    A loop whose name begins with an underscore is called by other loops alone. It gets none of the wrappers that let
    Python and C call it, whose compiling takes a tenth of the whole, and is inlined: as a symbol of its own it would be
    one code in the process that compiles and another, with other last bits, in those that load its callers. With
    inline="always" it is a part of these before types are inferred, and is not compiled besides.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        inner = function.__name__.startswith("_")
        wrapped = loop_options(not inner, nogil=True, **{"forceinline": inner, **options})
        try:
            return njit(cache=True, **wrapped)(function)
        except RuntimeError:
            return njit(**wrapped)(function)

    return compiled
