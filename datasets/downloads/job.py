"""DownloadJob: one download in one worker thread, polled by a page, that can be cancelled at any moment."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from typing import Literal

from datasets.base.dataset import Dataset
from datasets.base.entry import Entry
from datasets.base.errors import DataError
from datasets.downloads.opened import Opened
from datasets.downloads.watch import Cancelled, Watch

State = Literal["ready", "running", "done", "failed", "cancelled"]
_log = logging.getLogger(__name__)
# Each holds a file and its table in memory; the others wait their turn.
_AT_ONCE = threading.BoundedSemaphore(2)
_POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Progress:
    """How far a download is: bytes so far, bytes in all (None: not known) and a sentence."""

    n_bytes: int = 0
    total: int | None = None
    sentence: str = ""

    @property
    def share(self) -> float | None:
        """0 to 1, None where the size is not known."""
        return min(1.0, self.n_bytes / self.total) if self.total else None


class DownloadJob:
    """A download with a worker thread of its own; the thread ends with the download, on time-out or with `cancel`.

    Parameters
    ----------
    entry : Entry
        Of the catalogue, kind "download"; `openml_entry(name_or_id)` makes one of any OpenML set.
    seconds : float
        That all of it may take, from its turn on.
    silent_seconds : float
        That a server may send nothing.
    """

    def __init__(self, entry: Entry, *, seconds: float = 120.0, silent_seconds: float = 20.0) -> None:
        if entry.download is None:
            raise ValueError(f"{entry.key} is not downloaded; load it with load_dataset.")
        self.entry = entry
        self._download = entry.download
        self._seconds, self._silent_seconds = seconds, silent_seconds
        self._lock = threading.Lock()
        self._cancel = threading.Event()
        self._state: State = "ready"
        self._progress = Progress()
        self._error = ""
        self._opened: Opened | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin; does nothing the second time."""
        with self._lock:
            if self._state != "ready":
                return
            self._state = "running"
            self._progress = Progress(sentence=f"{self.entry.title} waits for other downloads.")
            self._thread = threading.Thread(target=self._work, name=f"download {self.entry.key}", daemon=True)
            self._thread.start()

    def cancel(self, timeout: float | None = 5.0) -> None:
        """End it, wait for its thread; a download that has ended already stays as it is."""
        self._cancel.set()
        self._finish("cancelled", error=f"The download of {self.entry.title} was cancelled.")
        self.wait(timeout)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until its thread has ended; whether it has."""
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout)
            return not thread.is_alive()
        return True

    @property
    def state(self) -> State:
        return self._state

    @property
    def progress(self) -> Progress:
        return self._progress

    @property
    def error(self) -> str:
        """One sentence where it failed or was cancelled, else empty."""
        return self._error

    @property
    def opened(self) -> Opened | None:
        """The data set with its table and plan once the state is "done"."""
        return self._opened

    def result(self) -> Dataset:
        """The data set.

        Raises
        ------
        DataError
            The sentence of a download that failed, was cancelled or is still under way.
        """
        with self._lock:
            if self._opened is None:
                raise DataError(self._error or f"The download of {self.entry.title} is still under way.")
            return self._opened.dataset

    def _work(self) -> None:
        while not _AT_ONCE.acquire(timeout=_POLL_SECONDS):
            if self._cancel.is_set():
                return
        try:
            watch = Watch(
                seconds=self._seconds,
                until=time.monotonic() + self._seconds,
                silent_seconds=self._silent_seconds,
                cancelled=self._cancel.is_set,
                tell=self._tell,
            )
            self._finish("done", opened=self._download(watch))
        except Cancelled as cancelled:
            self._finish("cancelled", error=str(cancelled))
        except DataError as error:
            self._finish("failed", error=str(error))
        except Exception:  # nobody above a thread would hear of it, and the page would wait for ever
            _log.exception("The download of %s failed", self.entry.key)
            self._finish("failed", error=f"{self.entry.title} could not be opened: an error that is ours. Try again.")
        finally:
            _AT_ONCE.release()

    def _tell(self, sentence: str, n_bytes: int, total: int | None) -> None:
        self._progress = Progress(n_bytes, total, sentence)

    def _finish(self, state: State, *, opened: Opened | None = None, error: str = "") -> None:
        with self._lock:
            if self._state in ("ready", "running"):
                self._state, self._opened, self._error = state, opened, error
