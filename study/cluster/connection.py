"""Connection: to a Dask scheduler that is there already; found, lost and found again without anybody waiting for it."""

from __future__ import annotations

import contextlib
import importlib
import threading
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import dask
from distributed import Client, Future, KilledWorker
from distributed.client import FutureCancelledError
from distributed.diagnostics.plugin import WorkerPlugin

from nca_core.warm_up import end_child, warm_up

ANSWERS_WITHIN = 3.0  # seconds that a scheduler has to answer
AGAIN_AFTER = 5.0  # seconds before it is asked again
_LOOK_AGAIN = 1.0  # seconds for which the list of workers is taken as it was
_LARGE = "2GB"  # a task may bring a table along


class Unreachable(ValueError):
    """The cluster cannot do it; the message says why."""


class Warm(WorkerPlugin):
    """Lets every worker load and compile what a training needs before one comes."""

    name = "nca-explorer"

    def setup(self, worker: object) -> None:
        threading.Thread(target=_load, name="nca-warm-up", daemon=True).start()

    def teardown(self, worker: object) -> None:
        end_child()


def _load() -> None:
    for name in ("study.cluster.on_worker", "nca_core.methods", "nca_core.accuracy.evaluation", "study.compare"):
        importlib.import_module(name)
    warm_up()


class Connection:
    """To the scheduler at `address`. Thread-safe; whoever makes it closes it.

    Parameters
    ----------
    address : str
        As Dask writes it, "tcp://host:8786".
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._lock = threading.Lock()
        self._client: Client | None = None
        self._decided = threading.Event()
        self._asking: threading.Thread | None = None
        self._asked = 0.0
        self._closed = False
        self._busy: Counter[str] = Counter()  # our tasks by worker
        self._workers: tuple[float, dict[str, int]] = (0.0, {})

    @property
    def problem(self) -> str:
        """Why there are no workers to go to; "" while there may be."""
        client = self._client
        if not self._decided.is_set() or (client is not None and client.status == "running"):
            return ""
        return f"No Dask scheduler answers at {self.address}."

    @property
    def gone(self) -> str:
        """What is to be said where it was there and is no more."""
        return f"The Dask scheduler at {self.address} is gone."

    def ask(self) -> None:
        """Look for the scheduler beside the caller, unless that is known or was tried just now."""
        with self._lock:
            known = self._client is not None and self._client.status == "running"
            if self._closed or known or self._asking is not None or time.monotonic() - self._asked < AGAIN_AFTER:
                return
            self._asking = threading.Thread(target=self._find, name="nca-dask", daemon=True)
            self._asking.start()

    def _find(self) -> None:
        before, self._client = self._client, None
        if before is not None:
            with contextlib.suppress(Exception):
                before.close(timeout=1)
        client = None
        try:
            dask.config.set({"distributed.admin.large-graph-warning-threshold": _LARGE})
            client = Client(self.address, timeout=ANSWERS_WITHIN, set_as_default=False, name="nca-explorer")
            client.register_plugin(Warm())
        except Exception:  # whatever a wrong address or another version makes of it
            if client is not None:
                client.close(timeout=1)
                client = None
        with self._lock:
            self._client, self._asking, self._asked = client, None, time.monotonic()
            closed = self._closed
            self._decided.set()
        if closed and client is not None:
            client.close(timeout=1)

    def client(self) -> Client:
        """The client; waits only where it has never been told whether there is a scheduler.

        Raises
        ------
        Unreachable
            Where there is none; it is looked for again.
        """
        self.ask()
        self._decided.wait(ANSWERS_WITHIN + 1)
        client = self._client
        if client is None or client.status != "running":
            self.ask()
            raise Unreachable(f"No Dask scheduler answers at {self.address}.")
        return client

    def threads(self) -> dict[str, int]:
        """How many threads each worker has, by its address; a second old at most."""
        at, found = self._workers
        if time.monotonic() - at > _LOOK_AGAIN:
            found = dict(self.client().nthreads())
            self._workers = time.monotonic(), found
        return found

    @contextlib.contextmanager
    def place(self) -> Iterator[dict[str, object]]:
        """Where a task should go, as options of `Client.submit`: to the worker that has least to do for us."""
        found = self.threads()
        with self._lock:
            least = min(found, key=lambda worker: self._busy[worker] / found[worker], default=None)
            if least is not None:
                self._busy[least] += 1
        try:
            yield {} if least is None else {"workers": [least], "allow_other_workers": True}
        finally:
            if least is not None:
                with self._lock:
                    self._busy[least] -= 1

    def close(self) -> None:
        """Leave; tasks of ours end."""
        with self._lock:
            self._closed = True
            client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(Exception):
                client.close(timeout=2)


def lost(client: Client, error: BaseException) -> bool:
    """Whether an error is of a scheduler that is gone, and not of the work."""
    return isinstance(error, OSError) or client.status != "running"


def result_of(future: Future) -> Any:
    """What a task that has ended gives; its error comes out as it was.

    Raises
    ------
    Unreachable
        Where the cluster could not carry it out.
    """
    try:
        return future.result(timeout=10)
    except (KilledWorker, FutureCancelledError):
        raise Unreachable("Too many Dask workers were lost.") from None
    except ImportError as error:
        raise Unreachable(f"The Dask workers lack this program: {error}.") from None
