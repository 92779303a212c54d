"""Compiled: single points against a tree, with the nearest distance taken out of the exponent, however far that is.

Within `margin` beyond the nearest squared distance m_i² of point i lies all that counts: what is farther than that
adds less than n exp(−margin) to Σ_j exp(m_i² − ‖y_i − y_j‖²) ≥ 1.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.exponential import FAST, LARGEST, exp_minus, jit
from nca_core.neighbours.pairs.pair_kernels import pull

_STACK = 256
_ROUNDED = 1.0 + 1e-12  # far out the gap of the nearest point's own leaf may be rounded beyond its distance


@jit(inline="always")
def _gap(lowest, highest, node, Y, i):  # type: ignore[no-untyped-def]
    """Squared distance of point i from a node's box."""
    total = 0.0
    for axis in range(Y.shape[0]):
        gap = max(lowest[node, axis] - Y[axis, i], Y[axis, i] - highest[node, axis])
        if gap > 0.0:
            total += gap * gap
    return total


@jit(fastmath=FAST)
def _distances(Y, i, low, high, out):  # type: ignore[no-untyped-def]
    for axis in range(Y.shape[0]):
        row = Y[axis, low:high]
        here = Y[axis, i]
        if axis == 0:
            for j in range(high - low):
                u = row[j] - here
                out[j] = u * u
        else:
            for j in range(high - low):
                u = row[j] - here
                out[j] += u * u
    if low <= i < high:
        out[i - low] = np.inf


@jit(inline="always")
def _least(values, m, least):  # type: ignore[no-untyped-def]
    """Of the first m and `least`; numba's own `min` takes much longer to compile."""
    for j in range(m):
        least = min(least, values[j])
    return least


@jit(inline="always")
def _nearest(Y, lowest, highest, depth, i, buffer):  # type: ignore[no-untyped-def]
    """Squared distance of point i from its nearest other point; infinite where there is none."""
    n = Y.shape[1]
    leaves = 1 << depth
    nodes = np.empty(_STACK, dtype=np.int64)
    gaps = np.empty(_STACK)
    nodes[0], gaps[0] = 1, 0.0
    top = 1
    best = np.inf
    while top > 0:
        top -= 1
        node, gap = nodes[top], gaps[top]
        if gap >= best:
            continue
        if node >= leaves:
            low, high = ((node - leaves) * n) >> depth, ((node - leaves + 1) * n) >> depth
            _distances(Y, i, low, high, buffer)
            best = _least(buffer, high - low, best)
            continue
        left, right = _gap(lowest, highest, 2 * node, Y, i), _gap(lowest, highest, 2 * node + 1, Y, i)
        far = 0 if left > right else 1
        nodes[top], gaps[top] = 2 * node + far, max(left, right)
        nodes[top + 1], gaps[top + 1] = 2 * node + 1 - far, min(left, right)
        top += 2
    return best


@jit(inline="always")
def _leaves_within(Y, lowest, highest, depth, i, cut, found):  # type: ignore[no-untyped-def]
    """Numbers of the leaves whose boxes are within the squared distance `cut` of point i; returns how many."""
    leaves = 1 << depth
    stack = np.empty(_STACK, dtype=np.int64)
    stack[0] = 1
    top = 1
    count = 0
    while top > 0:
        top -= 1
        node = stack[top]
        if _gap(lowest, highest, node, Y, i) > cut:
            continue
        if node >= leaves:
            found[count] = node - leaves
            count += 1
        else:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node
            top += 2
    return count


@jit(fastmath=FAST)
def _shifted_sums(distances, m, nearest, codes, code):  # type: ignore[no-untyped-def]
    total = 0.0
    same = 0.0
    beyond = 0.0
    for j in range(m):
        x = distances[j] - nearest
        inside = x < LARGEST  # neither the point itself, which is at infinity
        x = x if inside else 0.0
        e = exp_minus(x) if inside else 0.0
        total += e
        same += e if codes[j] == code else 0.0
        beyond += x * e
    return total, same, beyond


