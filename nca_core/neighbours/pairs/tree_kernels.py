"""Compiled: a balanced tree over points in a few dimensions, and the pair loops over its leaves.

Node 1 is the root, node k has the children 2k and 2k + 1, and all leaves lie on level `depth`; leaf l holds the points
(l n) >> depth to ((l + 1) n) >> depth. Points are stored in the order of the leaves, so that a node is a range.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.exponential import FAST, LARGEST, exp_minus
from nca_core.neighbours.base.jit import jit
from nca_core.neighbours.pairs.pair_steps import pull, squared_distances

_STACK = 256
_RUNS = 4096
_WIDE = 1024  # points that are gathered from the runs at a time: short runs one by one would cost more than their pairs


@jit()
def _swap(Y, index, i, j):  # type: ignore[no-untyped-def]
    for axis in range(Y.shape[0]):
        Y[axis, i], Y[axis, j] = Y[axis, j], Y[axis, i]
    index[i], index[j] = index[j], index[i]


@jit()
def _select(Y, index, axis, low, high, k):  # type: ignore[no-untyped-def]
    """Hoare's selection: points low..k−1 end up at or below point k on the axis, points k..high−1 at or above it."""
    row = Y[axis]
    left, right = low, high - 1
    while left < right:
        middle = (left + right) // 2
        pivot = max(min(row[left], row[middle]), min(max(row[left], row[middle]), row[right]))
        i, j = left, right
        while i <= j:
            while row[i] < pivot:
                i += 1
            while row[j] > pivot:
                j -= 1
            if i <= j:
                if i < j:
                    _swap(Y, index, i, j)
                i += 1
                j -= 1
        if k <= j:
            right = j
        elif k >= i:
            left = i
        else:
            return


@jit()
def arrange_node(Y, index, depth, level, node):  # type: ignore[no-untyped-def]
    """Part the points of node number `node` of `level` between its two children, across its widest axis."""
    d, n = Y.shape
    below = depth - level
    low = ((node << below) * n) >> depth
    high = (((node + 1) << below) * n) >> depth
    middle = (((2 * node + 1) << (below - 1)) * n) >> depth
    widest, width = 0, -1.0
    for axis in range(d):
        least = Y[axis, low]
        most = least
        for k in range(low, high):
            value = Y[axis, k]
            least = min(least, value)
            most = max(most, value)
        if most - least > width:
            widest, width = axis, most - least
    if width > 0.0:
        _select(Y, index, widest, low, high, middle)


@jit()
def arrange(Y, index, depth, level, place):  # type: ignore[no-untyped-def]
    """Sort the points of node `place` of `level`, and all below it, into the order of the leaves; Y is (d, n)."""
    for here in range(level, depth):
        for node in range(place << (here - level), (place + 1) << (here - level)):
            arrange_node(Y, index, depth, here, node)


@jit()
def bounding_boxes(Y, depth):  # type: ignore[no-untyped-def]
    """Lowest and highest coordinates of every node, each (2 << depth, d)."""
    d, n = Y.shape
    leaves = 1 << depth
    lowest = np.empty((2 * leaves, d))
    highest = np.empty((2 * leaves, d))
    for leaf in range(leaves):
        start, end = (leaf * n) >> depth, ((leaf + 1) * n) >> depth
        for axis in range(d):
            lowest[leaves + leaf, axis] = Y[axis, start:end].min()
            highest[leaves + leaf, axis] = Y[axis, start:end].max()
    for node in range(leaves - 1, 0, -1):
        for axis in range(d):
            lowest[node, axis] = min(lowest[2 * node, axis], lowest[2 * node + 1, axis])
            highest[node, axis] = max(highest[2 * node, axis], highest[2 * node + 1, axis])
    return lowest, highest


@jit()
def _gap(lowest, highest, a, b):  # type: ignore[no-untyped-def]
    """Squared distance of two nodes' boxes."""
    total = 0.0
    for axis in range(lowest.shape[1]):
        gap = max(lowest[a, axis] - highest[b, axis], lowest[b, axis] - highest[a, axis])
        if gap > 0.0:
            total += gap * gap
    return total


