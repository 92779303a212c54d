"""Compiled: what turns a block of scalar products y_i·y_j into distances, weights and forces.

‖y_i − y_j‖² = ‖y_i‖² + ‖y_j‖² − 2 y_i·y_j loses about the last bit of ‖y_i‖² + ‖y_j‖². Where that is more than an
exponent can lose, the pair is done again by differences, as long as it is near enough to count.
"""

from __future__ import annotations

import numpy as np

from nca_core.neighbours.base.exponential import FAST, LARGEST, exp_minus
from nca_core.neighbours.base.jit import jit

DOUBTFUL = 1e6  # ‖y_i‖² + ‖y_j‖² above which a product has lost more than 1e-9 of an exponent
_FEW = 0.08  # of the pairs of a tile: one by one they take no longer than two matrix products
_ROUNDING = 1e-14  # of ‖y_i‖² + ‖y_j‖², what a product may be wrong by in thousands of dimensions


@jit(fastmath=FAST)
def _by_differences(points, i, j):  # type: ignore[no-untyped-def]
    total = 0.0
    for axis in range(points.shape[1]):
        u = points[i, axis] - points[j, axis]
        total += u * u
    return total


@jit(fastmath=FAST)
def _add(row, m, norms, own, total, beyond):  # type: ignore[no-untyped-def]
    """row[j], y_i·y_j, becomes w_ij; w and w ‖y_i − y_j‖² are added to the columns, and for the row returned."""
    z = 0.0
    h = 0.0
    for j in range(m):
        x = min(max((own + norms[j]) - 2.0 * row[j], 0.0), LARGEST)
        e = exp_minus(x)
        z += e
        h += x * e
        total[j] += e
        beyond[j] += x * e
        row[j] = e
    return z, h


@jit(fastmath=FAST)
def _weights(row, m, norms, own):  # type: ignore[no-untyped-def]
    for j in range(m):
        row[j] = exp_minus(min(max((own + norms[j]) - 2.0 * row[j], 0.0), LARGEST))


@jit()
def _settle_doubts(row, low, points, norms, i):  # type: ignore[no-untyped-def]
    """row[j − low], y_i·y_j, becomes −½ ‖y_i − y_j‖², by differences where in doubt and near enough to count."""
    for k in range(len(row)):
        both = norms[i] + norms[low + k]
        x = both - 2.0 * row[k]
        if both > DOUBTFUL and x < LARGEST + _ROUNDING * both:
            x = _by_differences(points, i, low + k)
        row[k] = -0.5 * min(max(x, 0.0), LARGEST)


@jit()
def sums_of_tile(block, points, norms, nothing, class_end, first, start, stop, sums):  # type: ignore[no-untyped-def]
    """Add the pairs (i, j > i) of rows first.. and columns start..stop to sums, (3, n): Σ w over the same class, Σ w
    over the others, Σ w ‖y_i − y_j‖².

    `block` holds y_i·y_j and afterwards w_ij = exp(−‖y_i − y_j‖²); 0 where j ≤ i. `nothing` is zeros, (n,).
    """
    same_class, others, H = sums[0], sums[1], sums[2]
    largest = norms[start:stop].max()
    for r in range(block.shape[0]):
        i = first + r
        low = max(i + 1, start)
        row = block[r]
        row[: min(low, stop) - start] = 0.0
        if low >= stop:
            continue
        doubtful = norms[i] + largest > DOUBTFUL
        if doubtful:
            _settle_doubts(row[low - start :], low, points, norms, i)
        there = nothing if doubtful else norms
        own = 0.0 if doubtful else norms[i]
        same = min(max(class_end[i], low), stop)
        if same > low:
            s, h = _add(row[low - start :], same - low, there[low:same], own, same_class[low:same], H[low:same])
            same_class[i] += s
            H[i] += h
        if stop > same:
            o, h = _add(row[same - start :], stop - same, there[same:stop], own, others[same:stop], H[same:stop])
            others[i] += o
            H[i] += h


