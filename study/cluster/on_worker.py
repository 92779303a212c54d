"""What a worker does for us: a training whose snapshots it sends and that is held where they are not taken, and pieces.

What is done beside people leaves the worker's pool of threads at once, so that nothing waits for the end of something
long, and takes turns to compute instead, as trainings do in the app's own process.
"""

from __future__ import annotations

import contextlib
import pickle
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from distributed import Queue, get_client, get_worker, secede
from distributed.worker import thread_state

from nca_core.gate import Gate
from nca_core.neighbours.base.threads import at_most
from nca_core.priority import give_way
from nca_core.snapshot import Snapshot, Trajectory
from nca_core.training import TrainingStopped
from nca_core.training_config import TrainingConfig
from nca_core.where import Slot

AHEAD = 0.25  # seconds that a training goes on while its snapshots are not taken
_LOOK = 0.5  # seconds between two looks at whether it is wanted still
_UNWANTED = ("cancelled", "released", "forgotten", "error")


@dataclass(frozen=True)
class Told:
    """What a worker sends.

    Attributes
    ----------
    attempt : str
        Another one where the task was begun again; also the name of the queue on which it hears what was taken.
    worker : str
        Its address.
    snapshots : tuple of Snapshot
        The next ones.
    ended : bool
        They are the last.
    """

    attempt: str
    worker: str
    snapshots: tuple[Snapshot, ...]
    ended: bool


@lru_cache(maxsize=64)
def _gate(worker: str, threads: int) -> Gate:
    return Gate(computing=threads)


class _Turns:
    """Turns to compute on this worker, until the task is not wanted any more; made in the task's own thread."""

    def __init__(self) -> None:
        self._worker, self._key = get_worker(), thread_state.key
        self.address: str = self._worker.address
        self.threads: int = self._worker.state.nthreads
        self._gate = _gate(self.address, self.threads)

    @property
    def unwanted(self) -> bool:
        task = self._worker.state.tasks.get(self._key)
        return task is None or task.state in _UNWANTED or self._worker.status.name != "running"

    @contextlib.contextmanager
    def slot(self) -> Iterator[None]:
        if self.unwanted:
            raise TrainingStopped
        with self._gate.step():
            yield


def train_there(
    train: Callable[..., Trajectory],
    X: np.ndarray,
    y: np.ndarray,
    config: TrainingConfig,
    channel: str,
    options: dict[str, Any],
) -> Trajectory:
    """A training as a task: how it ended, without its snapshots, which went over `channel`."""
    turns = _Turns()
    secede()
    give_way()
    line = _Line(channel, turns)
    try:
        with at_most(turns.threads):
            end = train(X, y, config, line.tell, slot=turns.slot, **options)
    finally:
        line.close(whole=not turns.unwanted)
    return replace(end, snapshots=(), starts=())


def piece_there(work: Callable[[Any, Any, Slot], Any], shared: Any, piece: Any, gives_way: bool) -> Any:
    """A piece of long work as a task; where it `gives_way`, no training has to wait for its end."""
    turns = _Turns()
    if gives_way:
        secede()
        give_way()
    with at_most(turns.threads):
        return work(shared, piece, turns.slot)


class _Line:
    """Sends snapshots beside the training, and holds it where they are not taken."""

    def __init__(self, channel: str, turns: _Turns) -> None:
        client, self._turns = get_client(), turns
        self._attempt = f"{channel}-{uuid.uuid4().hex[:8]}"
        self._up, self._down = Queue(channel, client=client), Queue(self._attempt, client=client)
        self._changed = threading.Condition()
        self._out: list[Snapshot] = []
        self._untaken: deque[float] = deque()  # when they were made
        self._taken = 0
        self._ended = self._whole = False
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._send, self._hear)]
        for thread in self._threads:
            thread.start()

    def tell(self, snapshot: Snapshot) -> None:
        """Send one more; waits while earlier ones are not taken. StopIteration where nobody wants it any more."""
        with self._changed:
            self._out.append(snapshot)
            self._untaken.append(time.monotonic())
            self._changed.notify_all()
            while self._untaken and time.monotonic() - self._untaken[0] > AHEAD and not self._ended:
                if self._turns.unwanted:
                    break
                self._changed.wait(_LOOK)
            if self._ended or self._turns.unwanted:
                raise StopIteration

    def close(self, whole: bool) -> None:
        """Send what is left, and that it is all, where it is the whole training."""
        with self._changed:
            self._ended, self._whole = True, whole
            self._changed.notify_all()
        self._threads[0].join()
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._down.put(-1)
            self._threads[1].join()
            self._up.close()
            self._down.close()

    def _send(self) -> None:
        try:
            ended = False
            while not ended:
                with self._changed:
                    self._changed.wait_for(lambda: self._out or self._ended)
                    snapshots, self._out, ended = tuple(self._out), [], self._ended
                self._up.put(pickle.dumps(Told(self._attempt, self._turns.address, snapshots, ended and self._whole)))
        except Exception:  # the scheduler is gone, or nobody listens
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _hear(self) -> None:
        with contextlib.suppress(Exception):
            while (taken := self._down.get()) >= 0:
                with self._changed:
                    for _ in range(taken - self._taken):
                        self._untaken.popleft()
                    self._taken = taken
                    self._changed.notify_all()
