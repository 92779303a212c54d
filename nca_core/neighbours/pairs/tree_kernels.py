"""Compiled: the order of points in a balanced tree over a few dimensions.

Node 1 is the root, node k has the children 2k and 2k + 1, and all leaves lie on level `depth`; leaf l holds the points
(l n) >> depth to ((l + 1) n) >> depth. Points are stored in the order of the leaves, so that a node is a range.
"""

from __future__ import annotations

from nca_core.neighbours.base.exponential import flat_from, jit


@jit(inline="always")
def _select(Y, index, axis, low, high, k):  # type: ignore[no-untyped-def]
    """Hoare's selection: points low..k−1 end up at or below point k on the axis, points k..high−1 at or above it."""
    row = flat_from(Y, axis * Y.shape[1])
    left, right = low, high - 1
    while left < right:
        middle = (left + right) >> 1
        pivot = max(min(row[left], row[middle]), min(max(row[left], row[middle]), row[right]))
        i, j = left, right
        while i <= j:
            while row[i] < pivot:
                i += 1
            while row[j] > pivot:
                j -= 1
            if i <= j:
                if i < j:
                    for other in range(Y.shape[0]):
                        Y[other, i], Y[other, j] = Y[other, j], Y[other, i]
                    index[i], index[j] = index[j], index[i]
                i += 1
                j -= 1
        if k <= j:
            right = j
        elif k >= i:
            left = i
        else:
            return


@jit()
def arrange(Y, index, depth, level, stop, place, boxes):  # type: ignore[no-untyped-def]
    """Part the points of node `place` of `level`, and of all nodes below it above level `stop`, between their two
    children, across the widest axis, and write their `boxes`; Y is (d, n). With `stop` = depth + 1 the leaves are in
    their order and have theirs."""
    d, n = Y.shape
    for here in range(level, stop):
        below = depth - here
        for node in range(place << (here - level), (place + 1) << (here - level)):
            low = ((node << below) * n) >> depth
            high = (((node + 1) << below) * n) >> depth
            widest, width = 0, 0.0
            for axis in range(d):
                least = most = Y[axis, low]
                for k in range(low, high):
                    least, most = min(least, Y[axis, k]), max(most, Y[axis, k])
                boxes[(1 << here) + node, axis], boxes[(1 << here) + node, d + axis] = least, -most
                if most - least > width:
                    widest, width = axis, most - least
            if width > 0.0 and below > 0:
                _select(Y, index, widest, low, high, (((2 * node + 1) << (below - 1)) * n) >> depth)
