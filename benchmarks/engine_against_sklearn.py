"""The engine against scikit-learn's NCA: one evaluation, and a whole training from the same start, time and memory.

    python benchmarks/engine_against_sklearn.py                          the whole table; scikit-learn takes long
    python benchmarks/engine_against_sklearn.py --largest-training 2000  all evaluations, the shorter trainings
    python benchmarks/engine_against_sklearn.py --largest 1000           digits and n = 1,000 alone

Digits standardised (n = 1,797, D = 64), and five rings in two dimensions with eight of noise (D = 10). Each figure is
taken in a process of its own, the two engines in turn, and is the least of the rounds. Memory is the peak above what
the data and the imports take. Ends with an error where the objective we reach is lower than scikit-learn's.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from data_sets import digits, rings
from memory import forget_peak, peak

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

SIZES = (1_000, 2_000, 5_000, 10_000)
ENGINES = ("ours", "scikit-learn")
ALLOWED = 1e-6  # of the objective: what the last bits of two line searches may make


def one_evaluation(engine: str, X: np.ndarray, y: np.ndarray, A: np.ndarray) -> dict[str, float]:
    from sklearn.neighbors import NeighborhoodComponentsAnalysis as TheirNCA

    from nca_core.evaluator import Evaluator

    before = forget_peak()
    if engine == "ours":
        evaluator = Evaluator(X, y)
        evaluate = lambda A: evaluator.evaluate(A).objective  # noqa: E731
    else:
        nca = TheirNCA()
        nca.n_iter_ = 0
        same_class = y[:, None] == y[None, :]
        evaluate = lambda A: -nca._loss_grad_lbfgs(A.ravel(), X, same_class, -1.0)[0]  # noqa: E731
    seconds, spent = [], 0.0
    while len(seconds) < 2 or (spent < 1.0 and len(seconds) < 30):
        at = A * (1.0 + 1e-3 * len(seconds))  # never what is kept already
        began = time.perf_counter()
        evaluate(at)
        seconds.append(time.perf_counter() - began)
        spent += seconds[-1]
    return {
        "seconds": min(seconds),
        "megabytes": peak() - before,
        "objective": evaluate(A),
        "count": len(seconds),
    }


def one_training(engine: str, X: np.ndarray, y: np.ndarray, A: np.ndarray, max_iter: int) -> dict[str, float]:
    from sklearn.neighbors import NeighborhoodComponentsAnalysis as TheirNCA

    from nca_core import NeighborhoodComponentsAnalysis as OurNCA
    from nca_core.evaluator import Evaluator

    nca = (OurNCA if engine == "ours" else TheirNCA)(len(A), init=A, max_iter=max_iter)
    before = forget_peak()
    began = time.perf_counter()
    nca.fit(X, y)
    seconds, most = time.perf_counter() - began, peak()
    return {
        "seconds": seconds,
        "megabytes": most - before,
        "objective": Evaluator(X, y).evaluate(nca.components_).objective,
        "count": nca.n_iter_,
    }


def measure(what: str, engine: str, n: int, d: int, max_iter: int) -> dict[str, float]:
    """One figure; called in a child process. n = 0 is digits."""
    from nca_core.covariance import principal_axes
    from nca_core.warm_up import compile_all

    X, y = rings(n) if n else digits()
    compile_all()
    A = principal_axes(X - X.mean(axis=0), d)
    found = one_evaluation(engine, X, y, A) if what == "evaluation" else one_training(engine, X, y, A, max_iter)
    return found | {"n": len(X)}


def in_a_child(*task: object) -> dict[str, float]:
    said = subprocess.run(
        [sys.executable, __file__, "--task", json.dumps(task)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return json.loads(said.stdout.splitlines()[-1])


def compare(what: str, n: int, d: int, max_iter: int, rounds: int) -> tuple[dict[str, float], dict[str, float]]:
    """(ours, scikit-learn's), each with the least time of all rounds."""
    best: dict[str, dict[str, float]] = {}
    for _ in range(rounds):
        for engine in ENGINES:
            found = in_a_child(what, engine, n, d, max_iter)
            if engine not in best or found["seconds"] < best[engine]["seconds"]:
                best[engine] = found
    return best["ours"], best["scikit-learn"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="most points of an evaluation")
    parser.add_argument("--largest-training", type=int, default=SIZES[-1], help="most points of a training")
    parser.add_argument("--max-iter", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=2, help="of the evaluations; a training is made once")
    parser.add_argument("--task", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.task:
        print(json.dumps(measure(*json.loads(asked.task))))
        return
    sets = [("digits", 0, 2), ("digits", 0, 3), *(("rings", n, 2) for n in SIZES if n <= asked.largest)]
    print("one evaluation of objective and gradient: ours, scikit-learn, how many times as fast")
    for name, n, d in sets:
        ours, theirs = compare("evaluation", n, d, 0, asked.rounds)
        faster = theirs["seconds"] / ours["seconds"]
        apart = abs(ours["objective"] / theirs["objective"] - 1.0)
        print(
            f"{name:>8} {d}-D  n = {ours['n']:>6,}   {1e3 * ours['seconds']:>9.2f} ms {ours['megabytes']:>6.1f} MB  "
            f"{1e3 * theirs['seconds']:>9.1f} ms {theirs['megabytes']:>7.0f} MB  {faster:>8.1f}"
            f"   objectives apart by {apart:.0e}",
            flush=True,
        )
    print(f"\na training from PCA, {asked.max_iter} iterations at most: ours, scikit-learn, how many times as fast")
    lower = []
    for name, n, d in sets:
        if n > asked.largest_training:
            continue
        ours, theirs = compare("training", n, d, asked.max_iter, 1)
        faster = theirs["seconds"] / ours["seconds"]
        if ours["objective"] < theirs["objective"] * (1.0 - ALLOWED):
            lower.append(f"{name} {d}-D n = {ours['n']:,}")
        print(
            f"{name:>8} {d}-D  n = {ours['n']:>6,}   {ours['seconds']:>8.2f} s {ours['megabytes']:>6.1f} MB "
            f"{ours['count']:>3.0f} it  {theirs['seconds']:>8.1f} s {theirs['megabytes']:>7.0f} MB "
            f"{theirs['count']:>3.0f} it  {faster:>8.1f}   f/n {ours['objective'] / ours['n']:.6f} "
            f"against {theirs['objective'] / theirs['n']:.6f}",
            flush=True,
        )
    if lower:
        raise SystemExit("lower than scikit-learn's: " + "; ".join(lower))


if __name__ == "__main__":
    main()
