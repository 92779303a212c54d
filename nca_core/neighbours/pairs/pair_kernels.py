"""The compiled pair loops of the dense method: each pair is visited once, its exp counts for both points.

Points are sorted by class, so that "same class" is a range of columns and no loop compares labels. Work is cut into
strips of rows; a strip adds to its own accumulators, so that strips run on several threads without locks.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.exponential import FAST, LARGEST, exp_minus
from nca_core.neighbours.base.jit import jit
from nca_core.neighbours.pairs.pair_steps import pull, squared_distances

_TILE = 1024


@jit(fastmath=FAST)
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


@jit(fastmath=FAST)
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


@jit()
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
                squared_distances(Y, low, same, Y, i, buffer)
                z, h = _add_same(buffer, same - low, Z[low:same], S[low:same], H[low:same])
                Z[i] += z
                S[i] += z
                H[i] += h
            if tile_end > same:
                squared_distances(Y, same, tile_end, Y, i, buffer)
                z, h = _add_other(buffer, tile_end - same, Z[same:tile_end], H[same:tile_end])
                Z[i] += z
                H[i] += h


@jit(fastmath=FAST)
def _forces(distances, m, coefficient, columns):  # type: ignore[no-untyped-def]
    """distances[j] becomes w_ij (coefficient_i + coefficient_j), zero beyond the range of exp."""
    for j in range(m):
        x = distances[j]
        e = exp_minus(x) if x < LARGEST else 0.0
        distances[j] = e * (coefficient + columns[j])


@jit()
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
                squared_distances(Y, left, right, Y, i, buffer)
                _forces(buffer, m, weight[i], weight[left:right])
                for axis in range(d):
                    gradient[axis, i] += pull(buffer, m, Y[axis, left:right], Y[axis, i], gradient[axis, left:right])
