"""OPTIMISERS: name -> optimise(evaluate, start, max_iter, tol, on_step) -> OptimiserResult.

`evaluate(A)` gives value and gradient, as a mean over points where the objective is a sum over them;
`on_step(A)` is called after each iteration and raises StopIteration to end the training.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nca_core.optimisers.climb import climbing
from nca_core.optimisers.gradient_ascent import gradient_ascent
from nca_core.optimisers.l_bfgs import lbfgs
from nca_core.optimisers.result import InBatches, OnStep, OptimiserResult, ValueAndGradient
from nca_core.optimisers.scipy_minimise import with_scipy
from nca_core.optimisers.stochastic import stochastic

# Those that ask for value and gradient of all points at each step, and so climb any function.
FULL_BATCH: dict[str, Callable[[ValueAndGradient, np.ndarray, int, float, OnStep], OptimiserResult]] = {
    "l-bfgs": climbing(lbfgs),
    "bfgs": climbing(with_scipy("BFGS")),
    "cg": climbing(with_scipy("CG")),
    "gradient-ascent": gradient_ascent,
}
OPTIMISERS: dict[str, Callable[[InBatches, np.ndarray, int, float, OnStep], OptimiserResult]] = {
    **FULL_BATCH,
    "stochastic": stochastic,
}

__all__ = ["FULL_BATCH", "OPTIMISERS", "OptimiserResult"]
