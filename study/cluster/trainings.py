"""Train on workers and show the snapshots here; a lost worker costs time only."""

import contextlib
import pickle
import time
import uuid
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
from distributed import Client, Queue

from nca_core.snapshot import Snapshot, Trajectory, frozen
from nca_core.training.config import TrainingConfig
from nca_core.training.run import Slot, TrainingRun, run_locally
from study.cluster.connection import Connection, Unreachable, task_result
from study.cluster.on_worker import Message, run_training

_POLL = 0.03  # seconds between two checks for snapshots
_PATIENCE = 3.0  # seconds of silence before checking that there are workers
RUNS_HERE = "This training continues on this server."
_STOPPED = Trajectory((), "stopped", "Stopped.")


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
            time.sleep(_POLL)


def _quietly(close: Callable[[], object]) -> None:
    with contextlib.suppress(Exception):
        close()
