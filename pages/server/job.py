"""Job: long work beside the page, in one thread, that gives what it has so far and can be cancelled at any moment.

Such work takes its turns at the same gate as the trainings, so the stage stays alive.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from typing import Any, Literal

from datasets.base.errors import DataError
from nca_core.gate import GATE, Gate
from nca_core.priority import give_way
from nca_core.run import Slot
from nca_core.training import TrainingStopped

Work = Callable[[Slot], Generator[Any, None, None]]
State = Literal["running", "done", "cancelled", "failed", "interrupted"]
_log = logging.getLogger(__name__)


class Job:
    """Work in a thread of its own; the thread ends with the work, or soon after `cancel`.

    Parameters
    ----------
    of : object
        What the work is about, so that a page can tell whether it still asks for the same.
    work : callable
        Given a `slot` to enter around each piece of work, gives one result after another, each with all before it.
    """

    def __init__(self, of: object, work: Work, gate: Gate = GATE) -> None:
        self.of = of
        self._work = work
        self._gate = gate
        self._stop = threading.Event()
        self._state: State = "running"
        self._result: Any = None
        self._error = ""
        self._thread = threading.Thread(target=self._run, name="nca-job", daemon=True)
        self._thread.start()

    @property
    def state(self) -> State:
        return self._state

    @property
    def result(self) -> Any:
        """The newest result, also of work that was cancelled; None before the first."""
        return self._result

    @property
    def error(self) -> str:
        """Why it failed, in a sentence."""
        return self._error

    def cancel(self) -> None:
        """End it; at once for whoever looks, for its thread before its next piece of work."""
        self._stop.set()
        if self._state == "running":
            self._state = "cancelled"

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for its thread; whether it has ended."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    @contextmanager
    def _slot(self) -> Iterator[None]:
        if self._stop.is_set():
            raise TrainingStopped
        with self._gate.step():
            yield

    def _run(self) -> None:
        give_way()
        end: State = "done"
        results = self._work(self._slot)
        try:
            with closing(results):
                for result in results:
                    if self._stop.is_set():
                        break
                    self._result = result
        except TrainingStopped:
            pass
        except (DataError, ValueError) as error:
            end, self._error = "failed", str(error)
        except Exception:
            _log.exception("work in the background failed")
            end, self._error = "failed", "This failed by an error in the program; its log has the details."
        if self._state == "running":
            self._state = end


class EndedJob(Job):
    """Work of before a restart of the server, as it had ended or, "interrupted", as far as it had come."""

    def __init__(self, of: object, state: State, result: Any, error: str = "") -> None:
        self.of = of
        self._state, self._result, self._error = state, result, error
        self._stop = threading.Event()

    def wait(self, timeout: float | None = None) -> bool:
        return True
