"""Recorder: each accepted A becomes a Snapshot; snapshot_at makes one of what was measured anywhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from nca_core.accuracy.accuracies import Accuracies, accuracies_of
from nca_core.accuracy.k_estimate import k_mean_entropy, k_mean_perplexity, rounded_k
from nca_core.evaluation import Evaluation, EvaluationOfPlaces
from nca_core.evaluator import Evaluator
from nca_core.snapshot import Snapshot, frozen


def snapshot_at(
    iteration: int,
    A: np.ndarray,
    objective: float,
    gradient_norm: float,
    at: Evaluation | EvaluationOfPlaces | None,
    measured: Accuracies,
    seconds: float,
    **more: Any,
) -> Snapshot:
    """A Snapshot of what was measured; `at` is what the sums over neighbours say there, None where nobody asked."""
    nothing = float("nan")
    return Snapshot(
        iteration=iteration,
        transformation=A,
        objective=objective,
        mean_p=nothing if at is None else at.mean_p,
        gradient_norm=gradient_norm,
        k_mean_entropy=nothing if at is None else k_mean_entropy(at.entropy),
        k_mean_perplexity=nothing if at is None else k_mean_perplexity(at.entropy),
        accuracy_1nn=measured.leave_one_out_1nn,
        accuracy_knn=measured.leave_one_out_knn,
        held_out_1nn=measured.held_out_1nn,
        held_out_knn=measured.held_out_knn,
        seconds=seconds,
        summation="dense" if at is None else at.summation,
        **more,
    )


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

    def record(self, transformation: np.ndarray, **more: Any) -> None:
        """Hand on the Snapshot at A, with what else it is to hold."""
        A = frozen(np.array(transformation, dtype=np.float64))
        at = self.evaluate(A)
        measured = self._accuracies(A, k_mean_entropy(at.entropy)) if self.measure_accuracy else Accuracies()
        norm = float(np.linalg.norm(np.diag(at.gradient) if self.diagonal else at.gradient))
        snapshot = snapshot_at(self.count, A, at.objective, norm, at, measured, self.seconds, **more)
        self.count += 1
        self.on_snapshot(snapshot)

    def _accuracies(self, A: np.ndarray, k: float) -> Accuracies:
        """Of the training points and of the held-out ones, with 1 and round(K̂) neighbours."""
        with self.slot():
            held_out = None if self.held_out is None else (self.held_out[0] @ A.T, self.held_out[1])
            return accuracies_of(self.X @ A.T, self.y, held_out, rounded_k(k), self.seed)
