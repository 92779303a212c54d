"""Compiled: the pair loops over a tree's leaves, each leaf against all points within its cut.

Every pair is visited from both its ends: that costs each exp twice, but a point's sums are then its own leaf's business
alone. Nothing is scattered, no thread needs sums of its own, a leaf of sparse points can look farther than the others,
and the inner loops do nothing but add up.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.exponential import FAST, LARGEST, exp_minus, jit, widest_vectors
from nca_core.neighbours.pairs.pair_kernels import squared_distances

_STACK = 256
_BLOCK = 1024  # points that are gathered at a time: leaves one by one would cost more than their pairs
_STEP = 32  # loops run over multiples of it, since what is left of vectors is done one by one
_NOWHERE = 1e150  # so far off that nothing of it counts; its square is finite


@jit()
def cuts_of_nodes(Y, depth, cut, most):  # type: ignore[no-untyped-def]
    """Squared distance from each node beyond which its points pass others over, (2 << depth,).

    Of a leaf it is `cut` beyond the longest way of its points to the nearest other one in it, at most `most` in all: so
    the sums of sparse points lose as little as those of dense ones. Of other nodes it is the largest of their leaves.
    """
    d, n = Y.shape
    leaves = 1 << depth
    cuts = np.empty(2 * leaves)
    nearest = np.empty((n >> depth) + 1)
    for leaf in range(leaves):
        start, size = (leaf * n) >> depth, (((leaf + 1) * n) >> depth) - ((leaf * n) >> depth)
        nearest[:size] = np.inf
        for i in range(size):
            for j in range(i + 1, size):
                apart = 0.0
                for axis in range(d):
                    apart += (Y[axis, start + i] - Y[axis, start + j]) ** 2
                nearest[i] = min(nearest[i], apart)
                nearest[j] = min(nearest[j], apart)
        longest = 0.0
        for k in range(size):
            longest = max(longest, nearest[k])
        cuts[leaves + leaf] = min(cut + longest, most)
    for node in range(leaves - 1, 0, -1):
        cuts[node] = max(cuts[2 * node], cuts[2 * node + 1])
    return cuts


@jit(inline="always")
def _gap(lowest, highest, a, b):  # type: ignore[no-untyped-def]
    """Squared distance of two nodes' boxes."""
    total = 0.0
    for axis in range(lowest.shape[1]):
        gap = max(lowest[a, axis] - highest[b, axis], lowest[b, axis] - highest[a, axis])
        if gap > 0.0:
            total += gap * gap
    return total


@jit()
def _next_leaf(lowest, highest, depth, n, leaf, cuts, others, stack, heights, top, missed):  # type: ignore[no-untyped-def]
    """(the next other leaf within the cut, −1 where there is none, and how much is on the stack now); the largest mass
    that nodes beyond can hide from a point of the leaf is added to missed[0]. `others`: the cuts of other leaves, where
    they count as well (else empty): their points may need this leaf's although these can do without them."""
    leaves = 1 << depth
    cut = cuts[leaves + leaf]
    while top > 0:
        top -= 1
        node, below = stack[top], heights[top]
        first = (node << below) - leaves
        if first == leaf and below == 0:
            continue
        gap = _gap(lowest, highest, leaves + leaf, node)
        if gap > cut and not (node < len(others) and gap <= others[node]):
            if gap < LARGEST:
                last = first + (1 << below)
                missed[0] += np.exp(-gap) * float(((last * n) >> depth) - ((first * n) >> depth))
            continue
        if below == 0:
            return first, top
        stack[top], heights[top] = 2 * node + 1, below - 1
        stack[top + 1], heights[top + 1] = 2 * node, below - 1
        top += 2
    return -1, top


@jit()
def _gather(lowest, highest, depth, n, leaf, cuts, others, stack, heights, state, missed, places):  # type: ignore[no-untyped-def]
    """Places of the leaf's own points, where state[1] says that it is the first time, and of points of other leaves
    within the cut, as many as find room; state[0] is how much is on the stack. Returns how many."""
    m = 0
    top = state[0]
    if state[1]:
        for k in range((leaf * n) >> depth, ((leaf + 1) * n) >> depth):
            places[m] = k
            m += 1
    longest = (n >> depth) + 1
    while m + longest <= _BLOCK:
        other, top = _next_leaf(lowest, highest, depth, n, leaf, cuts, others, stack, heights, top, missed)
        if other < 0:
            break
        for k in range((other * n) >> depth, ((other + 1) * n) >> depth):
            places[m] = k
            m += 1
    state[0], state[1] = top, 0
    return m


