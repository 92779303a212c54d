"""Compiled: what the loops over pairs share, distances first and forces times differences last.

Changed here, delete the `__pycache__` of this folder: see `exponential`.
"""

from __future__ import annotations

from nca_core.neighbours.base.exponential import FAST, LARGEST, widest_vectors
from nca_core.neighbours.base.jit import jit


@jit(fastmath=FAST, forceinline=True)
def squared_distances(points, low, high, Y, i, out):  # type: ignore[no-untyped-def]
    """out[j − low] = min(‖points_j − y_i‖², LARGEST) for j in low..high; Y is (d, n), points (d, n_points)."""
    widest_vectors()
    d = Y.shape[0]
    m = high - low
    buffer = out[:m]
    first = points[0, low:high]
    a = Y[0, i]
    if d == 1:
        for j in range(m):
            u = first[j] - a
            buffer[j] = min(u * u, LARGEST)
        return
    second = points[1, low:high]
    b = Y[1, i]
    if d == 2:
        for j in range(m):
            u = first[j] - a
            v = second[j] - b
            buffer[j] = min(u * u + v * v, LARGEST)
        return
    third = points[2, low:high]
    c = Y[2, i]
    for j in range(m):
        u = first[j] - a
        v = second[j] - b
        w = third[j] - c
        buffer[j] = min(u * u + v * v + w * w, LARGEST)
    for axis in range(3, d):
        row = points[axis, low:high]
        here = Y[axis, i]
        for j in range(m):
            u = row[j] - here
            buffer[j] = min(buffer[j] + u * u, LARGEST)


@jit(fastmath=FAST, forceinline=True)
def pull(force, m, y, here, gradient):  # type: ignore[no-untyped-def]
    """Σ_j force_j (y_j − here) over the first m, on one axis; gradient_j loses what j pulls."""
    total = 0.0
    for j in range(m):
        step = force[j] * (y[j] - here)
        total += step
        gradient[j] -= step
    return total