@jit()
def _runs_after(lowest, highest, depth, n, leaf, cut, missed, starts, ends):  # type: ignore[no-untyped-def]
    """Ranges of points in leaves after `leaf` whose boxes are within `cut`; returns how many.

    Of every node beyond, the largest mass it can hide from a point of the leaf, and a point of the leaf from it, is
    added to `missed` (2 << depth,).
    """
    leaves = 1 << depth
    stack = np.empty(_STACK, dtype=np.int64)
    heights = np.empty(_STACK, dtype=np.int64)
    stack[0], heights[0] = 1, depth
    top = 1
    count = 0
    me = leaves + leaf
    size = float((((leaf + 1) * n) >> depth) - ((leaf * n) >> depth))
    while top > 0:
        top -= 1
        node, below = stack[top], heights[top]
        first = (node << below) - leaves
        last = first + (1 << below)
        if last <= leaf + 1:
            continue
        straddles = first <= leaf
        if not straddles:
            gap = _gap(lowest, highest, me, node)
            if gap > cut:
                if gap < LARGEST:
                    hidden = np.exp(-gap)
                    missed[me] += hidden * float(((last * n) >> depth) - ((first * n) >> depth))
                    missed[node] += hidden * size
                continue
        if below == 0:
            start, end = (first * n) >> depth, (last * n) >> depth
            if count > 0 and (ends[count - 1] == start or count == _RUNS):
                # Leaves come in rising order; where there is no room the run grows over what lies between.
                ends[count - 1] = end
            else:
                starts[count] = start
                ends[count] = end
                count += 1
        else:
            stack[top], heights[top] = 2 * node + 1, below - 1
            stack[top + 1], heights[top + 1] = 2 * node, below - 1
            top += 2
    return count


@jit()
def _gather(Y, codes, starts, ends, count, state, nearby, nearby_codes, places):  # type: ignore[no-untyped-def]
    """Copy the next points of the runs, at most _WIDE; `state` is (run, place in it), which moves on. How many."""
    run, low = state[0], state[1]
    m = 0
    while run < count and m < _WIDE:
        take = min(ends[run] - low, _WIDE - m)
        for k in range(take):
            places[m + k] = low + k
            nearby_codes[m + k] = codes[low + k]
        for axis in range(Y.shape[0]):
            nearby[axis, m : m + take] = Y[axis, low : low + take]
        m += take
        low += take
        if low == ends[run]:
            run += 1
            low = starts[run] if run < count else 0
    state[0], state[1] = run, low
    return m


@jit()
def pairs_of_leaves(lowest, highest, depth, n, cut, leaves):  # type: ignore[no-untyped-def]
    """How many pairs (i, j > i) `sums_of_leaves` looks at in these leaves."""
    starts = np.empty(_RUNS, dtype=np.int64)
    ends = np.empty(_RUNS, dtype=np.int64)
    missed = np.zeros(2 << depth)
    total = 0
    for leaf in leaves:
        members = (((leaf + 1) * n) >> depth) - ((leaf * n) >> depth)
        count = _runs_after(lowest, highest, depth, n, leaf, cut, missed, starts, ends)
        for run in range(count):
            total += members * (ends[run] - starts[run])
        total += members * (members - 1) // 2
    return total


@jit(fastmath=FAST)
def _add_pairs(distances, m, codes, code, Z, S, H):  # type: ignore[no-untyped-def]
    z = 0.0
    s = 0.0
    h = 0.0
    for j in range(m):
        x = distances[j]
        e = exp_minus(x)
        same = e if codes[j] == code else 0.0
        z += e
        s += same
        h += x * e
        Z[j] += e
        S[j] += same
        H[j] += x * e
    return z, s, h


@jit()
def sums_of_leaves(Y, codes, lowest, highest, depth, cut, first_leaf, last_leaf, sums, missed):  # type: ignore[no-untyped-def]
    """Add the pairs (i, j > i) within the cut of leaves first_leaf..last_leaf to sums = (Z, S, H), each (n,).

    Codes are unique for every unlabelled point, so that it shares a class with nobody.
    """
    d, n = Y.shape
    starts = np.empty(_RUNS, dtype=np.int64)
    ends = np.empty(_RUNS, dtype=np.int64)
    state = np.empty(2, dtype=np.int64)
    buffer = np.empty(_WIDE)
    nearby = np.empty((d, _WIDE + 1))  # the last column is the point itself
    nearby_codes = np.empty(_WIDE, dtype=np.int64)
    places = np.empty(_WIDE, dtype=np.int64)
    of_nearby = np.empty((3, _WIDE))
    Z, S, H = sums[0], sums[1], sums[2]
    for leaf in range(first_leaf, last_leaf):
        count = _runs_after(lowest, highest, depth, n, leaf, cut, missed, starts, ends)
        begin, stop = (leaf * n) >> depth, ((leaf + 1) * n) >> depth
        for i in range(begin, stop - 1):
            squared_distances(Y, i, i + 1, stop, buffer)
            z, s, h = _add_pairs(
                buffer, stop - i - 1, codes[i + 1 : stop], codes[i], Z[i + 1 : stop], S[i + 1 : stop], H[i + 1 : stop]
            )
            Z[i] += z
            S[i] += s
            H[i] += h
        state[0], state[1] = 0, starts[0]
        while state[0] < count:
            m = _gather(Y, codes, starts, ends, count, state, nearby, nearby_codes, places)
            of_nearby[:, :m] = 0.0
            for i in range(begin, stop):
                for axis in range(d):
                    nearby[axis, _WIDE] = Y[axis, i]
                squared_distances(nearby, _WIDE, 0, m, buffer)
                z, s, h = _add_pairs(buffer, m, nearby_codes, codes[i], of_nearby[0], of_nearby[1], of_nearby[2])
                Z[i] += z
                S[i] += s
                H[i] += h
            for k in range(m):
                j = places[k]
                Z[j] += of_nearby[0, k]
                S[j] += of_nearby[1, k]
                H[j] += of_nearby[2, k]


