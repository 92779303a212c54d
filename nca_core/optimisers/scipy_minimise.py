"""BFGS and conjugate gradients, as scipy has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from nca_core.optimisers.climb import Climbed, Method, OnClimbed
from nca_core.optimisers.result import ValueAndGradient

_NO_STEP = 2  # scipy's status where a line search finds no step


def with_scipy(name: str) -> Method:
    """The method of that name in scipy, to climb by."""

    def climb(
        evaluate: ValueAndGradient, start: np.ndarray, unit: float, max_iter: int, on_climbed: OnClimbed
    ) -> Climbed:
        from scipy.optimize import minimize

        n = evaluate.n_samples

        def sized(flat: np.ndarray) -> np.ndarray:
            return flat.reshape(start.shape) * unit

        def descend(flat: np.ndarray) -> tuple[float, np.ndarray]:
            value, gradient = evaluate(sized(flat))
            return -n * value, -n * unit * gradient.ravel()

        def callback(intermediate_result) -> None:  # type: ignore[no-untyped-def]
            on_climbed(sized(intermediate_result.x), -float(intermediate_result.fun) / n)

        options = {"maxiter": max_iter, "gtol": 0.0}
        minimise: Any = minimize  # its stubs cannot say "jac=True with a method from a table"
        result = minimise(descend, start.ravel() / unit, jac=True, method=name, callback=callback, options=options)
        end = "the gradient is zero" if result.success else result.message
        return Climbed(sized(result.x), result.nit, "no step" if result.status == _NO_STEP else end)

    return climb