@jit()
def weights_of_tile(block, points, norms, nothing, first, start, stop):  # type: ignore[no-untyped-def]
    """`block`, y_i·y_j, becomes w_ij = exp(−‖y_i − y_j‖²), as `sums_of_tile` leaves it."""
    largest = norms[start:stop].max()
    for r in range(block.shape[0]):
        i = first + r
        low = max(i + 1, start)
        row = block[r]
        row[: min(low, stop) - start] = 0.0
        if low >= stop:
            continue
        if norms[i] + largest > DOUBTFUL:
            _settle_doubts(row[low - start :], low, points, norms, i)
            _weights(row[low - start :], stop - low, nothing[low:stop], 0.0)
        else:
            _weights(row[low - start :], stop - low, norms[low:stop], norms[i])


@jit(fastmath=FAST)
def _weigh(row, m, own, columns, total):  # type: ignore[no-untyped-def]
    together = 0.0
    for j in range(m):
        w = row[j] * (own + columns[j])
        row[j] = w
        total[j] += w
        together += w
    return together


@jit()
def forces_of_tile(block, points, norms, class_end, same_weight, all_weight, first, start, stop, total, gradient):  # type: ignore[no-untyped-def]
    """`block`, w_ij as `sums_of_tile` left it, becomes w_ij [(b_i + b_j) + 1(same class)(a_i + a_j)].

    The sums of that over each row and column are added to `total`, (n,). Pairs whose products are in doubt are added to
    gradient, (n, d), at once and leave 0.
    """
    both_weight = same_weight + all_weight
    largest = norms[start:stop].max()
    d = points.shape[1]
    for r in range(block.shape[0]):
        i = first + r
        low = max(i + 1, start)
        if low >= stop:
            continue
        part = block[r, low - start :]
        same = min(max(class_end[i], low), stop)
        if norms[i] + largest <= DOUBTFUL:
            total[i] += _weigh(part, same - low, both_weight[i], both_weight[low:same], total[low:same])
            total[i] += _weigh(part[same - low :], stop - same, all_weight[i], all_weight[same:stop], total[same:stop])
            continue
        for j in range(low, stop):
            own = both_weight if j < same else all_weight
            weight = part[j - low] * (own[i] + own[j])
            doubtful = norms[i] + norms[j] > DOUBTFUL
            part[j - low] = 0.0 if doubtful else weight
            if not doubtful:
                total[i] += weight
                total[j] += weight
            elif weight != 0.0:
                for axis in range(d):
                    step = weight * (points[j, axis] - points[i, axis])
                    gradient[i, axis] += step
                    gradient[j, axis] -= step


@jit(fastmath=FAST)
def _pull(weight, mine, other, own, its):  # type: ignore[no-untyped-def]
    for axis in range(len(mine)):
        own[axis] += weight * other[axis]
        its[axis] += weight * mine[axis]


@jit(fastmath=FAST)
def _count(row, least):  # type: ignore[no-untyped-def]
    count = 0.0
    for k in range(len(row)):
        count += 1.0 if abs(row[k]) > least else 0.0
    return count


@jit()
def few_forces(block, least):  # type: ignore[no-untyped-def]
    """Whether few forces of a tile are above `least`."""
    left = _FEW * block.size
    for row in block:
        left -= _count(row, least)
        if left < 0.0:
            return False
    return True


@jit()
def pull_singly(block, points, first, start, least, gradient):  # type: ignore[no-untyped-def]
    """Add the forces of a tile that are above `least` to gradient, (n, d), pair by pair."""
    rows, columns = block.shape
    for r in range(rows):
        if _count(block[r], least) == 0.0:
            continue
        for k in range(columns):
            if abs(block[r, k]) > least:
                i, j = first + r, start + k
                _pull(block[r, k], points[i], points[j], gradient[i], gradient[j])


@jit(fastmath=FAST)
def _least(row, low, high):  # type: ignore[no-untyped-def]
    least = np.inf
    for j in range(low, high):
        least = min(least, row[j])
    return least


@jit(fastmath=FAST)
def _shifted(row, low, high, nearest):  # type: ignore[no-untyped-def]
    total = 0.0
    beyond = 0.0
    for j in range(low, high):
        x = row[j] - nearest
        inside = x < LARGEST
        x = x if inside else 0.0
        e = exp_minus(x) if inside else 0.0
        total += e
        beyond += x * e
    return total, beyond


