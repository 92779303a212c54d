"""How a climb ended, and what an optimiser is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

ValueAndGradient = Callable[[np.ndarray], tuple[float, np.ndarray]]
OnStep = Callable[[np.ndarray], None]


@dataclass(frozen=True)
class Ending:
    """`ended` as in Trajectory ("converged", "max_iter", "stopped", "failed") and one plain sentence."""

    ended: str
    reason: str
