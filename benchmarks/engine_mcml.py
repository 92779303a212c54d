"""What an evaluation of low-rank MCML costs beside one of NCA: `python benchmarks/engine_mcml.py [--rows 100000]`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from nca_core.evaluator import Evaluator
from nca_core.initialisation import start_transformation

D, CLASSES, ROUNDS = 64, 10, 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    n = parser.parse_args().rows
    rng = np.random.default_rng(0)
    y = rng.integers(0, CLASSES, n)
    X = rng.normal(size=(n, D)) + 0.8 * rng.normal(size=(CLASSES, D))[y]
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
    print(f"n = {n:,}, D = {D}, 2-D, {summation}: NCA {nca:.3f} s, MCML {mcml:.3f} s, ratio {mcml / nca:.2f}")


if __name__ == "__main__":
    main()
