"""The compiled pair loops of the dense way: each pair is visited once, its exp counts for both points.

Points are sorted by class, so that "same class" is a range of columns and no loop compares labels. Work is cut into
strips of rows; a strip adds to its own accumulators, so that strips run on several threads without locks.

numba's own exp is a scalar call here; `exp_minus` reduces the range and evaluates a polynomial, which the compiler
turns into vector code about ten times faster. It stands in this file because numba's cache on disk is renewed when
the file of a loop changes, not when a file it imports does.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

LARGEST = 708.0  # exp(−708) is the last comfortably normal number
_LOG2E = 1.4426950408889634
_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_ROUND = 6755399441055744.0  # 1.5 * 2**52: adding it rounds to the nearest integer, kept in the low bits


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


# No "nnan"/"ninf": extreme inputs stay IEEE. "reassoc" lets the reductions use vector lanes.
_FAST = {"contract", "reassoc", "nsz", "arcp"}
_TILE = 1024


@njit(nogil=True, cache=True, fastmath=_FAST)
def _squared_distances(Y, i, low, high, out):  # type: ignore[no-untyped-def]
    """out[j − low] = min(‖y_i − y_j‖², LARGEST) for j in low..high; Y is (d, n)."""
    d = Y.shape[0]
    m = high - low
    first = Y[0, low:high]
    a = Y[0, i]
    buffer = out[:m]
    if d == 1:
        for j in range(m):
            u = first[j] - a
            buffer[j] = u * u
    else:
        second = Y[1, low:high]
        b = Y[1, i]
        for j in range(m):
            u = first[j] - a
            v = second[j] - b
            buffer[j] = u * u + v * v
        for axis in range(2, d):
            row = Y[axis, low:high]
            c = Y[axis, i]
            for j in range(m):
                u = row[j] - c
                buffer[j] += u * u
    for j in range(m):
        x = buffer[j]
        buffer[j] = x if x < LARGEST else LARGEST


@njit(nogil=True, cache=True, fastmath=_FAST)
def _add_same(distances, m, Z, S, H):  # type: ignore[no-untyped-def]
    z = 0.0
    h = 0.0
    for j in range(m):
        x = distances[j]
        e = exp_minus(x)
        z += e
        h += x * e
        Z[j] += e
        S[j] += e
        H[j] += x * e
    return z, h


@njit(nogil=True, cache=True, fastmath=_FAST)
def _add_other(distances, m, Z, H):  # type: ignore[no-untyped-def]
    z = 0.0
    h = 0.0
    for j in range(m):
        x = distances[j]
        e = exp_minus(x)
        z += e
        h += x * e
        Z[j] += e
        H[j] += x * e
    return z, h


@njit(nogil=True, cache=True)
def sums_of_strip(Y, class_end, start, stop, sums):  # type: ignore[no-untyped-def]
    """Add the pairs (i, j > i) of rows start..stop to sums = (Z, S, H), each (n,): Σ w, Σ_same w, Σ w‖y_i − y_j‖²."""
    n = Y.shape[1]
    buffer = np.empty(_TILE)
    Z, S, H = sums[0], sums[1], sums[2]
    for tile in range(start, n, _TILE):
        tile_end = min(tile + _TILE, n)
        for i in range(start, min(stop, tile_end)):
            low = max(i + 1, tile)
            same = min(max(class_end[i], low), tile_end)
            if same > low:
                _squared_distances(Y, i, low, same, buffer)
                z, h = _add_same(buffer, same - low, Z[low:same], S[low:same], H[low:same])
                Z[i] += z
                S[i] += z
                H[i] += h
            if tile_end > same:
                _squared_distances(Y, i, same, tile_end, buffer)
                z, h = _add_other(buffer, tile_end - same, Z[same:tile_end], H[same:tile_end])
                Z[i] += z
                H[i] += h


@njit(nogil=True, cache=True, fastmath=_FAST)
def _forces(distances, m, coefficient, columns):  # type: ignore[no-untyped-def]
    """distances[j] becomes w_ij (coefficient_i + coefficient_j), zero beyond the range of exp."""
    for j in range(m):
        x = distances[j]
        e = exp_minus(x) if x < LARGEST else 0.0
        distances[j] = e * (coefficient + columns[j])


@njit(nogil=True, cache=True, fastmath=_FAST)
def _pull(force, m, y, here, gradient):  # type: ignore[no-untyped-def]
    total = 0.0
    for j in range(m):
        step = force[j] * (y[j] - here)
        total += step
        gradient[j] -= step
    return total


@njit(nogil=True, cache=True)
def gradient_of_strip(Y, class_end, same_weight, all_weight, start, stop, gradient):  # type: ignore[no-untyped-def]
    """Add the pairs of rows start..stop to gradient (d, n) = ½ ∂F/∂Y.

    The pair (i, j) counts with w_ij [(b_i + b_j) + 1(same class)(a_i + a_j)], where a = same_weight holds
    (∂F/∂log S_i)/S_i and b = all_weight holds (∂F/∂log Z_i)/Z_i.
    """
    d, n = Y.shape
    buffer = np.empty(_TILE)
    total_weight = same_weight + all_weight
    for tile in range(start, n, _TILE):
        tile_end = min(tile + _TILE, n)
        for i in range(start, min(stop, tile_end)):
            low = max(i + 1, tile)
            same = min(max(class_end[i], low), tile_end)
            for part in range(2):
                left = low if part == 0 else same
                right = same if part == 0 else tile_end
                m = right - left
                if m <= 0:
                    continue
                weight = total_weight if part == 0 else all_weight
                _squared_distances(Y, i, left, right, buffer)
                _forces(buffer, m, weight[i], weight[left:right])
                for axis in range(d):
                    gradient[axis, i] += _pull(buffer, m, Y[axis, left:right], Y[axis, i], gradient[axis, left:right])
