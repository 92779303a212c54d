"""Best of several starts against one run from PCA on digits in 2-D: time and f/n, in turn, each in its own process.

python benchmarks/engine_best_of_several.py [--rounds 3] [--max-iter 100]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from data_sets import digits

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

STARTS = ("pca", "best_of_several")


def measure(start: str, max_iter: int) -> dict[str, float]:
    """One training; called in a child process."""
    from nca_core.training import TrainingConfig, train
    from nca_core.warm_up import compile_all

    compile_all()
    X, y = digits()
    began = time.perf_counter()
    end = train(X, y, TrainingConfig(initialisation=start, max_iter=max_iter), measure_accuracy=False)
    return {
        "seconds": time.perf_counter() - began,
        "mean_p": end.snapshots[-1].mean_p,
        "iterations": len(end.snapshots) - 1,
    }


def in_a_child(*task: object) -> dict[str, float]:
    said = subprocess.run(
        [sys.executable, __file__, "--task", json.dumps(task)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return json.loads(said.stdout.splitlines()[-1])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--max-iter", type=int, default=100)
    options.add_argument("--task", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.task:
        print(json.dumps(measure(*json.loads(chosen.task))))
        return
    best = {start: float("inf") for start in STARTS}
    for _ in range(chosen.rounds):
        for start in STARTS:
            found = in_a_child(start, chosen.max_iter)
            best[start] = min(best[start], found["seconds"])
            print(
                f"{start:>16} {found['seconds']:>7.2f} s {found['iterations']:>4} iterations  "
                f"f/n {found['mean_p']:.4f}",
                flush=True,
            )
    one, several = (best[start] for start in STARTS)
    print(f"best of several takes {several / one:.2f} times the time of one run (best of {chosen.rounds} each)")


if __name__ == "__main__":
    main()
