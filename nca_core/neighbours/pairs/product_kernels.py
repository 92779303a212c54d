"""Compiled: what turns a tile of scalar products y_i·y_j into weights and forces.

‖y_i − y_j‖² = ‖y_i‖² + ‖y_j‖² − 2 y_i·y_j loses about the last bit of ‖y_i‖² + ‖y_j‖²; points for which an exponent
cannot bear that are done by themselves.
"""

from __future__ import annotations

import math

from nca_core.neighbours.base.exponential import FAST, LARGEST, exp_minus, jit

_MOST = 600.0  # of an exponent above 0, whose sums are lost anyway
_NEAR = 50.0  # of an exponent below that of the nearest: what is farther changes no digit
_FEW = 0.08  # of the pairs of a tile: one by one they take no longer than two matrix products


@jit(fastmath=FAST)
def _add(row, m, norms, own, shift, total, beyond):  # type: ignore[no-untyped-def]
    """row[j], y_i·y_j, becomes w_ij exp(shift); that, and it times ‖y_i − y_j‖², is added to the columns, and for the
    row returned."""
    z = 0.0
    h = 0.0
    for j in range(m):
        x = max((own + norms[j]) - 2.0 * row[j], 0.0)
        e = exp_minus(min(max(x - shift, -_MOST), LARGEST))
        z += e
        h += x * e
        total[j] += e
        beyond[j] += x * e
        row[j] = e
    return z, h


@jit(fastmath=FAST)
def _weights(row, m, norms, own, shift):  # type: ignore[no-untyped-def]
    for j in range(m):
        x = max((own + norms[j]) - 2.0 * row[j], 0.0)
        row[j] = exp_minus(min(max(x - shift, -_MOST), LARGEST))


@jit()
def sums_of_tile(block, norms, shift, class_end, first, start, stop, sums):  # type: ignore[no-untyped-def]
    """Add the pairs (i, j > i) of rows first.. and columns start..stop to sums, (3, n): Σ w over the same class, Σ w
    over the others, Σ w ‖y_i − y_j‖².

    `block` holds y_i·y_j and afterwards w_ij = exp(shift − ‖y_i − y_j‖²); 0 where j ≤ i.
    """
    same_class, others, H = sums[0], sums[1], sums[2]
    for r in range(block.shape[0]):
        i = first + r
        low = max(i + 1, start)
        row = block[r]
        row[: min(low, stop) - start] = 0.0
        if low >= stop:
            continue
        same = min(max(class_end[i], low), stop)
        if same > low:
            s, h = _add(
                row[low - start :], same - low, norms[low:same], norms[i], shift, same_class[low:same], H[low:same]
            )
            same_class[i] += s
            H[i] += h
        if stop > same:
            o, h = _add(
                row[same - start :], stop - same, norms[same:stop], norms[i], shift, others[same:stop], H[same:stop]
            )
            others[i] += o
            H[i] += h


@jit()
def weights_of_tile(block, norms, shift, first, start, stop):  # type: ignore[no-untyped-def]
    """`block`, y_i·y_j, becomes w_ij = exp(shift − ‖y_i − y_j‖²), as `sums_of_tile` leaves it."""
    for r in range(block.shape[0]):
        low = max(first + r + 1, start)
        row = block[r]
        row[: min(low, stop) - start] = 0.0
        if low < stop:
            _weights(row[low - start :], stop - low, norms[low:stop], norms[first + r], shift)


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
def forces_of_tile(block, class_end, same_weight, all_weight, first, start, stop, total):  # type: ignore[no-untyped-def]
    """`block`, w_ij as `sums_of_tile` left it, becomes w_ij [(b_i + b_j) + 1(same class)(a_i + a_j)], whose sums over
    each row and column are added to `total`, (n,)."""
    both_weight = same_weight + all_weight
    for r in range(block.shape[0]):
        i = first + r
        low = max(i + 1, start)
        if low < stop:
            part = block[r, low - start :]
            same = min(max(class_end[i], low), stop)
            total[i] += _weigh(part, same - low, both_weight[i], both_weight[low:same], total[low:same])
            total[i] += _weigh(part[same - low :], stop - same, all_weight[i], all_weight[same:stop], total[same:stop])


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


@jit(fastmath=FAST | {"nnan"})
def _least(row):  # type: ignore[no-untyped-def]
    least = math.inf
    for x in row:
        least = x if x < least else least
    return least


@jit(fastmath=FAST)
def _near(row, nearest):  # type: ignore[no-untyped-def]
    total = 0.0
    beyond = 0.0
    for x in row:
        if x - nearest < _NEAR:
            e = math.exp(nearest - x)
            total += e
            beyond += e * (x - nearest)
    return total, beyond


@jit(fastmath=FAST)
def squares_of_rows(block, points, norms, rows, trusted):  # type: ignore[no-untyped-def]
    """`block`, y_i·y_j of the rows against all, becomes ‖y_i − y_j‖², infinite at j = i; by differences where ‖y_i‖² is
    above `trusted`."""
    for r in range(len(rows)):
        i = rows[r]
        row, own = block[r], norms[i]
        if own <= trusted:
            for j in range(len(norms)):
                row[j] = max((own + norms[j]) - 2.0 * row[j], 0.0)
        else:
            for j in range(len(norms)):
                x = 0.0
                for axis in range(points.shape[1]):
                    x += (points[i, axis] - points[j, axis]) ** 2
                row[j] = x
        row[i] = math.inf


@jit()
def sums_of_far_rows(squares, rows, class_start, class_end, out):  # type: ignore[no-untyped-def]
    """Into out, (5, n_rows): m², the least squared distance; Σ_j exp(m² − ‖y_i − y_j‖²), and the same of terms times
    ‖y_i − y_j‖² − m²; and the first two over the same class."""
    for r in range(len(rows)):
        row, mates = squares[r], squares[r, class_start[rows[r]] : class_end[rows[r]]]
        out[0, r], out[3, r] = _least(row), _least(mates)
        out[1, r], out[2, r] = _near(row, out[0, r])
        out[4, r] = _near(mates, out[3, r])[0]


@jit()
def pull_rows(squares, points, rows, class_start, class_end, sums, same, all_weight, gradient):  # type: ignore[no-untyped-def]
    """Add to gradient, (n, d), the forces of the rows with ∂F/∂log S_i and ∂F/∂log Z_i; sums as `sums_of_far_rows`
    has them."""
    for r in range(len(rows)):
        i = rows[r]
        nearest, mate = sums[0, r], sums[3, r]
        a, b = same[r] / max(sums[4, r], 1.0), all_weight[r] / sums[1, r]
        farther = max(nearest, mate) if mate < math.inf else nearest
        for j in range(len(points)):
            x = squares[r, j]
            if x - farther < _NEAR:
                force = b * math.exp(max(nearest - x, -LARGEST))
                if class_start[i] <= j < class_end[i]:
                    force += a * math.exp(max(mate - x, -LARGEST))
                for axis in range(points.shape[1]):
                    step = force * (points[j, axis] - points[i, axis])
                    gradient[i, axis] += step
                    gradient[j, axis] -= step