@jit(fastmath=FAST)
def _distances(products, norms, own):  # type: ignore[no-untyped-def]
    """products[j] becomes own + norms_j − 2 products_j, at least 0."""
    for j in range(len(products)):
        products[j] = max((own + norms[j]) - 2.0 * products[j], 0.0)


@jit()
def _exact_distances(row, points, norms, i, low, high):  # type: ignore[no-untyped-def]
    """The row's distances, by differences where they are in doubt and could count."""
    _distances(row, norms, norms[i])
    row[i] = np.inf
    largest = norms.max()
    if norms[i] + largest <= DOUBTFUL:
        return
    reach = _reach(row, norms, i, 0, len(row))
    mates = _reach(row, norms, i, low, high)
    for j in range(len(row)):
        both = norms[i] + norms[j]
        near = max(reach, mates) if low <= j < high else reach
        if j != i and both > DOUBTFUL and row[j] - _ROUNDING * both < near + LARGEST:
            row[j] = _by_differences(points, i, j)


@jit()
def _reach(row, norms, i, low, high):  # type: ignore[no-untyped-def]
    """What the nearest is at most away, of columns low..high."""
    least = np.inf
    for j in range(low, high):
        least = min(least, row[j] + _ROUNDING * (norms[i] + norms[j]))
    return least


@jit()
def distances_of_block(block, points, norms, start, end, rows):  # type: ignore[no-untyped-def]
    """`block`, y_i·y_j of rows i and all j, (n_rows, n), becomes ‖y_i − y_j‖², infinite for the point itself."""
    for place in range(len(rows)):
        i = rows[place]
        _exact_distances(block[place], points, norms, i, start[i], end[i])


@jit()
def sums_of_block(block, start, end, rows, out):  # type: ignore[no-untyped-def]
    """out (n_rows, 5) = m², Σ e, Σ e (x − m²) over all others; then m², Σ e over the others of the point's class.

    `block`, (n_rows, n), holds x_ij = ‖y_i − y_j‖²; e = exp(m² − x), m² the least x of these.
    """
    n = block.shape[1]
    for place in range(len(rows)):
        i = rows[place]
        row = block[place]
        nearest = _least(row, 0, n)
        out[place, 0] = nearest
        out[place, 1], out[place, 2] = _shifted(row, 0, n, nearest)
        mate = _least(row, start[i], end[i])
        out[place, 3] = mate
        out[place, 4] = _shifted(row, start[i], end[i], mate)[0] if mate < np.inf else 0.0


@jit(fastmath=FAST)
def _row_forces(row, low, high, nearest, weight, forces):  # type: ignore[no-untyped-def]
    for j in range(low, high):
        x = row[j] - nearest
        forces[j] += weight * (exp_minus(max(x, 0.0)) if x < LARGEST else 0.0)


@jit()
def forces_of_block(block, points, norms, start, end, rows, sums, all_weight, same_weight, total, gradient):  # type: ignore[no-untyped-def]
    """`block`, x_ij of `sums_of_block`, becomes e_ij all_weight_i + 1(same class) e'_ij same_weight_i.

    Sums over rows and columns are added to `total`, (n,); doubtful pairs to gradient, (n, d), as in `forces_of_tile`.
    """
    n, d = points.shape
    forces = np.empty(n)
    for place in range(len(rows)):
        i = rows[place]
        row = block[place]
        forces[:] = 0.0
        if sums[place, 0] < np.inf and all_weight[place] != 0.0:
            _row_forces(row, 0, n, sums[place, 0], all_weight[place], forces)
        if sums[place, 3] < np.inf and same_weight[place] != 0.0:
            _row_forces(row, start[i], end[i], sums[place, 3], same_weight[place], forces)
        for j in range(n):
            if norms[i] + norms[j] > DOUBTFUL and forces[j] != 0.0:
                for axis in range(d):
                    step = forces[j] * (points[j, axis] - points[i, axis])
                    gradient[i, axis] += step
                    gradient[j, axis] -= step
                forces[j] = 0.0
            row[j] = forces[j]
            total[j] += forces[j]
            total[i] += forces[j]
