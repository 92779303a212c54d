"""Trainings and long work on the workers of a Dask cluster; what a lost worker held is computed again by another.

A task leaves the worker's thread pool at once and takes turns to compute, so that a long one blocks no other.
"""

import contextlib
import pickle
import time
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from distributed import Client, Future, Queue, get_client, get_worker, secede, wait
from distributed.worker import thread_state

from nca_core.neighbours.base.threads import at_most
from nca_core.snapshot import Snapshot, Trajectory, frozen
from nca_core.training.config import TrainingConfig
from nca_core.training.gate import Gate, lower_priority
from nca_core.training.problem import TrainingStopped
from nca_core.training.run import Slot, TrainingRun, run_locally
from study.cluster.connection import Connection, Unreachable, task_result
from study.pieces import Inputs, PieceResults, Work, in_turn

AHEAD = 2  # queued messages beyond which a training waits
RUNS_HERE = "This training continues on this server."
_TOGETHER = 0.05  # seconds of snapshots in a message
_UNWANTED = ("cancelled", "released", "forgotten", "error")
_LOOK = 0.03  # seconds between two checks for snapshots
_PATIENCE = 3.0  # seconds of silence before checking that there are workers
_POLL = 0.2  # seconds between two checks for a cancel
_RETRIES = 10  # of a piece whose worker is lost
_STOPPED = Trajectory((), "stopped", "Stopped.")
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


def train_on_worker(
    connection: Connection,
    owner: TrainingRun,
    train: Callable[..., Trajectory],
    X: np.ndarray,
    y: np.ndarray,
    config: TrainingConfig,
    on_snapshot: Callable[[Snapshot], None],
    *,
    slot: Slot,
    **options: Any,
) -> Trajectory:
    """A `nca_core.training.run.Runner` on a worker of a connection; without workers it trains here and says so.

    A training whose worker is lost restarts on another from the same start and repeats the same iterations; those
    already shown are skipped.
    """
    shown = -1

    def show(snapshot: Snapshot) -> None:
        nonlocal shown
        if snapshot.iteration > shown:
            shown = snapshot.iteration
            on_snapshot(snapshot)

    worker = ""
    try:
        with (
            connection.use() as client,
            contextlib.closing(_messages(connection, client, owner, train, X, y, config, options)) as messages,
        ):
            for address, snapshots, end in messages:
                if worker and worker != address:
                    owner.set_note(
                        f"The Dask worker at {worker} was lost at iteration {max(0, shown)}; the training was "
                        f"begun again at {address} and continues."
                    )
                worker = address
                for snapshot in snapshots:
                    frozen(snapshot.transformation)
                    show(snapshot)
                if end is not None:
                    return end
        return _STOPPED
    except StopIteration:
        return _STOPPED
    except Unreachable as problem:
        if owner.stopped:
            return _STOPPED
        owner.set_note(f"{problem} {RUNS_HERE}")
    return run_locally(owner, train, X, y, config, show, slot=slot, **options)


def _messages(connection: Connection, client: Client, owner: TrainingRun, *task: Any) -> Generator[Message, None, None]:
    """Yield the worker's messages until it has ended or the owner is stopped."""
    channel, ended = f"nca-{uuid.uuid4().hex}", False
    worker, to = connection.reserve()
    with contextlib.ExitStack() as stack:
        stack.callback(connection.release, worker)
        queue = Queue(channel, client=client)
        stack.callback(_quietly, queue.close)
        future = client.submit(run_training, channel, *task, pure=False, priority=10, **to)
        stack.callback(_quietly, future.cancel)
        silent_since = time.monotonic()
        while not owner.stopped:
            came = queue.get(batch=True)
            for message in came:
                yield pickle.loads(message)
            if came:
                silent_since = time.monotonic()
            elif ended:
                raise Unreachable(connection.gone)
            elif future.done():
                task_result(future)  # raises the error of the training
                ended = True  # after one more look for its last message
            elif time.monotonic() - silent_since > _PATIENCE:
                silent_since = time.monotonic()
                if not connection.threads():
                    owner.set_note("The Dask cluster has no worker; this training waits for one.")
            time.sleep(_LOOK)


def _quietly(close: Callable[[], object]) -> None:
    with contextlib.suppress(Exception):
        close()


def spread_on_workers(connection: Connection, work: Work, inputs: Inputs, slot: Slot) -> PieceResults:
    """A `study.pieces.Spread` over the workers of a connection; without workers the rest is done here."""
    left = dict(enumerate(inputs))
    try:
        with contextlib.closing(finished(connection, work, left.values(), slot)) as results:
            for number, result in results:
                del left[number]
                yield number, result
    except Unreachable:
        numbers = list(left)
        for place, result in in_turn(work, left.values(), slot):
            yield numbers[place], result


def finished(connection: Connection, work: Work, inputs: Inputs, slot: Slot) -> PieceResults:
    """Yield (number, result) of ``work(shared, piece, slot)`` for all `inputs`, as they come.

    As many run at once as the workers have threads; each shared object is sent once. `slot` is entered regularly, and
    what it raises ends the work. Raises Unreachable without a scheduler.
    """
    waiting = deque(enumerate(inputs))
    shares: dict[int, Future] = {}
    running: dict[Future, tuple[int, str | None]] = {}  # number and worker
    with connection.use() as client:
        try:
            while waiting or running:
                while waiting and len(running) < max(1, sum(connection.threads().values())):
                    number, (shared, piece) = waiting.popleft()
                    if shared is not None and id(shared) not in shares:
                        # Not scattered: the scheduler can compute again what a lost worker held.
                        shares[id(shared)] = client.submit(_identity, shared, pure=False)
                    there = None if shared is None else shares[id(shared)]
                    worker, to = connection.reserve()
                    future = client.submit(run_piece, work, there, piece, pure=False, retries=_RETRIES, **to)
                    running[future] = number, worker
                with slot():
                    pass
                for future in _done(client, list(running)):
                    number, worker = running.pop(future)
                    connection.release(worker)
                    yield number, task_result(future)
        finally:
            with contextlib.suppress(Exception):
                client.cancel([*running, *shares.values()])
            for _, worker in running.values():
                connection.release(worker)


def _identity(shared: Any) -> Any:
    return shared


def _done(client: Client, running: list[Future]) -> list[Future]:
    """Futures that have ended, after a short wait for the first of them."""
    try:
        with client.as_current():
            return list(wait(running, timeout=_POLL, return_when="FIRST_COMPLETED").done)
    except TimeoutError:
        if client.status != "running":
            raise OSError("the scheduler is gone") from None
        return []
