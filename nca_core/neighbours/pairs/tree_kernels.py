"""Compiled: a balanced tree over points in a few dimensions.

Node 1 is the root, node k has the children 2k and 2k + 1, and all leaves lie on level `depth`; leaf l holds the points
(l n) >> depth to ((l + 1) n) >> depth. Points are stored in the order of the leaves, so that a node is a range.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.exponential import jit, larger, smaller


@jit(inline="always")
def _swap(Y, index, i, j):  # type: ignore[no-untyped-def]
    for axis in range(Y.shape[0]):
        Y[axis, i], Y[axis, j] = Y[axis, j], Y[axis, i]
    index[i], index[j] = index[j], index[i]


@jit(inline="always")
def _select(Y, index, axis, low, high, k):  # type: ignore[no-untyped-def]
    """Hoare's selection: points low..k−1 end up at or below point k on the axis, points k..high−1 at or above it."""
    row = Y[axis]
    left, right = low, high - 1
    while left < right:
        middle = (left + right) // 2
        pivot = larger(smaller(row[left], row[middle]), smaller(larger(row[left], row[middle]), row[right]))
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


@jit(inline="always")
def _extent(row, low, high):  # type: ignore[no-untyped-def]
    """Least and largest of row[low..high], which is not empty; numba's own `min` takes much longer to compile."""
    least = most = row[low]
    for k in range(low, high):
        least = smaller(least, row[k])
        most = larger(most, row[k])
    return least, most


@jit()
def arrange(Y, index, depth, level, last, place):  # type: ignore[no-untyped-def]
    """Part the points of node `place` of `level`, and of all nodes below it down to level `last`, between their two
    children, across the widest axis; Y is (d, n). With `last` = depth the leaves are in their order."""
    d, n = Y.shape
    for here in range(level, last):
        below = depth - here
        for node in range(place << (here - level), (place + 1) << (here - level)):
            low = ((node << below) * n) >> depth
            high = (((node + 1) << below) * n) >> depth
            widest, width = 0, 0.0
            for axis in range(d):
                least, most = _extent(Y[axis], low, high)
                if most - least > width:
                    widest, width = axis, most - least
            if width > 0.0:
                _select(Y, index, widest, low, high, (((2 * node + 1) << (below - 1)) * n) >> depth)


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
            lowest[leaves + leaf, axis], highest[leaves + leaf, axis] = _extent(Y[axis], start, end)
    for node in range(leaves - 1, 0, -1):
        for axis in range(d):
            lowest[node, axis] = smaller(lowest[2 * node, axis], lowest[2 * node + 1, axis])
            highest[node, axis] = larger(highest[2 * node, axis], highest[2 * node + 1, axis])
    return lowest, highest
