"""Time and memory against n, from 10,000 to 1,000,000 rows: one evaluation, a whole training, and the floor.

    python benchmarks/engine_scaling.py [--largest 1000000] [--iterations 60] [--data rings classes]

The floor is the time of the two passes over X alone (A Xᵀ, and a matrix product of the gradient's shape). Each line is
measured in a process of its own, so that the peak memory (above the data and the imports) is its own. The exponent is
the slope of log time against log n, by least squares over the lines.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def rings(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Five concentric rings in two dimensions and eight dimensions of noise (D = 10)."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, n)
    angle = rng.uniform(0, 2 * np.pi, n)
    radius = 1.0 + y + rng.normal(0, 0.1, n)
    plane = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)  # (n_samples, 2)
    return np.hstack([plane, rng.normal(0, 2.0, (n, 8))]), y


def classes(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Ten overlapping classes in D = 64, each a Gaussian whose spread has ten main directions of its own."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, n)
    X = rng.normal(0, 1.0, (n, 64))
    for code in range(10):
        members = np.flatnonzero(y == code)
        directions = rng.normal(0, 0.25, (10, 64))
        X[members] += rng.normal(size=(len(members), 10)) @ directions + rng.normal(0, 0.5, 64)
    return X, y


DATA: dict[str, Callable[[int], tuple[np.ndarray, np.ndarray]]] = {"rings": rings, "classes": classes}


def best_of(repetitions: int, work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(repetitions):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def measure(data: str, n: int, iterations: int) -> dict[str, float | str]:
    """One line of the table; called in a child process."""
    from nca_core.evaluator import Evaluator
    from nca_core.training import TrainingConfig, train
    from nca_core.warm_up import compile_all

    compile_all()
    X, y = DATA[data](n)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    end = train(X, y, TrainingConfig(max_iter=iterations, tol=0.0), measure_accuracy=False)
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    evaluator = Evaluator(X, y)
    first, middle, last = (end.snapshots[k] for k in (0, len(end.snapshots) // 2, -1))
    times = []
    for snapshot in (first, middle, last):
        nearby = snapshot.transformation * (1.0 + 1e-9)
        times.append(best_of(1, lambda A=nearby: evaluator.evaluate(A)))
    A, by_Y = last.transformation, np.ones((2, n))
    floor = best_of(3, lambda: (A @ X.T, by_Y @ X))
    return {
        "data": data,
        "n": n,
        "floor": floor,
        "evaluation": float(np.mean(times)),
        "ways": "/".join(dict.fromkeys(snapshot.sums for snapshot in end.snapshots)),
        "training": seconds,
        "iterations": len(end.snapshots) - 1,
        "k_first": first.k_mean_entropy,
        "k_last": last.k_mean_entropy,
        "score": last.score,
        "peak_mb": (peak - before) / 1024,
        "data_mb": X.nbytes / 1e6,
    }


def in_a_child(data: str, n: int, iterations: int) -> dict[str, float | str]:
    code = (
        f"import sys, json; sys.path.insert(0, {str(ROOT / 'benchmarks')!r}); import engine_scaling as b; "
        f"print(json.dumps(b.measure({data!r}, {n}, {iterations})))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(found.stdout.splitlines()[-1])


def exponent(lines: list[dict], what: str) -> float:
    return float(np.polyfit(np.log([x["n"] for x in lines]), np.log([x[what] for x in lines]), 1)[0])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--largest", type=int, default=1_000_000)
    options.add_argument("--iterations", type=int, default=60)
    options.add_argument("--data", nargs="+", choices=list(DATA), default=list(DATA))
    chosen = options.parse_args()
    sizes = [n for n in (10_000, 31_623, 100_000, 316_228, 1_000_000) if n <= chosen.largest]
    print("| data | n | passes over X, s | evaluation, s | training, s | iterations | K̂ | f/n | ways | memory, MB |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---|---:|")
    for data in chosen.data:
        lines = []
        for n in sizes:
            x = in_a_child(data, n, chosen.iterations)
            lines.append(x)
            print(
                f"| {data} | {n:,} | {x['floor']:.4f} | {x['evaluation']:.3f} | {x['training']:.1f} "
                f"| {x['iterations']} | {x['k_first']:.0f} → {x['k_last']:.1f} | {x['score']:.4f} | {x['ways']} "
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
