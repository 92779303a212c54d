"""The engine against scikit-learn's NCA: one evaluation, a whole training from the same start, and the first call.

    python benchmarks/engine_against_sklearn.py                          the whole table; scikit-learn takes long
    python benchmarks/engine_against_sklearn.py --largest-training 2000  all evaluations, the shorter trainings
    python benchmarks/engine_against_sklearn.py --largest 1000 --threads 1      one thread only

Digits standardised (n = 1,797, D = 64), five rings in two dimensions with eight of noise (D = 10), and Gaussian classes
in D = 50, 100 and 500 with a square A. Each figure is taken in a process of its own, the two engines in turn, and is
the least of the rounds; a training of less than five seconds is made again in that process. "products" is what the
matrix products alone take that both engines make of a square A: X Aᵀ, Y Yᵀ, F Y, and that with X. "to its f" is how
many times sooner our climb had reached what scikit-learn's ended with: ours goes on. Memory is the peak above what the
data and the imports take. The first call is a fit of iris in a new process, after scikit-learn is imported. Ends with
an error where the objective we reach is lower than scikit-learn's, or where a line with 100 points or more is slower.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from data_sets import digits, rings
from memory import forget_peak, peak

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

# (data, n, D, d); n = 0 where the data have a size of their own
SETS = (
    *(("digits", 0, 64, d) for d in (2, 3, 10, 50, 64)),
    *(("rings", n, 10, 2) for n in (20, 100, 500, 1_000, 2_000, 5_000, 10_000, 20_000)),
    *(("rings", n, 10, d) for n in (500, 5_000) for d in (3, 10)),
    *(("gauss", n, D, D) for n, D in ((100, 50), (500, 50), (2_000, 50), (500, 100), (500, 500))),
)
SLOWER_MAY_BE = 100  # points below which a line may be slower
ENGINES = ("ours", "scikit-learn")
ALLOWED = 1e-6  # of the objective: what the last bits of two line searches may make


def one_evaluation(engine: str, X: np.ndarray, y: np.ndarray, A: np.ndarray) -> dict[str, Any]:
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


def one_training(engine: str, X: np.ndarray, y: np.ndarray, A: np.ndarray, max_iter: int) -> dict[str, Any]:
    from sklearn.neighbors import NeighborhoodComponentsAnalysis as TheirNCA

    from nca_core import NeighborhoodComponentsAnalysis as OurNCA
    from nca_core.evaluator import Evaluator

    best, spent, before = float("inf"), 0.0, forget_peak()
    path: list[tuple[float, np.ndarray]] = []
    again = False
    while spent < 2.0 or (not again and spent < 5.0):  # again, as an evaluation: the first call is told by itself
        again = spent > 0.0
        found: list[tuple[float, np.ndarray]] = []
        keep = lambda at, _: found.append((time.perf_counter() - began, at.copy()))  # noqa: B023, E731
        nca = (OurNCA if engine == "ours" else TheirNCA)(len(A), init=A, max_iter=max_iter, callback=keep)
        began = time.perf_counter()
        nca.fit(X, y)
        seconds = time.perf_counter() - began
        spent += seconds
        if seconds < best:
            best, path = seconds, found
    most = peak()
    evaluator = Evaluator(X, y)
    return {
        "seconds": best,
        "megabytes": most - before,
        "objective": evaluator.evaluate(nca.components_).objective,
        "count": nca.n_iter_,
        "path": [(at, evaluator.evaluate(A.reshape(-1, X.shape[1])).objective) for at, A in path],
    }


def products(X: np.ndarray, A: np.ndarray) -> dict[str, Any]:
    """The matrix products of an evaluation alone, as numpy makes them."""
    Y, best = X @ A.T, float("inf")
    forces = Y @ Y.T
    for _ in range(30):
        began = time.perf_counter()
        np.matmul(X, A.T, out=Y)
        np.matmul(Y, Y.T, out=forces)  # symmetric: half a product
        (forces @ Y).T @ X
        best = min(best, time.perf_counter() - began)
    return {"seconds": best}


def seconds_to(objective: float, of: dict[str, Any]) -> float:
    """When a climb had reached so much, but for the last bits; infinite where it never did."""
    return min((at for at, reached in of["path"] if reached >= objective * (1.0 - ALLOWED)), default=float("inf"))


def gauss(n: int, D: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 5, n)
    return 0.3 * (rng.normal(size=(n, D)) + rng.normal(0, 0.3, (5, D))[y]), y


def first_call(engine: str) -> dict[str, Any]:
    """Import of the engine and a fit of iris, in a process that has scikit-learn's class already."""
    from sklearn.datasets import load_iris
    from sklearn.neighbors import NeighborhoodComponentsAnalysis

    X, y = load_iris(return_X_y=True)
    began = time.perf_counter()
    if engine == "ours":
        from nca_core import NeighborhoodComponentsAnalysis
    NeighborhoodComponentsAnalysis(2, random_state=0).fit(X, y)
    return {"seconds": time.perf_counter() - began}


