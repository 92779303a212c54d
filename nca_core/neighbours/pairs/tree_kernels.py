"""Compiled loops over a balanced tree of points in a few dimensions: its order, single points, and whole leaves.

Node 1 is the root, node k has the children 2k and 2k + 1, and all leaves lie on level `depth`; leaf l holds the points
(l n) >> depth to ((l + 1) n) >> depth. Points are stored in the order of the leaves, so that a node is a range.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.exponential import FAST, LARGEST, exp_minus, flat_from, jit, widest_vectors
from nca_core.neighbours.pairs.pair_kernels import pull, squared_distances


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


# Single points, with the nearest distance taken out of the exponent, however far that is. Within `margin` beyond the
# nearest squared distance m_i² of point i lies all that counts: what is farther than that adds less than n exp(−margin)
# to Σ_j exp(m_i² − ‖y_i − y_j‖²) ≥ 1. Sums and gradient share a loop, which halves the time to compile it.
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


# Each leaf against all points within its cut. Every pair is visited from both its ends: that costs each exp twice, but
# a point's sums are then its own leaf's business alone. Nothing is scattered, no thread needs sums of its own, a leaf
# of sparse points can look farther than the others, and the inner loops do nothing but add up.
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
