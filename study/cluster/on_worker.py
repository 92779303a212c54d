"""Tasks of a worker: a training that sends its snapshots, and pieces of long work.

A task leaves the worker's thread pool at once and takes turns to compute, so that a long one blocks no other.
"""

import contextlib
import pickle
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from distributed import Queue, get_client, get_worker, secede
from distributed.worker import thread_state

from nca_core.neighbours.base.threads import at_most
from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training.config import TrainingConfig
from nca_core.training.gate import Gate, lower_priority
from nca_core.training.problem import TrainingStopped
from nca_core.training.run import Slot

AHEAD = 2  # queued messages beyond which a training waits
_TOGETHER = 0.05  # seconds of snapshots in a message
_UNWANTED = ("cancelled", "released", "forgotten", "error")
Message = tuple[str, tuple[Snapshot, ...], Trajectory | None]  # worker's address, next snapshots, how it ended


@lru_cache(maxsize=64)
def _gate(worker: str, threads: int) -> Gate:
    return Gate(computing=threads)


class _Turns:
    """Turns to compute on this worker until the task is cancelled. Create it in the task's own thread."""

    def __init__(self) -> None:
        self._worker, self._key = get_worker(), thread_state.key
        self.address: str = self._worker.address
        self.threads: int = self._worker.state.nthreads
        self._gate = _gate(self.address, self.threads)
        secede()
        lower_priority()

    @property
    def cancelled(self) -> bool:
        task = self._worker.state.tasks.get(self._key)
        return task is None or task.state in _UNWANTED or self._worker.status.name != "running"

    @contextlib.contextmanager
    def slot(self) -> Iterator[None]:
        if self.cancelled:
            raise TrainingStopped
        with self._gate.step():
            yield


def run_training(
    channel: str,
    train: Callable[..., Trajectory],
    X: np.ndarray,
    y: np.ndarray,
    config: TrainingConfig,
    options: dict[str, Any],
) -> None:
    """Train as a task; snapshots and the end are sent over the queue `channel`."""
    turns = _Turns()
    sender = _Sender(channel, turns)
    with at_most(turns.threads):
        end = train(X, y, config, sender.add, slot=turns.slot, **options)
    with contextlib.suppress(StopIteration):
        sender.send(replace(end, snapshots=()))


def run_piece(work: Callable[[Any, Any, Slot], Any], shared: Any, piece: Any) -> Any:
    """Carry out a piece of long work as a task."""
    turns = _Turns()
    with at_most(turns.threads):
        return work(shared, piece, turns.slot)


class _Sender:
    """Sends snapshots in batches, and holds the training while earlier messages are not taken."""

    def __init__(self, channel: str, turns: _Turns) -> None:
        self._queue, self._turns = Queue(channel, client=get_client()), turns
        self._snapshots: list[Snapshot] = []
        self._sent = 0.0

    def add(self, snapshot: Snapshot) -> None:
        """Send a snapshot, now or in the next batch; StopIteration after a cancel."""
        self._snapshots.append(snapshot)
        if time.monotonic() - self._sent >= _TOGETHER:
            self.send(None)

    def send(self, end: Trajectory | None) -> None:
        # Waiting in `put` with a timeout would log an error in the scheduler at each timeout.
        while not self._turns.cancelled and self._queue.qsize() >= AHEAD:
            time.sleep(_TOGETHER)
        if self._turns.cancelled:
            raise StopIteration
        message: Message = (self._turns.address, tuple(self._snapshots), end)
        self._queue.put(pickle.dumps(message))
        self._snapshots, self._sent = [], time.monotonic()
