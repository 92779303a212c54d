"""TrainingRun: one training in one worker thread that can be paused, stepped and stopped at any moment.

Listeners: functions that are called, from any thread, whenever something has changed."""

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training.config import TrainingConfig
from nca_core.training.gate import GATE, Gate, Place
from nca_core.training.nca import train
from nca_core.training.pace import CalmPace
from nca_core.training.problem import Slot, TrainingStopped

_log = logging.getLogger(__name__)


class Listeners:
    """A listener that raises is logged and removed."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[], None]] = []

    def add(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Add a listener; returns a function that unsubscribes."""
        self._listeners.append(listener)
        return lambda: self._remove(listener)

    def notify(self) -> None:
        for listener in list(self._listeners):
            try:
                listener()
            except Exception:
                _log.exception("a listener failed and is not called again")
                self._remove(listener)

    def _remove(self, listener: Callable[[], None]) -> None:
        with suppress(ValueError):
            self._listeners.remove(listener)


# Runs the iterations, in this process or another: called as `run_locally`, in the run's own thread, and returns as
# `train` does. `on_snapshot` is called in that thread, in order; while it does not return, the training is held.
Runner = Callable[..., Trajectory]


def run_locally(owner: "TrainingRun", train: Runner, *given: Any, **options: Any) -> Trajectory:
    return train(*given, **options)


SECONDS_A_START = 1.6  # for the short run of each start that was compared, so that it can be followed
State = Literal["ready", "waiting", "running", "paused", "ended"]
MOST_STEPS = 10.0  # pending at most: a key that is held down sends thirty a second
_AHEAD = 0.9  # of the time that the picture needs
_SILENT = 0.25  # seconds in the queue before the state becomes "waiting"


