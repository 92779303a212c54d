"""Time and memory against n, from 10,000 to 1,000,000 rows: one evaluation, a whole training, and the floor.

    python benchmarks/engine_scaling.py [--largest 1000000] [--iterations 60] [--data rings classes]

The floor is the time of the two passes over X alone (A Xᵀ, and a matrix product of the gradient's shape). Each line is
measured in a process of its own, so that the peak memory (above the data and the imports) is its own. The exponent is
the slope of log time against log n, by least squares over the lines.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from common import best_of, classes, heavy, in_a_child, memory_peak, options, reset_memory_peak, rings

DATA: dict[str, Callable[[int], tuple[np.ndarray, np.ndarray]]] = {"rings": rings, "classes": classes, "heavy": heavy}


def measure(data: str, n: int, iterations: int) -> dict[str, float | str]:
    """One line of the table; called in a child process."""
    from nca_core.objectives.evaluator import Evaluator
    from nca_core.training.config import TrainingConfig
    from nca_core.training.nca import train
    from nca_core.training.warm_up import compile_all

    compile_all()
    X, y = DATA[data](n)
    before = reset_memory_peak()
    began = time.perf_counter()
    end = train(X, y, TrainingConfig(max_iter=iterations, tol=0.0), measure_accuracy=False)
    seconds = time.perf_counter() - began
    most = memory_peak()
    evaluator = Evaluator(X, y)
    first, middle, last = (end.snapshots[k] for k in (0, len(end.snapshots) // 2, -1))
    times = []
    for snapshot in (first, middle, last):
        nearby = snapshot.transformation * (1.0 + 1e-9)
        times.append(best_of(1, lambda A=nearby: evaluator.evaluate(A)))
    A, d_Y = last.transformation, np.ones((2, n))
    floor = best_of(3, lambda: (A @ X.T, d_Y @ X))
    return {
        "data": data,
        "n": n,
        "floor": floor,
        "evaluation": float(np.mean(times)),
        "summation": "/".join(dict.fromkeys(snapshot.summation for snapshot in end.snapshots)),
        "training": seconds,
        "iterations": len(end.snapshots) - 1,
        "k_first": first.k_mean_entropy,
        "k_last": last.k_mean_entropy,
        "mean_p": last.mean_p,
        "peak_mb": most - before,
        "data_mb": X.nbytes / 1e6,
    }


def exponent(lines: list[dict], what: str) -> float:
    return float(np.polyfit(np.log([x["n"] for x in lines]), np.log([x[what] for x in lines]), 1)[0])


def main() -> None:
    chosen = options(
        __doc__,
        measure,
        largest=1_000_000,
        iterations=60,
        data={"default": list(DATA), "choices": list(DATA)},
    )
    sizes = [n for n in (10_000, 31_623, 100_000, 316_228, 1_000_000) if n <= chosen.largest]
    print(
        "| data | n | passes over X, s | evaluation, s | training, s | iterations | K̂ | f/n | summation | memory, MB |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---|---:|")
    for data in chosen.data:
        lines = []
        for n in sizes:
            x = in_a_child(__file__, data, n, chosen.iterations)
            lines.append(x)
            print(
                f"| {data} | {n:,} | {x['floor']:.4f} | {x['evaluation']:.3f} | {x['training']:.1f} "
                f"| {x['iterations']} | {x['k_first']:.0f} → {x['k_last']:.1f} | {x['mean_p']:.4f} | {x['summation']} "
                f"| {x['peak_mb']:.0f} (data {x['data_mb']:.0f}) |",
                flush=True,
            )
        if len(lines) > 1:
            print(
                f"| {data} | exponent | {exponent(lines, 'floor'):.2f} | {exponent(lines, 'evaluation'):.2f} "
                f"| {exponent(lines, 'training'):.2f} | | | | | |"
            )


if __name__ == "__main__":
    main()