@jit()
def push_down(missed, depth, n):  # type: ignore[no-untyped-def]
    """From what was missed by nodes to what each point can have missed at most, (n,)."""
    leaves = 1 << depth
    for node in range(2, 2 * leaves):
        missed[node] += missed[node >> 1]
    points = np.empty(n)
    for leaf in range(leaves):
        points[(leaf * n) >> depth : ((leaf + 1) * n) >> depth] = missed[leaves + leaf]
    return points


@jit(fastmath=FAST)
def _forces(distances, m, codes, code, all_i, same_i, all_weight, same_weight):  # type: ignore[no-untyped-def]
    for j in range(m):
        x = distances[j]
        same = same_i + same_weight[j] if codes[j] == code else 0.0
        e = exp_minus(x) if x < LARGEST else 0.0
        distances[j] = e * (all_i + all_weight[j] + same)


@jit()
def gradient_of_leaves(Y, codes, lowest, highest, depth, cut, same_weight, all_weight, first_leaf, last_leaf, gradient):  # type: ignore[no-untyped-def]
    """Add the pairs within the cut to gradient (d, n) = ½ ∂F/∂Y; weights as in the dense method's loop."""
    d, n = Y.shape
    starts = np.empty(_RUNS, dtype=np.int64)
    ends = np.empty(_RUNS, dtype=np.int64)
    state = np.empty(2, dtype=np.int64)
    buffer = np.empty(_WIDE)
    nearby = np.empty((d, _WIDE + 1))  # the last column is the point itself
    nearby_codes = np.empty(_WIDE, dtype=np.int64)
    places = np.empty(_WIDE, dtype=np.int64)
    weights = np.empty((2, _WIDE))
    of_nearby = np.empty((d, _WIDE))
    missed = np.zeros(2 << depth)
    for leaf in range(first_leaf, last_leaf):
        count = _runs_after(lowest, highest, depth, n, leaf, cut, missed, starts, ends)
        begin, stop = (leaf * n) >> depth, ((leaf + 1) * n) >> depth
        for i in range(begin, stop - 1):
            low, m = i + 1, stop - i - 1
            squared_distances(Y, i, low, stop, buffer)
            _forces(
                buffer, m, codes[low:stop], codes[i], all_weight[i], same_weight[i], all_weight[low:stop],
                same_weight[low:stop],
            )  # fmt: skip
            for axis in range(d):
                gradient[axis, i] += pull(buffer, m, Y[axis, low:stop], Y[axis, i], gradient[axis, low:stop])
        state[0], state[1] = 0, starts[0]
        while state[0] < count:
            m = _gather(Y, codes, starts, ends, count, state, nearby, nearby_codes, places)
            for k in range(m):
                weights[0, k] = all_weight[places[k]]
                weights[1, k] = same_weight[places[k]]
            of_nearby[:, :m] = 0.0
            for i in range(begin, stop):
                for axis in range(d):
                    nearby[axis, _WIDE] = Y[axis, i]
                squared_distances(nearby, _WIDE, 0, m, buffer)
                _forces(buffer, m, nearby_codes, codes[i], all_weight[i], same_weight[i], weights[0], weights[1])
                for axis in range(d):
                    gradient[axis, i] += pull(buffer, m, nearby[axis], Y[axis, i], of_nearby[axis])
            for axis in range(d):
                for k in range(m):
                    gradient[axis, places[k]] += of_nearby[axis, k]