class TrainingRun:
    """A training with a worker thread of its own; the thread ends with the training or with `stop`.

    sample_weight, held_out, targets: as for `train_problem`.
    train: what trains, with the signature of `nca_core.training.nca.train`.
    initial: the A to start from, (n_components, n_features), in place of `config.initialisation`; or a function that
        finds it in the run's own thread and is given the `slot` to enter around each piece of its work.
    min_interval: least seconds between two snapshots, so that it can be followed; may change during the run. None: as
        long as the picture needs to move there calmly. Unless it is 0, iteration 0 stays longer where short runs led to
        it.
    gate: shared with the other trainings of this process.
    place: runs with the same place take one of the gate's trainings together. None: one alone.
    begin: called first in the run's own thread.
    past: iterations of an earlier run that this one goes on from; it is paused after these, also where there are none.
    runner: runs the iterations, in this process or another; as `run_locally`.
    """

    def __init__(
        self,
        X: np.ndarray,
        y: np.ndarray,
        config: TrainingConfig,
        *,
        sample_weight: np.ndarray | None = None,
        train: Callable[..., Trajectory] = train,
        initial: np.ndarray | Callable[[Slot], np.ndarray] | None = None,
        held_out: tuple[np.ndarray, np.ndarray] | None = None,
        targets: np.ndarray | None = None,
        min_interval: float | None = 0.0,
        gate: Gate = GATE,
        place: Place | None = None,
        begin: Callable[[], None] | None = None,
        past: Sequence[Snapshot] | None = None,
        runner: Runner = run_locally,
    ) -> None:
        self._X, self._y, self._held_out, self._targets = X, y, held_out, targets
        self._sample_weight, self._train = sample_weight, train
        self._initial = (past[-1].network or past[-1].transformation) if past else initial
        self.config = config
        self._min_interval, self._until = min_interval, 0.0
        self._calm = CalmPace(X)
        self._since = time.monotonic()  # it last went on
        self._gate = gate
        self._place, self._inside = Place() if place is None else place, False
        self._begin, self._runner = begin, runner
        self.note = ""  # user-facing status of the runner; usually empty
        self._changed = threading.Condition()
        self._snapshots: list[Snapshot] = list(past or ())
        self._before = past[-1] if past else None
        self.state: State = "ready" if past is None else "paused"
        self._allowed: float = 0.0  # iterations that may still be made; infinite while running
        self.stopped = False
        self.ended = self.ended_reason = ""  # as in Trajectory
        self._thread: threading.Thread | None = None
        self._listeners = Listeners()

    # Control

    def start(self) -> None:
        """Start, or resume after a pause."""
        self._allow(float("inf"))

    resume = start

    def pause(self) -> None:
        """Hold after the iteration under way; returns at once."""
        with self._changed:
            if self.state in ("running", "waiting"):
                self._allowed = 0.0
                self._set_state("paused")
        self._listeners.notify()

    def step(self) -> None:
        """Make exactly one iteration, then hold; one more where steps are still to be made."""
        self._allow(1.0)

    def stop(self, timeout: float | None = 5.0) -> None:
        """End the training before its next piece of work; wait for its thread, `timeout` seconds at most."""
        with self._changed:
            self.stopped = True
            if self._thread is None:
                self.set_ended("stopped", self._stopped_at)
            self._changed.notify_all()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout)
        self._listeners.notify()

    # State

    @property
    def _stopped_at(self) -> str:
        """Where a run ended that was stopped before it made an iteration; it may go on from an earlier run's."""
        before = self._before
        return "Stopped before the first iteration." if before is None else f"Stopped at iteration {before.iteration}."

    @property
    def min_interval(self) -> float | None:
        return self._min_interval

    @min_interval.setter
    def min_interval(self, seconds: float | None) -> None:
        with self._changed:
            self._min_interval = seconds
            if seconds is not None:  # what is rested for now ends sooner
                self._until = min(self._until, time.monotonic() + seconds)
            self._changed.notify_all()
        self._listeners.notify()

    @property
    def queue_position(self) -> int:
        """1 for the next training in the queue, 0 for one that is not waiting."""
        return self._gate.trainings.position(self._place) if self._inside else 0

    @property
    def trajectory(self) -> Trajectory:
        with self._changed:
            return Trajectory(tuple(self._snapshots), self.ended, self.ended_reason)

    @property
    def given_start(self) -> np.ndarray | None:
        """The A passed as `initial`, (n_components, n_features), or None."""
        return self._initial if isinstance(self._initial, np.ndarray) else None

    def latest(self) -> Snapshot | None:
        with self._changed:
            return self._snapshots[-1] if self._snapshots else None

    def snapshots_since(self, index: int) -> list[Snapshot]:
        with self._changed:
            return self._snapshots[max(index, 0) :]

    def wait_for(self, count: int, timeout: float | None = None) -> bool:
        """Wait until there are `count` snapshots or the training ended.

        Returns False where `timeout` seconds passed first.
        """
        with self._changed:
            return self._changed.wait_for(lambda: len(self._snapshots) >= count or self.state == "ended", timeout)

    def wait_for_end(self, timeout: float | None = None) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self.state == "ended", timeout)

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call a function, from any thread, at each new snapshot or state; returns one that unsubscribes."""
        return self._listeners.add(listener)

    # The worker

    def set_note(self, note: str) -> None:
        """Set the note; called by a runner."""
        self.note = note
        self._listeners.notify()

    def _allow(self, iterations: float) -> None:
        with self._changed:
            if self.state == "ended" or self.stopped:
                return
            left = self._allowed if math.isfinite(self._allowed) else 0.0
            self._allowed = min(iterations + max(left, 0.0), max(iterations, MOST_STEPS))
            self._set_state("waiting" if self._inside and not self._place.is_set() else "running")
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="nca-training", daemon=True)
                self._thread.start()
        self._listeners.notify()

    def _work(self) -> None:
        try:
            if self._begin is not None:
                self._begin()
            self._take_turn()
            if self.stopped:
                raise TrainingStopped
            done = 0 if self._before is None else self._before.iteration
            end = self._runner(
                self,
                self._train,
                self._X,
                self._y,
                replace(self.config, max_iter=max(1, self.config.max_iter - done)) if done else self.config,
                self._record,
                sample_weight=self._sample_weight,
                held_out=self._held_out,
                targets=self._targets,
                initial=self._initial(self._slot) if callable(self._initial) else self._initial,
                slot=self._slot,
            )
            self.set_ended(end.ended, end.reason)
        except TrainingStopped:
            self.set_ended("stopped", self._stopped_at)
        except ValueError as error:
            self.set_ended("failed", str(error))
        except Exception:
            _log.exception("a training failed")
            self.set_ended("failed", "The training failed by an error in the program; its log has the details.")
        finally:
            self._leave_queue()
            self._listeners.notify()

    @contextmanager
    def _slot(self) -> Iterator[None]:
        """A slot to compute in; raises TrainingStopped after `stop`, so that the end need not wait for an iteration."""
        if self.stopped:
            raise TrainingStopped
        with self._gate.step():
            yield

    def _take_turn(self) -> None:
        """Wait in the queue for a place among the trainings under way."""
        self._gate.trainings.enter(self._place)
        self._inside = True
        if self._place.wait(_SILENT):
            return
        with self._changed:
            if self.state == "running":
                self._set_state("waiting")
        self._listeners.notify()
        while not self._place.wait(0.1) and not self.stopped:
            pass
        with self._changed:
            if self.state == "waiting":
                self._set_state("running")
        self._listeners.notify()

    def _leave_queue(self) -> None:
        if self._inside:
            self._gate.trainings.leave(self._place)
            self._inside = False

    def _record(self, snapshot: Snapshot) -> None:
        if self._before is not None:
            if snapshot.iteration == 0:
                return  # it is the last one of before
            snapshot = snapshot.after(self._before)
        with self._changed:
            self._snapshots.append(snapshot)
            if snapshot.iteration > 0:
                self._allowed -= 1
            if self._allowed <= 0 and self.state == "running":
                self._set_state("paused")
            self._changed.notify_all()
        self._listeners.notify()
        interval, now = self.min_interval, time.monotonic()
        if interval is None:  # the picture must never wait, so what the next iteration may take is not waited for
            interval = max(0.0, _AHEAD * self._calm(snapshot) - (now - self._since))
        if self.min_interval != 0:
            interval += SECONDS_A_START * len(snapshot.starts)
        self._until = now + interval
        self._rest()
        self._since = time.monotonic()
        if self.stopped:
            raise StopIteration

    def _rest(self) -> None:
        """Wait for the pace, and while paused; the place in the queue is free for others meanwhile."""
        while not self.stopped and (self._allowed <= 0 or time.monotonic() < self._until):
            self._leave_queue()
            with self._changed:
                while not self.stopped and (left := self._until - time.monotonic()) > 0:
                    self._changed.wait(left)
                self._changed.wait_for(lambda: self.stopped or self._allowed > 0)
            if not self.stopped:
                self._take_turn()  # and look again: it may have been held while it waited

    def _set_state(self, state: State) -> None:
        self.state = state
        self._changed.notify_all()

    def set_ended(self, ended: str, reason: str) -> None:
        """Set how the run ended; also of a run restored from its past."""
        with self._changed:
            self.ended, self.ended_reason = ended, reason
            self._set_state("ended")