@jit()
def sums_of_rows(Y, codes, lowest, highest, depth, rows, start, stop, margin, out):  # type: ignore[no-untyped-def]
    """out (4, n_rows) = m_i², Σ_j e_ij, Σ_same e_ij, Σ_j e_ij (‖y_i − y_j‖² − m_i²), e_ij = exp(m_i² − ‖y_i − y_j‖²),
    for places start..stop of rows; a slice of `out` would be a type of its own, for which all is compiled once more.

    A point without any other has m_i² infinite and sums of zero.
    """
    n = Y.shape[1]
    longest = (n >> depth) + 1
    buffer = np.empty(longest)
    found = np.empty(1 << depth, dtype=np.int64)
    for place in range(start, stop):
        i = rows[place]
        nearest = _nearest(Y, lowest, highest, depth, i, buffer)
        total, same, beyond = 0.0, 0.0, 0.0
        if nearest < np.inf:
            count = _leaves_within(Y, lowest, highest, depth, i, _ROUNDED * nearest + margin, found)
            for k in range(count):
                low, high = (found[k] * n) >> depth, ((found[k] + 1) * n) >> depth
                _distances(Y, i, low, high, buffer)
                t, s, b = _shifted_sums(buffer, high - low, nearest, codes[low:high], codes[i])
                total += t
                same += s
                beyond += b
        out[0, place], out[1, place], out[2, place], out[3, place] = nearest, total, same, beyond


@jit(fastmath=FAST)
def _row_forces(distances, m, nearest, codes, code, all_weight, same_weight):  # type: ignore[no-untyped-def]
    for j in range(m):
        x = distances[j] - nearest
        e = exp_minus(x) if x < LARGEST else 0.0
        distances[j] = e * (all_weight + (same_weight if codes[j] == code else 0.0))


@jit()
def gradient_of_rows(Y, codes, lowest, highest, depth, rows, margin, nearest, all_weight, same_weight, gradient):  # type: ignore[no-untyped-def]
    """Add Σ_i Σ_j e_ij (all_weight_i + 1(same class) same_weight_i) (y_j − y_i) to both ends of gradient (d, n)."""
    d, n = Y.shape
    buffer = np.empty((n >> depth) + 1)
    found = np.empty(1 << depth, dtype=np.int64)
    for place in range(len(rows)):
        i = rows[place]
        m2 = nearest[place]
        if not m2 < np.inf or (all_weight[place] == 0.0 and same_weight[place] == 0.0):
            continue
        count = _leaves_within(Y, lowest, highest, depth, i, _ROUNDED * m2 + margin, found)
        for k in range(count):
            low, high = (found[k] * n) >> depth, ((found[k] + 1) * n) >> depth
            m = high - low
            _distances(Y, i, low, high, buffer)
            _row_forces(buffer, m, m2, codes[low:high], codes[i], all_weight[place], same_weight[place])
            for axis in range(d):
                gradient[axis, i] += pull(buffer, m, Y[axis, low:high], Y[axis, i], gradient[axis, low:high])


@jit()
def sums_in_ranges(Y, first, last, rows, start, stop, out):  # type: ignore[no-untyped-def]
    """out (3, n_rows) = m_i², Σ_j e_ij, Σ_j e_ij (‖y_i − y_j‖² − m_i²) over j in first_i..last_i but i, for places
    start..stop of rows; each such range has another point than i."""
    codes = np.zeros((last - first).max(), dtype=np.int64)
    buffer = np.empty(len(codes))
    for place in range(start, stop):
        i = rows[place]
        low, high = first[i], last[i]
        _distances(Y, i, low, high, buffer)
        nearest = _least(buffer, high - low, np.inf)
        total, _, beyond = _shifted_sums(buffer, high - low, nearest, codes, 0)
        out[0, place], out[1, place], out[2, place] = nearest, total, beyond


@jit()
def gradient_in_ranges(Y, start, end, rows, nearest, weights, gradient):  # type: ignore[no-untyped-def]
    """Add Σ_i weights_i Σ_j e_ij (y_j − y_i) over j in start_i..end_i to both ends of gradient (d, n)."""
    codes = np.zeros((end - start).max(), dtype=np.int64)
    buffer = np.empty(len(codes))
    for place in range(len(rows)):
        i = rows[place]
        low, high = start[i], end[i]
        _distances(Y, i, low, high, buffer)
        _row_forces(buffer, high - low, nearest[place], codes, 0, weights[place], 0.0)
        for axis in range(Y.shape[0]):
            gradient[axis, i] += pull(buffer, high - low, Y[axis, low:high], Y[axis, i], gradient[axis, low:high])
