"""The engine against scikit-learn's NCA, or against another checkout: evaluations, trainings and the first call.

    python benchmarks/engine_against_sklearn.py                                  the whole table; scikit-learn is slow
    python benchmarks/engine_against_sklearn.py --largest 1000 --threads 1
    python benchmarks/engine_against_sklearn.py --against ../other --largest-training 2000   trainings of two checkouts

Digits standardised (n = 1,797, D = 64), five rings in two dimensions with eight of noise (D = 10), and Gaussian classes
in D = 50, 100 and 500 with a square A. Each figure is measured in a process of its own, the two engines in turn, and is
the least of the rounds. "to its f" is how many times sooner ours reached the objective that the other ended with.
Raw wine starts from the identity: there eleven equal steps lead scikit-learn to 168.94 and ours to 158.0, by rounding.
Memory is the peak above data and imports. The first call is a fit of iris in a new process after scikit-learn was
imported. The share of trainings that the other ends higher is printed at the end. Against scikit-learn the exit code is
1 where that is more than 5 %, or a line of 100 points or more slower.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from common import ROOT, digits, gauss, in_a_child, memory_peak, options, reset_memory_peak, rings

# (data, n, D, d); n = 0 where the data have a size of their own
SETS = (
    *(("digits", 0, 64, d) for d in (2, 3, 10, 50, 64)),
    *(("rings", n, 10, 2) for n in (20, 100, 500, 1_000, 2_000, 5_000, 10_000, 20_000)),
    *(("rings", n, 10, d) for n in (500, 5_000) for d in (3, 10)),
    ("raw wine", 178, 13, 2),
    *(("gauss", n, D, D) for n, D in ((100, 50), (500, 50), (2_000, 50), (500, 100), (500, 500))),
)
AS_A_RULE = 0.95  # share of trainings in which ours reaches what the other does
SLOWER_MAY_BE = 100  # points below which a line may be slower
ALLOWED = 1e-6  # of the objective: what the last bits of two line searches may make
OURS, SKLEARN, OTHER = "ours", "scikit-learn", "other checkout"


def one_evaluation(engine: str, X: np.ndarray, y: np.ndarray, A: np.ndarray) -> dict[str, Any]:
    from sklearn.neighbors import NeighborhoodComponentsAnalysis as TheirNCA

    from nca_core.objectives.evaluator import Evaluator

    before = reset_memory_peak()
    if engine == OURS:
        evaluator = Evaluator(X, y)
        evaluate = lambda A: evaluator.evaluate(A).objective  # noqa: E731
    else:
        nca = TheirNCA()
        nca.n_iter_ = 0
        same_class = y[:, None] == y[None, :]
        evaluate = lambda A: -nca._loss_grad_lbfgs(A.ravel(), X, same_class, -1.0)[0]  # noqa: E731
    seconds: list[float] = []
    while len(seconds) < 2 or (sum(seconds) < 1.0 and len(seconds) < 30):
        at = A * (1.0 + 1e-3 * len(seconds))  # never a cached A
        began = time.perf_counter()
        evaluate(at)
        seconds.append(time.perf_counter() - began)
    return {"seconds": min(seconds), "megabytes": memory_peak() - before, "objective": evaluate(A)}


def one_training(engine: str, X: np.ndarray, y: np.ndarray, A: np.ndarray, max_iter: int) -> dict[str, Any]:
    if engine == SKLEARN:
        from sklearn.neighbors import NeighborhoodComponentsAnalysis
    else:
        from nca_core import NeighborhoodComponentsAnalysis

    best, before = float("inf"), reset_memory_peak()
    path: list[tuple[float, np.ndarray]] = []
    for _ in range(2):
        found: list[tuple[float, np.ndarray]] = []
        keep = lambda at, _: found.append((time.perf_counter() - began, at.copy()))  # noqa: B023, E731
        nca = NeighborhoodComponentsAnalysis(len(A), init=A, max_iter=max_iter, callback=keep)
        began = time.perf_counter()
        nca.fit(X, y)
        if (seconds := time.perf_counter() - began) < best:
            best, path = seconds, found
    result = {"seconds": best, "megabytes": memory_peak() - before, "count": nca.n_iter_}
    if engine == OTHER:
        return result | {"objective": nca.objective_}
    from nca_core.objectives.evaluator import Evaluator

    evaluator = Evaluator(X, y)
    objectives = [(at, evaluator.evaluate(A.reshape(-1, X.shape[1])).objective) for at, A in path]
    return result | {"objective": evaluator.evaluate(nca.components_).objective, "path": objectives}


def first_call(engine: str) -> dict[str, Any]:
    """Import of the engine and a fit of iris, in a process that has scikit-learn's class already."""
    from sklearn.datasets import load_iris
    from sklearn.neighbors import NeighborhoodComponentsAnalysis

    X, y = load_iris(return_X_y=True)
    began = time.perf_counter()
    if engine != SKLEARN:
        from nca_core import NeighborhoodComponentsAnalysis
    NeighborhoodComponentsAnalysis(2, random_state=0).fit(X, y)
    return {"seconds": time.perf_counter() - began}


