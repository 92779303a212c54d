"""Compiled: the pair loops over a tree's leaves, each leaf against all points within its cut.

Every pair is visited from both its ends: that costs each exp twice, but a point's sums are then its own leaf's business
alone. Nothing is scattered, no thread needs sums of its own, a leaf of sparse points can look farther than the others,
and the inner loops do nothing but add up.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.exponential import (
    FAST,
    LARGEST,
    exp_minus,
    flat_from,
    jit,
    widest_vectors,
)
from nca_core.neighbours.pairs.pair_kernels import squared_distances

BLOCK = 1024  # points that are gathered at a time: leaves one by one would cost more than their pairs
_WIDTH = BLOCK + 72  # of an array's rows: at distances of 4096 bytes loads wait for stores
_STEP = 32  # loops run over multiples of it, since what is left of vectors is done one by one
_NOWHERE = 1e150  # so far off that nothing of it counts; its square is finite


@jit()
def nearest_in_leaves(Y, depth, nearest):  # type: ignore[no-untyped-def]
    """Lower nearest, (n,), to the squared distance of each point from the nearest other one in its leaf."""
    d, n = Y.shape
    for leaf in range(1 << depth):
        stop = ((leaf + 1) * n) >> depth
        for i in range((leaf * n) >> depth, stop):
            for j in range(i + 1, stop):
                apart = 0.0
                for axis in range(d):
                    step = Y[axis, i] - Y[axis, j]
                    apart += step * step
                nearest[i] = min(nearest[i], apart)
                nearest[j] = min(nearest[j], apart)


@jit(inline="always")
def _gather(points, codes, boxes, depth, leaf, cuts, both, own, top, missed, stack, heights, nearby, nearby_codes):  # type: ignore[no-untyped-def]
    """Copy the leaf's own points, where `own`, and those of other leaves within the cut, as many as find room; returns
    how many they are, how much is left on the stack, and `missed` with the largest mass added that nodes beyond can
    hide from a point of the leaf. `both`: the cuts of other leaves count as well: their points may need this leaf's
    although these can do without them."""
    n, d = points.shape[1], boxes.shape[1] >> 1
    leaves = 1 << depth
    cut = cuts[leaves + leaf]
    m = 0
    found = leaf if own else -1
    while True:
        if found >= 0:
            low = (found * n) >> depth
            count = (((found + 1) * n) >> depth) - low
            for axis in range(len(points)):
                row, its_row = flat_from(nearby, axis * _WIDTH + m), flat_from(points, axis * n + low)
                for k in range(count):
                    row[k] = its_row[k]
            row_codes, its_codes = flat_from(nearby_codes, m), flat_from(codes, low)
            for k in range(count):
                row_codes[k] = its_codes[k]
            m += count
        if top == 0 or m + (n >> depth) + 1 > BLOCK:
            break
        found = -1
        top -= 1
        node, below = stack[top], heights[top]
        first = (node << below) - leaves
        if first == leaf and below == 0:
            continue
        gap, own_box = 0.0, leaves + leaf  # squared distance of the two boxes
        for axis in range(d):
            apart = max(boxes[own_box, axis] + boxes[node, d + axis], boxes[node, axis] + boxes[own_box, d + axis])
            if apart > 0.0:
                gap += apart * apart
        if gap > cut and not (both and gap <= cuts[node]):
            if gap < LARGEST:
                last = first + (1 << below)
                missed += np.exp(-gap) * float(((last * n) >> depth) - ((first * n) >> depth))
        elif below == 0:
            found = first
        else:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node
            heights[top] = heights[top + 1] = below - 1
            top += 2
    return m, top, missed


@jit(inline="always")
def _add_up(distances, m, codes, code):  # type: ignore[no-untyped-def]
    z = 0.0
    s = 0.0
    h = 0.0
    for j in range(m):
        x = distances[j]
        e = exp_minus(x)
        z += e
        s += e if codes[j] == code else 0.0
        h += x * e
    return z, s, h


@jit(inline="always")
def _weigh(distances, m, codes, code, all_i, same_i, all_weight, same_weight):  # type: ignore[no-untyped-def]
    for j in range(m):
        x = distances[j]
        same = same_i + same_weight[j] if codes[j] == code else 0.0
        e = exp_minus(x) if x < LARGEST else 0.0
        distances[j] = e * (all_i + all_weight[j] + same)


@jit(inline="always")
def _pull(force, m, row, here):  # type: ignore[no-untyped-def]
    total = 0.0
    for j in range(m):
        total += force[j] * (row[j] - here)
    return total


@jit()
def pairs_of_leaves(points, codes, boxes, depth, cuts, leaves, whole, nearby):  # type: ignore[no-untyped-def]
    """How many pairs (i, j) `over_leaves` looks at for the sums of these leaves."""
    n = points.shape[1]
    stack, heights, nearby_codes = whole[0], whole[1], whole[2]
    total = 0
    for leaf in leaves:
        stack[0], heights[0] = 1, depth
        own, top, missed = True, 1, 0.0
        while top > 0:
            m, top, missed = _gather(
                points, codes, boxes, depth, leaf, cuts, False, own, top, missed, stack, heights, nearby, nearby_codes
            )
            own = False
            total += m * ((((leaf + 1) * n) >> depth) - ((leaf * n) >> depth))
    return total


@jit(fastmath=FAST)
def over_leaves(points, d, codes, boxes, depth, cuts, first_leaf, last_leaf, whole, nearby, out):  # type: ignore[no-untyped-def]
    """Into out, (4, n), of the points (d, n) in leaves first_leaf..last_leaf over all others within the cut: Z, S, H,
    and what each of them can have missed at most.

    Of points (d + 2, n), whose last two rows are the weights of all and of the same class as in the dense method's
    loop: adds to out, (d, n), ½ ∂F/∂Y of these points, from all pairs that either end's sums have.

    Codes are unique for every unlabelled point, so that it shares a class with no other. `whole` and `nearby`: a
    `block_arrays`.
    """
    widest_vectors()
    n = points.shape[1]
    pulls = len(points) > d
    stack, heights, nearby_codes = flat_from(whole, 0), flat_from(whole, BLOCK), flat_from(whole, 2 * BLOCK)
    buffer, all_weights, same_weights = nearby[d + 2], nearby[d], nearby[d + 1]
    zero = np.int64(0)  # of which a literal would compile anew
    for leaf in range(first_leaf, last_leaf):
        begin, stop = (leaf * n) >> depth, ((leaf + 1) * n) >> depth
        stack[0], heights[0] = 1, depth
        own, top, missed = True, 1, 0.0
        while top > 0:
            m, top, missed = _gather(
                points, codes, boxes, depth, leaf, cuts, pulls, own, top, missed, stack, heights, nearby, nearby_codes
            )
            while m & (_STEP - 1) > 0:
                nearby[0, m] = _NOWHERE
                nearby_codes[m] = 0
                m += 1
            for i in range(begin, stop):
                if own:
                    nearby[0, i - begin] = _NOWHERE  # not its own neighbour
                squared_distances(nearby, zero, m, points, d, i, buffer)
                if pulls:
                    all_weight, same_weight = points[d, i], points[d + 1, i]
                    _weigh(buffer, m, nearby_codes, codes[i], all_weight, same_weight, all_weights, same_weights)
                    for axis in range(d):
                        out[axis, i] += _pull(buffer, m, flat_from(nearby, axis * _WIDTH), points[axis, i])
                else:
                    z, s, h = _add_up(buffer, m, nearby_codes, codes[i])
                    out[0, i] += z
                    out[1, i] += s
                    out[2, i] += h
                if own:
                    nearby[0, i - begin] = points[0, i]
            own = False
        if not pulls:
            for i in range(begin, stop):
                out[3, i] = missed


def block_arrays(d: int) -> tuple[np.ndarray, np.ndarray]:
    """For one call of the loops above: stacks and class codes, and the points of a block with their weights and
    distances, zeros, since nothing else may stand behind the last."""
    return np.empty((3, BLOCK), dtype=np.int64), np.zeros((d + 3, _WIDTH))
