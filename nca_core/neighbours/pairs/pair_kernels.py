"""The compiled pair loops of the dense method: each pair is visited once, its exp counts for both points.

Points are sorted by class, so that "same class" is a range of columns and no loop compares labels. Work is cut into
strips of rows; a strip adds to its own accumulators, so that strips run on several threads without locks.
"""

from __future__ import annotations

from nca_core.neighbours.base.exponential import FAST, LARGEST, exp_minus, flat_from, jit, widest_vectors


@jit(fastmath=FAST, forceinline=True)
def squared_distances(points, low, m, Y, d, i, out):  # type: ignore[no-untyped-def]
    """out[j] = min(‖points_(low + j) − y_i‖², LARGEST) for the first m, by the first d rows of points and Y."""
    widest_vectors()
    n = points.shape[1]
    first = flat_from(points, low)
    a = Y[0, i]
    done = 1
    if d == 1:
        for j in range(m):
            u = first[j] - a
            out[j] = min(u * u, LARGEST)
    else:
        done = 2
        second = flat_from(points, n + low)
        b = Y[1, i]
        for j in range(m):
            u = first[j] - a
            v = second[j] - b
            out[j] = min(u * u + v * v, LARGEST)
    for axis in range(done, d):
        row = flat_from(points, axis * n + low)
        here = Y[axis, i]
        for j in range(m):
            u = row[j] - here
            out[j] = min(out[j] + u * u, LARGEST)


@jit(fastmath=FAST, forceinline=True)
def pull(force, m, y, here, gradient):  # type: ignore[no-untyped-def]
    """Σ_j force_j (y_j − here) over the first m, on one axis; gradient_j loses what j pulls."""
    total = 0.0
    for j in range(m):
        step = force[j] * (y[j] - here)
        total += step
        gradient[j] -= step
    return total


TILE = 1024  # columns that are done at a time, and numbers that `buffer` has room for


@jit(inline="always")
def _add_same(distances, m, Z, S, H):  # type: ignore[no-untyped-def]
    z = 0.0
    h = 0.0
    for j in range(m):
        x = distances[j]
        e = exp_minus(x)
        z += e
        h += x * e
        Z[j] += e
        S[j] += e
        H[j] += x * e
    return z, h


@jit(inline="always")
def _add_other(distances, m, Z, H):  # type: ignore[no-untyped-def]
    z = 0.0
    h = 0.0
    for j in range(m):
        x = distances[j]
        e = exp_minus(x)
        z += e
        h += x * e
        Z[j] += e
        H[j] += x * e
    return z, h


@jit(inline="always")
def _forces(distances, m, coefficient, columns):  # type: ignore[no-untyped-def]
    """distances[j] becomes w_ij (coefficient_i + coefficient_j), zero beyond the range of exp."""
    for j in range(m):
        x = distances[j]
        e = exp_minus(x) if x < LARGEST else 0.0
        distances[j] = e * (coefficient + columns[j])


@jit(fastmath=FAST)
def over_strip(Y, class_end, start, stop, known, buffer, out):  # type: ignore[no-untyped-def]
    """Add the pairs (i, j > i) of rows start..stop to out = (Z, S, H), each (n,): Σ w, Σ_same w, Σ w‖y_i − y_j‖².

    With known, (2, n) in place of (2, 0): to out (d, n) = ½ ∂F/∂Y. The pair (i, j) counts with w_ij (a_i + a_j) where
    it shares a class and w_ij (b_i + b_j) where not; b = known[1] holds (∂F/∂log Z_i)/Z_i, and a = known[0] that and
    (∂F/∂log S_i)/S_i together.
    """
    d, n = Y.shape
    pulls = known.shape[1] > 0
    for tile in range(start, n, TILE):
        tile_end = min(tile + TILE, n)
        for i in range(start, min(stop, tile_end)):
            left = max(i + 1, tile)
            right = min(max(class_end[i], left), tile_end)
            for part in range(len(known)):  # a literal 2 would be unrolled, which doubles the compiling
                m = right - left
                if m > 0:
                    squared_distances(Y, left, m, Y, d, i, buffer)
                    if pulls:
                        _forces(buffer, m, known[part, i], flat_from(known, part * n + left))
                        for axis in range(d):
                            there = axis * n + left
                            out[axis, i] += pull(buffer, m, flat_from(Y, there), Y[axis, i], flat_from(out, there))
                    else:
                        Z, H = flat_from(out, left), flat_from(out, 2 * n + left)
                        if part == 0:
                            z, h = _add_same(buffer, m, Z, flat_from(out, n + left), H)
                            out[1, i] += z
                        else:
                            z, h = _add_other(buffer, m, Z, H)
                        out[0, i] += z
                        out[2, i] += h
                left, right = right, tile_end
