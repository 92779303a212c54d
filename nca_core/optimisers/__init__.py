"""OPTIMISERS: name -> optimise(evaluate, start, max_iter, tol, on_step) -> OptimiserResult.

`evaluate(A)` gives value and gradient, as a mean over points where the objective is a sum over them;
`on_step(A)` is called after each iteration; what it raises to end the training passes through.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nca_core.optimisers.ascent import gradient_ascent, stochastic
from nca_core.optimisers.climb import InBatches, OnStep, OptimiserResult, ValueAndGradient, with_scipy

# Those that ask for value and gradient of all points at each step, and so climb any function.
FULL_BATCH: dict[str, Callable[[ValueAndGradient, np.ndarray, int, float, OnStep], OptimiserResult]] = {
    "l-bfgs": with_scipy("L-BFGS-B"),
    "bfgs": with_scipy("BFGS"),
    "cg": with_scipy("CG"),
    "gradient-ascent": gradient_ascent,
}
OPTIMISERS: dict[str, Callable[[InBatches, np.ndarray, int, float, OnStep], OptimiserResult]] = {
    **FULL_BATCH,
    "stochastic": stochastic,
}

__all__ = ["FULL_BATCH", "OPTIMISERS", "OptimiserResult"]
