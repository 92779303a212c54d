"""Compiled: the last step of every gradient, forces times differences. Changed here, delete this folder's caches."""

from __future__ import annotations

from nca_core.neighbours.exponential import FAST
from nca_core.neighbours.loop import loop


@loop(fastmath=FAST)
def pull(force, m, y, here, gradient):  # type: ignore[no-untyped-def]
    """Σ_j force_j (y_j − here) over the first m, on one axis; gradient_j loses what j pulls."""
    total = 0.0
    for j in range(m):
        step = force[j] * (y[j] - here)
        total += step
        gradient[j] -= step
    return total
