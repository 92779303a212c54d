"""Best of several starts against one run, and the time of a training against n.

    python benchmarks/engine_training.py [--largest 20000]

Each measurement runs in a process of its own, so that the peak memory (above the data and the imports) is its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def digits() -> tuple[np.ndarray, np.ndarray]:
    from sklearn.datasets import load_digits
    from sklearn.preprocessing import StandardScaler

    X, y = load_digits(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def rings(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Five concentric rings in two dimensions and eight dimensions of noise (D = 10)."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, n)
    angle = rng.uniform(0, 2 * np.pi, n)
    radius = 1.0 + y + rng.normal(0, 0.1, n)
    plane = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)  # (n_samples, 2)
    return np.hstack([plane, rng.normal(0, 2.0, (n, 8))]), y


def measure(what: str, data: str, n: int, max_iter: int) -> dict[str, float]:
    """Seconds, peak MB, objective and iterations of one training; called in a child process."""
    from nca_core import NeighborhoodComponentsAnalysis
    from nca_core.evaluator import Evaluator
    from nca_core.projections.pca import PCA
    from nca_core.training import TrainingConfig, train
    from nca_core.warm_up import compile_all

    X, y = digits() if data == "digits" else rings(n)
    compile_all()
    start = PCA(2).fit(X).transformation
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    if what == "best_of_several":
        config = TrainingConfig(initialisation=what, max_iter=max_iter)
        end = train(X, y, config, measure_accuracy=False)
        A, iterations = end.snapshots[-1].transformation, len(end.snapshots) - 1
    else:
        nca = NeighborhoodComponentsAnalysis(2, init=start, max_iter=max_iter).fit(X, y)
        A, iterations = nca.components_, nca.n_iter_
    seconds = time.perf_counter() - began
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return {
        "seconds": seconds,
        "megabytes": peak,
        "objective": Evaluator(X, y).evaluate(A).objective,
        "iterations": iterations,
        "n": len(X),
    }


def in_a_child(what: str, data: str, n: int, max_iter: int) -> dict[str, float]:
    task = json.dumps([what, data, n, max_iter])
    said = subprocess.run(
        [sys.executable, __file__, "--task", task], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return json.loads(said.stdout.splitlines()[-1])


def show(what: str, name: str, m: dict[str, float]) -> None:
    print(
        f"{name:>14} {m['n']:>8,} {what:>16} {m['seconds']:>8.2f} s {m['megabytes']:>8.0f} MB "
        f"{int(m['iterations']):>4} it  f/n {m['objective'] / m['n']:.4f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=20_000)
    parser.add_argument("--task")
    asked = parser.parse_args()
    if asked.task:
        print(json.dumps(measure(*json.loads(asked.task))))
        return
    print("best of several starts on digits, to max_iter = 100")
    one, several = (in_a_child(what, "digits", 0, 100) for what in ("ours", "best_of_several"))
    show("one run", "digits", one)
    show("best_of_several", "digits", several)
    print(f"{'ratio':>14} time {several['seconds'] / one['seconds']:.2f} x")
    print("\nseconds against n: rings, D = 10, 10 iterations")
    sizes = [n for n in (2_500, 5_000, 10_000, 20_000, 50_000, 100_000, 300_000, 1_000_000) if n <= asked.largest]
    rows = [in_a_child("ours", "rings", n, 10) for n in sizes]
    for m in rows:
        show("ours", "rings", m)
    if len(rows) > 1:
        exponent = np.polyfit(np.log(sizes), np.log([m["seconds"] for m in rows]), 1)[0]
        print(f"fitted exponent {exponent:.2f}")


if __name__ == "__main__":
    main()
