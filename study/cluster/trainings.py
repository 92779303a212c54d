"""TrainingsThere: the iterations of a training on a worker, its snapshots here; a lost worker costs time only."""

from __future__ import annotations

import contextlib
import pickle
import queue
import threading
import time
import uuid
from asyncio import CancelledError
from collections.abc import Callable
from typing import Any

import numpy as np
from distributed import Future, Queue

from nca_core.snapshot import Snapshot, Trajectory, frozen
from nca_core.training_config import TrainingConfig
from nca_core.where import Owner, Slot, here
from study.cluster.connection import Connection, Unreachable, lost, result_of
from study.cluster.on_worker import Told, train_there

_LOOK = 0.2  # seconds between two looks at whether it was stopped
_LOOK_AT_END = 0.01  # the same after the last snapshot
_PATIENCE = 3.0  # seconds of silence after which one looks whether there is a worker at all
_SAID = 0.05  # seconds between two messages of what was taken, while more waits to be taken
GOES_ON_HERE = "This training goes on here."


class TrainingsThere:
    """A `nca_core.where.Where`: on the workers of a connection, or here with a sentence where there are none.

    A training whose worker is lost begins again on another one from the same start, and comes by the same iterations:
    those that were shown are not shown again.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __call__(
        self,
        owner: Owner,
        train: Callable[..., Trajectory],
        X: np.ndarray,
        y: np.ndarray,
        config: TrainingConfig,
        on_snapshot: Callable[[Snapshot], None],
        *,
        slot: Slot,
        **options: Any,
    ) -> Trajectory:
        news = _News(on_snapshot)
        try:
            with self._connection.place() as place:
                following = _Following(self._connection, owner, news)
                return following.carry_out(place, train, X, y, config, options)
        except Unreachable as problem:
            if owner.stopped:
                return _STOPPED
            owner.say(f"{problem} {GOES_ON_HERE}")
        return here(owner, train, X, y, config, news, slot=slot, **options)


_STOPPED = Trajectory((), "stopped", "Stopped.")


class _News:
    """Hands on each iteration once, though the training come by it again."""

    def __init__(self, on_snapshot: Callable[[Snapshot], None]) -> None:
        self._on_snapshot = on_snapshot
        self.shown = 0

    def __call__(self, snapshot: Snapshot) -> None:
        if snapshot.iteration >= self.shown:
            self.shown = snapshot.iteration + 1
            self._on_snapshot(snapshot)


class _Following:
    """One training on a worker."""

    def __init__(self, connection: Connection, owner: Owner, news: _News) -> None:
        self._connection, self._owner, self._news = connection, owner, news
        self._client = connection.client()
        self._channel = f"nca-{uuid.uuid4().hex}"
        self._came: queue.SimpleQueue[Told | None] = queue.SimpleQueue()
        self._attempt: str = ""
        self._worker = ""
        self._down: Queue | None = None
        self._taken, self._told, self._said = 0, 0, 0.0

    def carry_out(
        self,
        place: dict[str, object],
        train: Callable[..., Trajectory],
        X: np.ndarray,
        y: np.ndarray,
        config: TrainingConfig,
        options: dict[str, Any],
    ) -> Trajectory:
        future = up = None
        try:
            up = Queue(self._channel, client=self._client)
            threading.Thread(target=self._hear, args=(up,), name="nca-from-worker", daemon=True).start()
            future = self._client.submit(
                train_there, train, X, y, config, self._channel, options, pure=False, priority=10, **place
            )
            return self._follow(future)
        except (Exception, CancelledError) as error:
            if isinstance(error, Unreachable) or not lost(self._client, error):
                raise
            raise Unreachable(self._connection.gone) from None
        finally:
            with contextlib.suppress(Exception):
                if future is not None and not future.done():
                    future.cancel()
                if up is not None:
                    up.put(b"")
                    up.close()
                if self._down is not None:
                    self._down.close()

    def _hear(self, up: Queue) -> None:
        try:
            while message := up.get():
                self._came.put(pickle.loads(message))
        except Exception:  # the scheduler is gone, which the training's own thread is told
            self._came.put(None)

    def _follow(self, future: Future) -> Trajectory:
        silent_since, ended = time.monotonic(), False
        while True:
            if self._owner.stopped:
                return _STOPPED
            try:
                told = self._came.get(timeout=_LOOK_AT_END if ended else _LOOK)
            except queue.Empty:
                if (ended and future.done()) or future.status in ("error", "cancelled", "lost"):
                    end: Trajectory = result_of(future)
                    return end
                self._say_taken()
                if time.monotonic() - silent_since > _PATIENCE:
                    silent_since = time.monotonic()
                    self._look_for_workers()
                continue
            silent_since = time.monotonic()
            if told is None:
                raise Unreachable(self._connection.gone)
            if told.attempt != self._attempt:
                self._begin(told)
            try:
                for snapshot in told.snapshots:
                    frozen(snapshot.transformation)
                    self._news(snapshot)
                    self._taken += 1
                    if time.monotonic() - self._said > _SAID:
                        self._say_taken()
            except StopIteration:
                return _STOPPED
            ended = told.ended  # its worker may be lost all the same before it has said how
            if self._came.empty():
                self._say_taken()

    def _begin(self, told: Told) -> None:
        """A worker has begun, perhaps in the place of another one."""
        if self._attempt:
            self._owner.say(
                f"The Dask worker at {self._worker} was lost at iteration {max(0, self._news.shown - 1)}; the training "
                f"was begun again at {told.worker} and goes on."
            )
        self._attempt, self._worker = told.attempt, told.worker
        self._taken = self._told = 0
        self._down = Queue(told.attempt, client=self._client)

    def _say_taken(self) -> None:
        if self._down is not None and self._taken > self._told:
            self._down.put(self._taken)
            self._told, self._said = self._taken, time.monotonic()

    def _look_for_workers(self) -> None:
        if self._client.status != "running":
            raise Unreachable(self._connection.gone)
        if not self._connection.threads():
            self._owner.say(
                f"The Dask cluster at {self._connection.address} has no worker; this training waits for one."
            )