def measure(what: str, engine: str, name: str, n: int, D: int, d: int, max_iter: int) -> dict[str, Any]:
    """One figure; called in a child process."""
    if what == "first call":
        return first_call(engine)
    if name == "raw wine":
        from sklearn.datasets import load_wine

        (X, y), A = load_wine(return_X_y=True), np.eye(d, D)
    else:
        X, y = {"digits": digits, "rings": rings, "gauss": lambda n: gauss(n, D)}[name](n)
        X = X - X.mean(axis=0)
        A = np.linalg.svd(X, full_matrices=False)[2][:d]
    if engine != SKLEARN:  # load the compiled loops, as the first fit of a program does
        from nca_core import NeighborhoodComponentsAnalysis

        NeighborhoodComponentsAnalysis(d, init=A, max_iter=1).fit(X, y)
    found = one_evaluation(engine, X, y, A) if what == "evaluation" else one_training(engine, X, y, A, max_iter)
    return found | {"n": len(X)}


def both(
    chosen: argparse.Namespace, what: str, data: tuple[str, int, int, int], threads: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """(ours, the other's), each with the least time of all rounds."""
    best: dict[str, dict[str, Any]] = {}
    for _ in range(chosen.rounds):
        for engine in (OURS, OTHER if chosen.against else SKLEARN):
            tree = chosen.against if engine == OTHER else ROOT
            found = in_a_child(__file__, what, engine, *data, chosen.max_iter, tree=tree, threads=threads)
            if engine not in best or found["seconds"] < best[engine]["seconds"]:
                best[engine] = found
    ours, theirs = best.values()
    return ours, theirs


def line(chosen: argparse.Namespace, what: str, data: tuple[str, int, int, int], threads: int) -> list[str]:
    """Measure and print one line; where ours is behind."""
    ours, theirs = both(chosen, what, data, threads)
    name = f"{data[0]:>8} D = {data[2]:>3} d = {data[3]:>3} n = {ours['n']:>6,}"
    more = ""
    if what == "training":
        enough = theirs["objective"] * (1.0 - ALLOWED)
        took = min((seconds for seconds, reached in ours["path"] if reached >= enough), default=float("inf"))
        sooner = theirs["seconds"] / took
        more = f"   to its f {sooner:>6.1f}   iterations {ours['count']} and {theirs['count']}"
    print(
        f"{name}   {1e3 * ours['seconds']:>9.2f} ms {ours['megabytes']:>6.1f} MB  "
        f"{1e3 * theirs['seconds']:>9.2f} ms {theirs['megabytes']:>7.0f} MB  "
        f"ratio {theirs['seconds'] / ours['seconds']:>7.2f}   "
        f"f/n {ours['objective'] / ours['n']:.6f} and {theirs['objective'] / ours['n']:.6f}{more}",
        flush=True,
    )
    lower = ours["objective"] < theirs["objective"] * (1.0 - ALLOWED)
    slower = ours["seconds"] > theirs["seconds"] and ours["n"] >= SLOWER_MAY_BE
    behind = {"lower": lower, "slower": slower}
    return [f"{how}: {what} {name} {threads} threads" for how, said in behind.items() if said]


def main() -> None:
    chosen = options(
        __doc__,
        measure,
        against={"type": Path, "help": "another checkout instead of scikit-learn"},
        largest={"default": 20_000, "help": "most points of an evaluation"},
        largest_training={"default": 10_000, "help": "most points of a training"},
        data={"default": ["digits", "rings", "raw wine", "gauss"], "choices": ("digits", "rings", "raw wine", "gauss")},
        threads={"default": [1, 2], "help": "of both engines, in turn"},
        max_iter=500,
        rounds=2,
    )
    sets = [data for data in SETS if data[1] <= chosen.largest and data[0] in chosen.data]
    other = OTHER if chosen.against else SKLEARN
    lines: list[list[str]] = []  # of each, where ours is behind
    trainings = [data for data in sets if data[1] <= chosen.largest_training]
    for threads in chosen.threads:
        print(f"{threads} thread{'s' if threads > 1 else ''}; ours, {other}, times as fast")
        ours, theirs = both(chosen, "first call", ("iris", 150, 4, 2), threads)
        print(f"first fit of iris in a new process: {ours['seconds']:.2f} s, {other} {theirs['seconds']:.2f} s")
        if not chosen.against:
            print("one evaluation of objective and gradient")
            lines += [line(chosen, "evaluation", data, threads) for data in sets]
        print(f"a training from PCA, {chosen.max_iter} iterations at most")
        lines += [line(chosen, "training", data, threads) for data in trainings]
    behind = sorted(said for each in lines for said in each)
    count = len(trainings) * len(chosen.threads)
    higher = sum(said.startswith("lower: training") for said in behind) / max(count, 1)
    print("\n".join([f"{other} ends higher in {100 * higher:.1f} % of {count} trainings", *behind]))
    if (higher > 1.0 - AS_A_RULE or any(said.startswith("slower") for said in behind)) and not chosen.against:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
