"""Compiled: single points against a tree, with the nearest distance taken out of the exponent, however far that is.

Within `margin` beyond the nearest squared distance m_i² of point i lies all that counts: what is farther than that
adds less than n exp(−margin) to Σ_j exp(m_i² − ‖y_i − y_j‖²) ≥ 1. Sums and gradient share a loop, which halves the time
to compile it.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.exponential import FAST, LARGEST, exp_minus, flat_from, jit
from nca_core.neighbours.pairs.pair_kernels import pull

_STACK = 256
_ROUNDED = 1.0 + 1e-12  # far out the gap of the nearest point's own leaf may be rounded beyond its distance


@jit(inline="always")
def _distances(Y, i, low, m, out):  # type: ignore[no-untyped-def]
    for j in range(m):
        out[j] = 0.0
    for axis in range(Y.shape[0]):
        row = flat_from(Y, axis * Y.shape[1] + low)
        here = Y[axis, i]
        for j in range(m):
            u = row[j] - here
            out[j] += u * u
    if low <= i < low + m:
        out[i - low] = np.inf


@jit(inline="always")
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


@jit(inline="always")
def _row_forces(distances, m, nearest, codes, code, all_weight, same_weight):  # type: ignore[no-untyped-def]
    for j in range(m):
        x = distances[j] - nearest
        e = exp_minus(x) if x < LARGEST else 0.0
        distances[j] = e * (all_weight + (same_weight if codes[j] == code else 0.0))


@jit(fastmath=FAST)
def over_rows(Y, codes, boxes, depth, rows, start, stop, margin, known, nodes, gaps, buffer, out):  # type: ignore[no-untyped-def]
    """Into out, (4, n_rows), for places start..stop of rows: m_i², Σ_j e_ij, Σ_same e_ij and
    Σ_j e_ij (‖y_i − y_j‖² − m_i²), e_ij = exp(m_i² − ‖y_i − y_j‖²); infinite and zeros for a point without any other.

    With known, (3, n_rows) in place of (3, 0), which are m_i², a_i and b_i: adds to both ends of out, (d, n),
    Σ_i Σ_j e_ij (a_i + 1(same class) b_i) (y_j − y_i).

    nodes, gaps, buffer: `stack_and_buffer`.
    """
    d, n = Y.shape
    leaves = 1 << depth
    pulls = known.shape[1] > 0
    for place in range(start, stop):
        i = rows[place]
        nearest, total, same, beyond = np.inf, 0.0, 0.0, 0.0
        if pulls:
            nearest = known[0, place]
            if known[1, place] == 0.0 and known[2, place] == 0.0:
                continue
        # The first way down the tree finds m_i², the second all that counts.
        for way in range(1 if pulls else 0, 2):
            cut = _ROUNDED * nearest + margin
            if way == 1 and cut == np.inf:
                break
            nodes[0] = 1
            gaps[0] = 0.0
            top = 1
            while top > 0:
                top -= 1
                node = nodes[top]
                if gaps[top] > cut or (way == 0 and gaps[top] >= nearest):
                    continue
                if node < leaves:
                    for child in range(2):
                        box = 2 * node + 1 - child
                        gap = 0.0  # squared distance from it
                        for axis in range(d):
                            apart = max(boxes[box, axis] - Y[axis, i], Y[axis, i] + boxes[box, d + axis])
                            if apart > 0.0:
                                gap += apart * apart
                        nodes[top + child], gaps[top + child] = box, gap
                    if way == 0 and gaps[top + 1] > gaps[top]:  # the nearer one first
                        nodes[top], nodes[top + 1] = nodes[top + 1], nodes[top]
                        gaps[top], gaps[top + 1] = gaps[top + 1], gaps[top]
                    top += 2
                    continue
                low = ((node - leaves) * n) >> depth
                m = (((node - leaves + 1) * n) >> depth) - low
                _distances(Y, i, low, m, buffer)
                its_codes = flat_from(codes, low)
                if way == 0:
                    for j in range(m):
                        nearest = min(nearest, buffer[j])
                elif pulls:
                    _row_forces(buffer, m, nearest, its_codes, codes[i], known[1, place], known[2, place])
                    for axis in range(d):
                        there = axis * n + low
                        out[axis, i] += pull(buffer, m, flat_from(Y, there), Y[axis, i], flat_from(out, there))
                else:
                    t, s, b = _shifted_sums(buffer, m, nearest, its_codes, codes[i])
                    total += t
                    same += s
                    beyond += b
        if not pulls:
            out[0, place], out[1, place], out[2, place], out[3, place] = nearest, total, same, beyond


def stack_and_buffer(most: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For one call of `over_rows`, whose leaves have `most` points: the stack, and distances."""
    return np.empty(_STACK, dtype=np.int64), np.empty(_STACK), np.empty(most)


@jit(fastmath=FAST)
def over_ranges(Y, first, last, rows, start, stop, known, codes, buffer, out):  # type: ignore[no-untyped-def]
    """The same over j in first_i..last_i alone, each range with another point than i: out (3, n_rows) without those
    over the same class, or known (2, n_rows) in place of (2, 0): m_i², a_i. Codes are zeros, buffer anything, of the
    longest range's length."""
    n = Y.shape[1]
    for place in range(start, stop):
        i = rows[place]
        low = first[i]
        m = last[i] - low
        _distances(Y, i, low, m, buffer)
        if known.shape[1] == 0:
            nearest = np.inf
            for j in range(m):
                nearest = min(nearest, buffer[j])
            total, _, beyond = _shifted_sums(buffer, m, nearest, codes, 0)
            out[0, place], out[1, place], out[2, place] = nearest, total, beyond
            continue
        _row_forces(buffer, m, known[0, place], codes, 0, known[1, place], 0.0)
        for axis in range(Y.shape[0]):
            there = axis * n + low
            out[axis, i] += pull(buffer, m, flat_from(Y, there), Y[axis, i], flat_from(out, there))
