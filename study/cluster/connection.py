"""Connection to a running Dask scheduler: found, lost and found again in the background."""

from __future__ import annotations

import contextlib
import importlib
import threading
import time
from collections import Counter
from typing import Any

import dask
from distributed import Client, Future, KilledWorker
from distributed.client import FutureCancelledError
from distributed.diagnostics.plugin import WorkerPlugin

from nca_core.training.warm_up import end_child, warm_up

ANSWERS_WITHIN = 3.0  # seconds that a scheduler has to answer
AGAIN_AFTER = 5.0  # seconds between two attempts to connect
_LARGE = "2GB"  # a task may bring a table along


class Unreachable(ValueError):
    """The cluster cannot do the work; the message says why."""


class Warm(WorkerPlugin):
    """Load and compile on every worker what a training needs."""

    name = "nca-explorer"

    def setup(self, worker: object) -> None:
        threading.Thread(target=_load, name="nca-warm-up", daemon=True).start()

    def teardown(self, worker: object) -> None:
        end_child()


def _load() -> None:
    for name in ("study.cluster.on_worker", "nca_core.methods", "nca_core.accuracy.votes", "study.compare"):
        importlib.import_module(name)
    warm_up()


class Connection:
    """To the scheduler at `address`. Thread-safe; its owner closes it.

    Parameters
    ----------
    address : str
        As Dask writes it, "tcp://host:8786".
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._absent = f"No Dask scheduler answers at {address}."
        self.gone = f"The Dask scheduler at {address} is gone."
        self._lock = threading.Lock()
        self._client: Client | None = None
        self._decided = threading.Event()
        self._connecting: threading.Thread | None = None
        self._tried = 0.0
        self._closed = False
        self._busy: Counter[str | None] = Counter()  # our tasks by worker

    @property
    def problem(self) -> str:
        """Why there are no workers to go to; "" while there may be."""
        client = self._client
        if not self._decided.is_set() or (client is not None and client.status == "running"):
            return ""
        return self._absent

    def connect(self) -> None:
        """Connect in the background, unless connected or tried just now."""
        with self._lock:
            known = self._client is not None and self._client.status == "running"
            if self._closed or known or self._connecting is not None or time.monotonic() - self._tried < AGAIN_AFTER:
                return
            self._connecting = threading.Thread(target=self._open, name="nca-dask", daemon=True)
            self._connecting.start()

    def _open(self) -> None:
        before, self._client = self._client, None
        if before is not None:
            with contextlib.suppress(Exception):
                before.close(timeout=1)
        client = None
        try:
            dask.config.set({"distributed.admin.large-graph-warning-threshold": _LARGE})
            client = Client(self.address, timeout=ANSWERS_WITHIN, set_as_default=False, name="nca-explorer")
            client.register_plugin(Warm())
        except Exception:  # a wrong address or another version may raise anything
            if client is not None:
                client.close(timeout=1)
                client = None
        with self._lock:
            self._client, self._connecting, self._tried = client, None, time.monotonic()
            closed = self._closed
            self._decided.set()
        if closed and client is not None:
            client.close(timeout=1)

    def client(self) -> Client:
        """The client; waits only for the first attempt to connect.

        Raises
        ------
        Unreachable
            Without a scheduler; the next attempt begins.
        """
        self.connect()
        self._decided.wait(ANSWERS_WITHIN + 1)
        client = self._client
        if client is None or client.status != "running":
            self.connect()
            raise Unreachable(self._absent)
        return client

    def threads(self) -> dict[str, int]:
        """How many threads each worker has, by its address."""
        return dict(self.client().nthreads())

    def take(self) -> str | None:
        """The worker with the fewest tasks of ours a thread, which has one more now; None without workers."""
        threads = self.threads()
        with self._lock:
            least = min(threads, key=lambda worker: self._busy[worker] / threads[worker], default=None)
            self._busy[least] += 1
        return least

    def give_back(self, worker: str | None) -> None:
        """Count a task of `take` as ended."""
        with self._lock:
            self._busy[worker] -= 1

    def options(self, worker: str | None) -> dict[str, object]:
        """Send a task there, as options of `Client.submit`."""
        return {} if worker is None else {"workers": [worker], "allow_other_workers": True}

    def close(self) -> None:
        """Disconnect, which cancels our tasks."""
        with self._lock:
            self._closed = True
            client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(Exception):
                client.close(timeout=2)


def lost(client: Client, error: BaseException) -> bool:
    """Whether an error comes from a lost scheduler and not from the work."""
    return isinstance(error, OSError) or client.status != "running"


def task_result(future: Future) -> Any:
    """The result of a task that has ended; its error is raised as it was.

    Raises
    ------
    Unreachable
        Where the cluster could not run it.
    """
    try:
        return future.result(timeout=10)
    except (KilledWorker, FutureCancelledError):
        raise Unreachable("Too many Dask workers were lost.") from None
    except ImportError as error:
        raise Unreachable(f"The Dask workers lack this program: {error}.") from None
