"""What an evaluation of low-rank MCML costs beside one of NCA: `python -m benchmarks.engine_mcml`."""

from __future__ import annotations

import time

import numpy as np

from nca_core.evaluator import Evaluator
from nca_core.initialisation import start_transformation

N, D, CLASSES, ROUNDS = 100_000, 64, 10, 5


def main() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, N)
    X = rng.normal(size=(N, D)) + 0.8 * rng.normal(size=(CLASSES, D))[y]
    A = start_transformation(X, y, 2, "lda", 0)
    evaluators = {name: Evaluator(X, y, objective=name) for name in ("f", "mcml")}
    seconds: dict[str, list[float]] = {name: [] for name in evaluators}
    for turn in range(ROUNDS + 1):  # the first compiles, and finds which summation is the quickest
        for name, evaluator in evaluators.items():
            began = time.perf_counter()
            summation = evaluator.evaluate(A * (1.0 + 1e-3 * turn)).summation
            if turn:
                seconds[name].append(time.perf_counter() - began)
    nca, mcml = (min(seconds[name]) for name in evaluators)
    print(f"n = {N:,}, D = {D}, 2-D, {summation}: NCA {nca:.3f} s, MCML {mcml:.3f} s, ratio {mcml / nca:.2f}")


if __name__ == "__main__":
    main()
