"""The engine against scikit-learn's NCA on digits: one evaluation, and a training from the same start.

    python benchmarks/engine_digits.py

Prints ratios of times measured in turn in one run, and how far the objectives are apart.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.neighbors import NeighborhoodComponentsAnalysis as TheirNCA

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from nca_core.evaluator import Evaluator
from nca_core.initialisation import start_transformation
from nca_core.training import TrainingConfig, train

ROUNDS = 9
ITERATIONS = 30


def seconds(work) -> float:  # type: ignore[no-untyped-def]
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> None:
    X, y = load_digits(return_X_y=True)
    X = (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)
    same_class = y[:, None] == y[None, :]
    theirs = TheirNCA()
    theirs.n_iter_ = 0
    print(f"digits: {X.shape[0]} points, {X.shape[1]} features; medians of {ROUNDS} rounds in turn")
    for d in (2, 3):
        A = start_transformation(X, y, d, "pca", 0)
        ratios, ours_ms = [], []
        apart = 0.0
        for round_number in range(ROUNDS):
            at = A * (1.0 + 1e-3 * round_number)
            evaluator = Evaluator(X, y)
            evaluator.evaluate(at * 0.5)
            theirs_seconds = seconds(lambda at=at: theirs._loss_grad_lbfgs(at.ravel(), X, same_class, -1.0))
            ours_seconds = seconds(lambda at=at, evaluator=evaluator: evaluator.evaluate(at))
            loss = -theirs._loss_grad_lbfgs(at.ravel(), X, same_class, -1.0)[0]
            apart = max(apart, abs(evaluator.evaluate(at).objective - loss) / loss)
            ratios.append(theirs_seconds / ours_seconds)
            ours_ms.append(1e3 * ours_seconds)
        print(
            f"{d}-D evaluation: {statistics.median(ours_ms):.2f} ms, {statistics.median(ratios):.1f} times as fast as "
            f"scikit-learn's (from {min(ratios):.1f} to {max(ratios):.1f}), objectives apart by {apart:.1e} relative"
        )
        start = A
        fitted = TheirNCA(n_components=d, init=start, max_iter=ITERATIONS, tol=1e-5)
        theirs_seconds = seconds(lambda fitted=fitted: fitted.fit(X, y))
        config = TrainingConfig(n_components=d, max_iter=ITERATIONS)
        began = time.perf_counter()
        last = train(X, y, config, initial=start).snapshots[-1]
        ours_seconds = time.perf_counter() - began
        reached = Evaluator(X, y).evaluate(fitted.components_).score
        print(
            f"{d}-D training of {ITERATIONS} iterations: {theirs_seconds / ours_seconds:.1f} times as fast, every "
            f"iteration's accuracies included; f/n {last.score:.4f} against {reached:.4f}"
        )


if __name__ == "__main__":
    main()
