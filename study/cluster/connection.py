"""Connection to a Dask scheduler that reconnects in the background."""

import contextlib
import importlib
import threading
from asyncio import CancelledError
from collections import Counter
from collections.abc import Iterator
from typing import Any

import dask
from distributed import Client, Future, KilledWorker
from distributed.client import FutureCancelledError
from distributed.diagnostics.plugin import WorkerPlugin

from nca_core.training.warm_up import warm_up

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


def _load() -> None:
    for name in ("study.cluster.work", "nca_core.methods", "nca_core.accuracy", "study.compare"):
        importlib.import_module(name)
    warm_up()


class Connection:
    """To the scheduler at `address` ("tcp://host:8786"). Thread-safe; its owner closes it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.gone = "The Dask scheduler is gone."
        self._absent = "No Dask scheduler answers."
        self._lock = threading.Lock()
        self._client: Client | None = None
        self._tried = threading.Event()
        self._closing = threading.Event()
        self._busy: Counter[str | None] = Counter()  # our tasks by worker
        threading.Thread(target=self._watch, name="nca-dask", daemon=True).start()

    @property
    def _connected(self) -> bool:
        return self._client is not None and self._client.status == "running"

    @property
    def problem(self) -> str:
        """Why there are no workers; "" if there are, and before the first attempt has ended."""
        return "" if self._connected or not self._tried.is_set() else self._absent

    def _watch(self) -> None:
        while not self._closing.is_set():
            if not self._connected:
                self._open()
            self._tried.set()
            self._closing.wait(AGAIN_AFTER)

    def _open(self) -> None:
        self._disconnect()
        client = None
        try:
            dask.config.set({"distributed.admin.large-graph-warning-threshold": _LARGE})
            client = Client(self.address, timeout=ANSWERS_WITHIN, set_as_default=False, name="nca-explorer")
            client.register_plugin(Warm())
        except Exception:  # a wrong address or another version may raise anything
            if client is not None:
                client.close(timeout=1)
            return
        self._client = client
        if self._closing.is_set():
            self._disconnect()

    def _disconnect(self) -> None:
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(Exception):
                client.close(timeout=2)

    def client(self) -> Client:
        """The client, after the first attempt to connect; Unreachable without a scheduler."""
        self._tried.wait(ANSWERS_WITHIN + 1)
        client = self._client
        if client is None or client.status != "running":
            raise Unreachable(self._absent)
        return client

    @contextlib.contextmanager
    def use(self) -> Iterator[Client]:
        """The client; a scheduler lost meanwhile raises Unreachable."""
        client = self.client()
        try:
            yield client
        except (Exception, CancelledError) as error:
            lost = isinstance(error, OSError) or client.status != "running"
            if isinstance(error, Unreachable) or not lost:
                raise
            raise Unreachable(self.gone) from None

    def threads(self) -> dict[str, int]:
        """Number of threads of each worker by its address."""
        return dict(self.client().nthreads())

    def reserve(self) -> tuple[str | None, dict[str, object]]:
        """Reserve the worker with the fewest of our tasks per thread; options of `Client.submit` that prefer it."""
        threads = self.threads()
        with self._lock:
            least = min(threads, key=lambda worker: self._busy[worker] / threads[worker], default=None)
            self._busy[least] += 1
        return least, {} if least is None else {"workers": [least], "allow_other_workers": True}

    def release(self, worker: str | None) -> None:
        """Release a worker reserved by `reserve`."""
        with self._lock:
            self._busy[worker] -= 1

    def close(self) -> None:
        """Disconnect, which cancels our tasks."""
        self._closing.set()
        self._disconnect()


def task_result(future: Future) -> Any:
    """The result of a task that has ended; Unreachable if the cluster could not run it."""
    try:
        return future.result(timeout=10)
    except (KilledWorker, FutureCancelledError):
        raise Unreachable("Too many Dask workers were lost.") from None
    except ImportError as error:
        raise Unreachable(f"The Dask workers lack this program: {error}.") from None
    except RuntimeError as error:
        if "deserialization" not in str(error):
            raise
        raise Unreachable("The Dask scheduler lacks this program.") from None
