"""Recorder: each accepted A becomes a Snapshot."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np

from nca_core.accuracy.accuracies import Accuracies, accuracies_of
from nca_core.accuracy.k_estimate import k_mean_entropy, k_mean_perplexity, rounded_k
from nca_core.evaluator import Evaluation, Evaluator
from nca_core.snapshot import Snapshot, frozen


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
        measured = self._accuracies(A, k) if self.measure_accuracy else Accuracies()
        snapshot = Snapshot(
            iteration=self.count,
            transformation=A,
            objective=at.objective,
            mean_p=at.mean_p,
            gradient_norm=float(np.linalg.norm(np.diag(at.gradient) if self.diagonal else at.gradient)),
            k_mean_entropy=k,
            k_mean_perplexity=k_mean_perplexity(at.entropy),
            accuracy_1nn=measured.leave_one_out_1nn,
            accuracy_knn=measured.leave_one_out_knn,
            held_out_1nn=measured.held_out_1nn,
            held_out_knn=measured.held_out_knn,
            seconds=self.seconds,
            summation=at.summation,
        )
        self.count += 1
        self.on_snapshot(snapshot)

    def _accuracies(self, A: np.ndarray, k: float) -> Accuracies:
        """Of the training points and of the held-out ones, with 1 and round(K̂) neighbours."""
        with self.slot():
            held_out = None if self.held_out is None else (self.held_out[0] @ A.T, self.held_out[1])
            return accuracies_of(self.X @ A.T, self.y, held_out, rounded_k(k), self.seed)
