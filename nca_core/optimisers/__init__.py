"""OPTIMISERS: name -> optimise(evaluate, start, max_iter, tol, on_step) -> OptimiserResult.

`evaluate(A)` gives value and gradient, as a mean over points where the objective is a sum over them;
`on_step(A)` is called after each iteration and raises StopIteration to end the training.
"""

from __future__ import annotations

from nca_core.optimisers.gradient_ascent import gradient_ascent
from nca_core.optimisers.result import OptimiserResult
from nca_core.optimisers.scipy_minimise import with_scipy
from nca_core.optimisers.stochastic import stochastic

OPTIMISERS = {
    "l-bfgs": with_scipy("L-BFGS-B"),
    "bfgs": with_scipy("BFGS"),
    "cg": with_scipy("CG"),
    "gradient-ascent": gradient_ascent,
    "stochastic": stochastic,
}

__all__ = ["OPTIMISERS", "OptimiserResult"]
