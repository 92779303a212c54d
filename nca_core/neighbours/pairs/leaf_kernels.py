"""Compiled: the pair loops over a tree's leaves, each leaf against all points within its cut.

Every pair is visited from both its ends: that costs each exp twice, but a point's sums are then its own leaf's business
alone. Nothing is scattered, no thread needs sums of its own, a leaf of sparse points can look farther than the others,
and the inner loops do nothing but add up.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.exponential import FAST, LARGEST, exp_minus, jit, larger, smaller, widest_vectors
from nca_core.neighbours.pairs.pair_kernels import squared_distances

_STACK = 256
_BLOCK = 1024  # points that are gathered at a time: leaves one by one would cost more than their pairs
_WIDTH = _BLOCK + 72  # of an array's rows: at distances of 4096 bytes loads wait for stores
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
                nearest[i] = smaller(nearest[i], apart)
                nearest[j] = smaller(nearest[j], apart)
        longest = 0.0
        for k in range(size):
            longest = larger(longest, nearest[k])
        cuts[leaves + leaf] = smaller(cut + longest, most)
    for node in range(leaves - 1, 0, -1):
        cuts[node] = larger(cuts[2 * node], cuts[2 * node + 1])
    return cuts


@jit(inline="always")
def _gap(lowest, highest, a, b):  # type: ignore[no-untyped-def]
    """Squared distance of two nodes' boxes."""
    total = 0.0
    for axis in range(lowest.shape[1]):
        gap = larger(lowest[a, axis] - highest[b, axis], lowest[b, axis] - highest[a, axis])
        if gap > 0.0:
            total += gap * gap
    return total


@jit(inline="always")
def _gather(lowest, highest, depth, n, leaf, cuts, others, stack, heights, state, missed, places):  # type: ignore[no-untyped-def]
    """Places of the leaf's own points, where state[1] says that it is the first time, and of points of other leaves
    within the cut, as many as find room; returns how many. state[0] is how much is on the stack. The largest mass that
    nodes beyond can hide from a point of the leaf is added to missed[0]. `others`: the cuts of other leaves, where they
    count as well (else empty): their points may need this leaf's although these can do without them."""
    leaves = 1 << depth
    cut = cuts[leaves + leaf]
    m = 0
    top = state[0]
    found = leaf if state[1] == 1 else -1
    while True:
        if found >= 0:
            low, high = (found * n) >> depth, ((found + 1) * n) >> depth
            for k in range(low, high):
                places[m] = k
                m += 1
        if top == 0 or m + (n >> depth) + 1 > _BLOCK:
            break
        found = -1
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
        elif below == 0:
            found = first
        else:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node
            heights[top] = heights[top + 1] = below - 1
            top += 2
    state[0] = top
    state[1] = 0
    return m


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
    """How many pairs (i, j) `over_leaves` looks at for the sums of these leaves."""
    whole = np.empty((4, _BLOCK), dtype=np.int64)
    missed = np.zeros(1)
    total = 0
    for leaf in leaves:
        whole[0, 0], whole[1, 0], whole[2, 0], whole[2, 1] = 1, depth, 1, 1
        while whole[2, 0] > 0:
            m = _gather(lowest, highest, depth, n, leaf, cuts, cuts[:0], whole[0], whole[1], whole[2], missed, whole[3])
            total += m * ((((leaf + 1) * n) >> depth) - ((leaf * n) >> depth))
    return total


@jit()
def over_leaves(points, d, codes, lowest, highest, depth, cuts, first_leaf, last_leaf, out):  # type: ignore[no-untyped-def]
    """Into out, (4, n), of the points (d, n) in leaves first_leaf..last_leaf over all others within the cut: Z, S, H,
    and what each of them can have missed at most.

    Of points (d + 2, n), whose last two rows are the weights of all and of the same class as in the dense method's
    loop: adds to out, (d, n), ½ ∂F/∂Y of these points, from all pairs that either end's sums have.

    Codes are unique for every unlabelled point, so that it shares a class with no other.
    """
    widest_vectors()
    n = points.shape[1]
    pulls = len(points) > d
    others = cuts if pulls else cuts[:0]
    whole = np.empty((5, _BLOCK), dtype=np.int64)
    stack, heights, state, nearby_codes, places = whole[0], whole[1], whole[2], whole[3], whole[4]
    nearby = np.empty((d + 4, _WIDTH))
    buffer, hidden = nearby[d + 2], nearby[d + 3]
    for leaf in range(first_leaf, last_leaf):
        begin, stop = (leaf * n) >> depth, ((leaf + 1) * n) >> depth
        stack[0] = state[0] = state[1] = 1
        heights[0] = depth
        hidden[0] = 0.0
        own = True
        while state[0] > 0:
            m = _gather(lowest, highest, depth, n, leaf, cuts, others, stack, heights, state, hidden, places)
            for axis in range(len(points)):
                for k in range(m):
                    nearby[axis, k] = points[axis, places[k]]
            for k in range(m):
                nearby_codes[k] = codes[places[k]]
            while m % _STEP > 0:
                for axis in range(len(points)):
                    nearby[axis, m] = _NOWHERE if axis < d else 0.0
                nearby_codes[m] = 0
                m += 1
            for i in range(begin, stop):
                if own:
                    nearby[0, i - begin] = _NOWHERE  # not its own neighbour
                squared_distances(nearby, state[1], m, points, d, i, buffer)  # from 0, of which a literal compiles anew
                if pulls:
                    all_weight, same_weight = points[d, i], points[d + 1, i]
                    _weigh(buffer, m, nearby_codes, codes[i], all_weight, same_weight, nearby[d], nearby[d + 1])
                    for axis in range(d):
                        out[axis, i] += _pull(buffer, m, nearby[axis], points[axis, i])
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
                out[3, i] = hidden[0]
