"""Progress: the snapshots of a training that has an objective of its own, beside the sums over neighbours of NCA."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import numpy as np

from nca_core.accuracy.accuracies import Accuracies, accuracies_of
from nca_core.accuracy.k_estimate import k_mean_entropy, rounded_k
from nca_core.evaluator import Evaluator
from nca_core.recorder import snapshot_at
from nca_core.snapshot import Snapshot, append_to, frozen


class Clock:
    """Takes turns to compute, and keeps the time that they took.

    Parameters
    ----------
    slot : callable
        Gives a context to enter around each piece of work.
    """

    def __init__(self, slot: Callable[[], AbstractContextManager[object]]) -> None:
        self._slot = slot
        self.seconds = 0.0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A turn to compute, whose time counts."""
        with self._slot():
            began = time.perf_counter()
            yield
            self.seconds += time.perf_counter() - began


class Progress:
    """Collects snapshots, keeps time and takes turns.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Training rows.
    y : ndarray of shape (n_samples,)
        Their class codes, negative for unlabelled.
    held_out : tuple[ndarray, ndarray] or None
        (X_test, y_test) whose accuracy is measured along.
    random_state : int
        Seed of the accuracy's sample.
    on_snapshot : callable or None
        Called with each Snapshot; raises StopIteration to end the training.
    slot : callable
        Gives a context to enter around each piece of work.
    measure_accuracy : bool
        Without, accuracies, mean p_i and K̂ are NaN.
    keep_path : bool
        Keep all snapshots; without, the first and the last.
    """

    def __init__(
        self,
        X: np.ndarray,
        y: np.ndarray,
        held_out: tuple[np.ndarray, np.ndarray] | None,
        random_state: int,
        on_snapshot: Callable[[Snapshot], None] | None,
        slot: Callable[[], AbstractContextManager[object]],
        measure_accuracy: bool,
        keep_path: bool = True,
    ) -> None:
        self._X, self._y, self._held_out, self._seed = X, y, held_out, random_state
        self._on_snapshot, self._slot, self._measure = on_snapshot, slot, measure_accuracy
        self._neighbours = Evaluator(X, y) if measure_accuracy else None
        self._clock = Clock(slot)
        self._keep_path = keep_path
        self.snapshots: list[Snapshot] = []

    def turn(self) -> AbstractContextManager[None]:
        """A turn to compute, whose time counts."""
        return self._clock.turn()

    def record(
        self, transformation: np.ndarray, objective: float, gradient_norm: float, spectrum: np.ndarray | None = None
    ) -> None:
        """The next snapshot, with mean p_i and K̂ of NCA's neighbours at A = `transformation`, (n_components,
        n_features), which is what is shown; `spectrum` of the metric of which it shows the leading axes."""
        A = frozen(np.array(transformation, dtype=np.float64))
        at, measured = None, Accuracies()
        if self._neighbours is not None:
            with self._slot():
                at = self._neighbours.evaluate(A)
                held_out = None if self._held_out is None else (self._held_out[0] @ A.T, self._held_out[1])
                k = rounded_k(k_mean_entropy(at.entropy))
                measured = accuracies_of(self._X @ A.T, self._y, held_out, k, self._seed)
        seconds, count = self._clock.seconds, self.snapshots[-1].iteration + 1 if self.snapshots else 0
        snapshot = snapshot_at(count, A, objective, gradient_norm, at, measured, seconds, spectrum=spectrum)
        append_to(self.snapshots, snapshot, self._keep_path)
        if self._on_snapshot is not None:
            self._on_snapshot(snapshot)

    def finished_at(self, transformation: np.ndarray) -> bool:
        """Record a start that nothing can be learnt from; whether the training was stopped meanwhile."""
        try:
            self.record(transformation, 0.0, 0.0)
        except StopIteration:
            return True
        return False