def measure(what: str, engine: str, name: str, n: int, D: int, d: int, max_iter: int) -> dict[str, Any]:
    """One figure; called in a child process."""
    if what == "first call":
        return first_call(engine)
    from nca_core.covariance import principal_axes

    X, y = {"digits": digits, "rings": lambda: rings(n), "gauss": lambda: gauss(n, D)}[name]()
    A = principal_axes(X - X.mean(axis=0), d)
    if what == "products":
        return products(X - X.mean(axis=0), A)
    if engine == "ours":  # loads the loops that are needed, as the first fit of a program does
        from nca_core.evaluator import Evaluator

        Evaluator(X, y).evaluate(A)
    found = one_evaluation(engine, X, y, A) if what == "evaluation" else one_training(engine, X, y, A, max_iter)
    return found | {"n": len(X)}


def in_a_child(threads: int | None, *task: object) -> dict[str, Any]:
    limit = {} if threads is None else dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))
    said = subprocess.run(
        [sys.executable, __file__, "--task", json.dumps(task)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, **limit},
    )
    return json.loads(said.stdout.splitlines()[-1])


def compare(
    what: str, data: tuple[str, int, int, int], max_iter: int, rounds: int, threads: int | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """(ours, scikit-learn's), each with the least time of all rounds."""
    best: dict[str, dict[str, Any]] = {}
    for _ in range(rounds):
        for engine in ENGINES:
            found = in_a_child(threads, what, engine, *data, max_iter)
            if engine not in best or found["seconds"] < best[engine]["seconds"]:
                best[engine] = found
    return best["ours"], best["scikit-learn"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=20_000, help="most points of an evaluation")
    parser.add_argument("--largest-training", type=int, default=10_000, help="most points of a training")
    parser.add_argument("--data", nargs="+", choices=("digits", "rings", "gauss"), default=["digits", "rings", "gauss"])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="of both engines, in turn")
    parser.add_argument("--max-iter", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=2, help="of the evaluations; a training is made once")
    parser.add_argument("--task", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.task:
        print(json.dumps(measure(*json.loads(asked.task))))
        return
    sets = [data for data in SETS if data[1] <= asked.largest and data[0] in asked.data]
    lower: list[str] = []
    slower: list[str] = []
    for threads in asked.threads:
        print(f"{threads} thread{'s' if threads > 1 else ''}\n")
        compare_all(asked, sets, threads, lower, slower)
    if lower or slower:
        raise SystemExit("\n".join([*(f"lower: {line}" for line in lower), *(f"slower: {line}" for line in slower)]))


def compare_all(
    asked: argparse.Namespace, sets: list[tuple[str, int, int, int]], threads: int, lower: list[str], slower: list[str]
) -> None:
    """Print the lines for so many threads; `lower` and `slower` gain those where scikit-learn is ahead."""
    ours, theirs = compare("first call", ("iris", 150, 4, 2), 50, asked.rounds, threads)
    print(f"first fit of iris in a new process: {ours['seconds']:.2f} s, scikit-learn {theirs['seconds']:.2f} s\n")
    print("one evaluation of objective and gradient: ours, scikit-learn, how many times as fast")
    for data in sets:
        ours, theirs = compare("evaluation", data, 0, asked.rounds, threads)
        faster = theirs["seconds"] / ours["seconds"]
        apart = abs(ours["objective"] / theirs["objective"] - 1.0)
        line = f"{data[0]:>8} D = {data[2]:>3} d = {data[3]:>3} n = {ours['n']:>6,}"
        alone = ""
        if data[2] == data[3]:
            alone = f"   products {1e3 * in_a_child(threads, 'products', '', *data, 0)['seconds']:.2f} ms"
        if faster < 1.0 and ours["n"] >= SLOWER_MAY_BE:
            slower.append(f"evaluation {line} {threads} threads")
        print(
            f"{line}   {1e3 * ours['seconds']:>9.2f} ms {ours['megabytes']:>6.1f} MB  "
            f"{1e3 * theirs['seconds']:>9.2f} ms {theirs['megabytes']:>7.0f} MB  {faster:>8.1f}"
            f"   objectives apart by {apart:.0e}{alone}",
            flush=True,
        )
    print(f"\na training from PCA, {asked.max_iter} iterations at most: ours, scikit-learn, how many times as fast")
    for data in sets:
        if data[1] > asked.largest_training:
            continue
        ours, theirs = compare("training", data, asked.max_iter, 1, threads)
        faster = theirs["seconds"] / ours["seconds"]
        line = f"{data[0]:>8} D = {data[2]:>3} d = {data[3]:>3} n = {ours['n']:>6,}"
        sooner = seconds_to(theirs["objective"], ours)
        if ours["objective"] < theirs["objective"] * (1.0 - ALLOWED):
            lower.append(f"training {line} {threads} threads")
        if faster < 1.0 and ours["n"] >= SLOWER_MAY_BE:
            slower.append(f"training {line} {threads} threads")
        print(
            f"{line}   {ours['seconds']:>8.3f} s {ours['megabytes']:>6.1f} MB "
            f"{ours['count']:>3.0f} it  {theirs['seconds']:>8.3f} s {theirs['megabytes']:>7.0f} MB "
            f"{theirs['count']:>3.0f} it  {faster:>8.1f}   to its f {theirs['seconds'] / sooner:>8.1f}   "
            f"f/n {ours['objective'] / ours['n']:.6f} against {theirs['objective'] / theirs['n']:.6f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