@jit()
def _copy(Y, codes, places, m, nearby, nearby_codes):  # type: ignore[no-untyped-def]
    """The points at these places, and what fills them up to whole steps; how many they are then."""
    filled = -(-m // _STEP) * _STEP
    for axis in range(Y.shape[0]):
        for k in range(m):
            nearby[axis, k] = Y[axis, places[k]]
        nearby[axis, m:filled] = _NOWHERE
    for k in range(m):
        nearby_codes[k] = codes[places[k]]
    nearby_codes[m:filled] = 0
    return filled


@jit(fastmath=FAST)
def _add_up(distances, m, codes, code):  # type: ignore[no-untyped-def]
    widest_vectors()
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


@jit(fastmath=FAST)
def _weigh(distances, m, codes, code, all_i, same_i, all_weight, same_weight):  # type: ignore[no-untyped-def]
    widest_vectors()
    for j in range(m):
        x = distances[j]
        same = same_i + same_weight[j] if codes[j] == code else 0.0
        e = exp_minus(x) if x < LARGEST else 0.0
        distances[j] = e * (all_i + all_weight[j] + same)


@jit(fastmath=FAST)
def _pull(force, m, row, here):  # type: ignore[no-untyped-def]
    widest_vectors()
    total = 0.0
    for j in range(m):
        total += force[j] * (row[j] - here)
    return total


@jit()
def pairs_of_leaves(lowest, highest, depth, n, cuts, leaves):  # type: ignore[no-untyped-def]
    """How many pairs (i, j) `sums_of_leaves` looks at in these leaves."""
    stack = np.empty(_STACK, dtype=np.int64)
    heights = np.empty(_STACK, dtype=np.int64)
    missed = np.zeros(1)
    total = 0
    for leaf in leaves:
        size = (((leaf + 1) * n) >> depth) - ((leaf * n) >> depth)
        total += size * size
        stack[0], heights[0] = 1, depth
        top = 1
        while top > 0:
            other, top = _next_leaf(lowest, highest, depth, n, leaf, cuts, cuts[:0], stack, heights, top, missed)
            if other >= 0:
                total += size * ((((other + 1) * n) >> depth) - ((other * n) >> depth))
    return total


@jit()
def sums_of_leaves(Y, codes, lowest, highest, depth, cuts, first_leaf, last_leaf, sums, missed):  # type: ignore[no-untyped-def]
    """Add up sums = (Z, S, H), each (n,), of the points in leaves first_leaf..last_leaf over all others within the cut,
    and tell what each of them can have missed at most, (n,).

    Codes are unique for every unlabelled point, so that it shares a class with no other.
    """
    widest_vectors()
    d, n = Y.shape
    stack = np.empty(_STACK, dtype=np.int64)
    heights = np.empty(_STACK, dtype=np.int64)
    state = np.empty(2, dtype=np.int64)
    places = np.empty(_BLOCK, dtype=np.int64)
    nearby = np.empty((d, _BLOCK))
    nearby_codes = np.empty(_BLOCK, dtype=np.int64)
    buffer = np.empty(_BLOCK)
    hidden = np.empty(1)
    for leaf in range(first_leaf, last_leaf):
        begin, stop = (leaf * n) >> depth, ((leaf + 1) * n) >> depth
        stack[0], heights[0], state[0], state[1], hidden[0] = 1, depth, 1, 1, 0.0
        own = True
        while state[0] > 0 or state[1] > 0:
            m = _gather(lowest, highest, depth, n, leaf, cuts, cuts[:0], stack, heights, state, hidden, places)
            m = _copy(Y, codes, places, m, nearby, nearby_codes)
            for i in range(begin, stop):
                if own:
                    nearby[0, i - begin] = _NOWHERE  # not its own neighbour
                squared_distances(nearby, state[1], m, Y, i, buffer)  # from 0, of which a literal compiles anew
                z, s, h = _add_up(buffer, m, nearby_codes, codes[i])
                sums[0, i] += z
                sums[1, i] += s
                sums[2, i] += h
                if own:
                    nearby[0, i - begin] = Y[0, i]
            own = False
        missed[begin:stop] = hidden[0]


@jit()
def gradient_of_leaves(  # type: ignore[no-untyped-def]
    Y, codes, lowest, highest, depth, cuts, same_weight, all_weight, first_leaf, last_leaf, gradient
):
    """Add ½ ∂F/∂Y of the points in these leaves to gradient (d, n), from all pairs that either end's sums have; weights
    as in the dense method's loop."""
    widest_vectors()
    d, n = Y.shape
    stack = np.empty(_STACK, dtype=np.int64)
    heights = np.empty(_STACK, dtype=np.int64)
    state = np.empty(2, dtype=np.int64)
    places = np.empty(_BLOCK, dtype=np.int64)
    nearby = np.empty((d, _BLOCK))
    nearby_codes = np.empty(_BLOCK, dtype=np.int64)
    weights = np.zeros((2, _BLOCK))
    buffer = np.empty(_BLOCK)
    hidden = np.empty(1)
    for leaf in range(first_leaf, last_leaf):
        begin, stop = (leaf * n) >> depth, ((leaf + 1) * n) >> depth
        stack[0], heights[0], state[0], state[1] = 1, depth, 1, 1
        own = True
        while state[0] > 0 or state[1] > 0:
            m = _gather(lowest, highest, depth, n, leaf, cuts, cuts, stack, heights, state, hidden, places)
            for k in range(m):
                weights[0, k] = all_weight[places[k]]
                weights[1, k] = same_weight[places[k]]
            m = _copy(Y, codes, places, m, nearby, nearby_codes)
            for i in range(begin, stop):
                if own:
                    nearby[0, i - begin] = _NOWHERE
                squared_distances(nearby, state[1], m, Y, i, buffer)
                _weigh(buffer, m, nearby_codes, codes[i], all_weight[i], same_weight[i], weights[0], weights[1])
                for axis in range(d):
                    gradient[axis, i] += _pull(buffer, m, nearby[axis], Y[axis, i])
                if own:
                    nearby[0, i - begin] = Y[0, i]
            own = False
