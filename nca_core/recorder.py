"""Recorder: each accepted A becomes a Snapshot."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np

from nca_core.accuracy.evaluation import Neighbourhood
from nca_core.accuracy.k_estimate import k_mean_entropy, k_mean_perplexity
from nca_core.evaluator import Evaluation, Evaluator
from nca_core.snapshot import Snapshot, frozen

_ACCURACY_QUERIES = 2_000


class Recorder:
    """Turns each accepted A into a Snapshot and hands it on."""

    def __init__(
        self,
        evaluator: Evaluator,
        X: np.ndarray,
        y: np.ndarray,
        held_out: tuple[np.ndarray, np.ndarray] | None,
        seed: int,
        on_snapshot: Callable[[Snapshot], None],
        slot: Callable[[], AbstractContextManager[object]],
        measure_accuracy: bool,
        diagonal: bool,
    ) -> None:
        self.evaluator, self.X, self.y, self.held_out, self.seed = evaluator, X, y, held_out, seed
        self.on_snapshot, self.slot, self.measure_accuracy = on_snapshot, slot, measure_accuracy
        self.diagonal = diagonal
        self.count = 0
        self.seconds = 0.0

    def evaluate(self, transformation: np.ndarray) -> Evaluation:
        with self.slot():
            began = time.perf_counter()
            evaluation = self.evaluator.evaluate(transformation)
            self.seconds += time.perf_counter() - began
        return evaluation

    def record(self, transformation: np.ndarray) -> None:
        A = frozen(np.array(transformation, dtype=np.float64))
        at = self.evaluate(A)
        k = k_mean_entropy(at.entropy)
        accuracies = self.accuracies(A, k) if self.measure_accuracy else (float("nan"),) * 4
        snapshot = Snapshot(
            iteration=self.count,
            transformation=A,
            objective=at.objective,
            mean_p=at.mean_p,
            gradient_norm=float(np.linalg.norm(np.diag(at.gradient) if self.diagonal else at.gradient)),
            k_mean_entropy=k,
            k_mean_perplexity=k_mean_perplexity(at.entropy),
            accuracy_1nn=accuracies[0],
            accuracy_knn=accuracies[1],
            held_out_1nn=accuracies[2],
            held_out_knn=accuracies[3],
            seconds=self.seconds,
            summation=at.summation,
        )
        self.count += 1
        self.on_snapshot(snapshot)

    def accuracies(self, A: np.ndarray, k: float) -> tuple[float, float, float, float]:
        """Leave-one-out with 1 and round(K̂) neighbours, held-out with the same."""
        ks = (1, max(1, round(k)))
        with self.slot():
            points = Neighbourhood(self.X @ A.T, self.y, max_queries=_ACCURACY_QUERIES, random_state=self.seed)
            one, several = points.leave_one_out(ks)
            if self.held_out is None or not len(self.held_out[0]):
                return one, several, float("nan"), float("nan")
            X_test, y_test = self.held_out
            held_one, held_several = points.held_out(X_test @ A.T, y_test, ks)
        return one, several, held_one, held_several
