"""Background jobs: threads that yield results as they come and can be cancelled.

Jobs share a gate with the trainings, so the stage stays responsive.
"""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, nullcontext
from typing import Any, Literal

from datasets.base.errors import DataError
from nca_core.training.gate import GATE, FairSlots, Place, lower_priority
from nca_core.training.problem import TrainingStopped
from nca_core.training.run import Slot

Work = Callable[[Slot], Generator[Any, None, None]]
State = Literal["running", "done", "cancelled", "failed", "interrupted"]
LOOK = 0.25  # seconds between two checks while waiting
_log = logging.getLogger(__name__)


def logged(error: BaseException) -> str:
    """Log the error with its traceback under an id; returns a sentence with that id."""
    name = secrets.token_hex(4)
    _log.error("Error %s", name, exc_info=error)
    return f"The server's log has it as error {name}."


class GivenUp(Exception):
    """The caller no longer waits."""


class Turns:
    """Limit work to `at_once` at a time, in order of arrival."""

    def __init__(self, at_once: int) -> None:
        self._slots = FairSlots(at_once)

    @contextmanager
    def turn(
        self, given_up: Callable[[], bool] = lambda: False, waits: Callable[[int], None] = lambda place: None
    ) -> Iterator[None]:
        """Wait for a turn and hold it; GivenUp if `given_up()` meanwhile.

        `waits` is called regularly with the place in the queue, from 1.
        """
        ticket = Place()
        self._slots.enter(ticket)
        try:
            while place := self._slots.position(ticket):
                if given_up():
                    raise GivenUp
                waits(place)
                ticket.wait(LOOK)
            yield
        finally:
            self._slots.leave(ticket)


class Job:
    """Work in a thread, which ends with the work or soon after `cancel`.

    ``work(slot)`` yields results, each including the one before; it enters `slot` around each piece of work. `turns`
    limits how many jobs of a kind run at once.
    """

    saved = True  # whether the store keeps it

    def __init__(self, of: object, work: Work, turns: Turns | None = None) -> None:
        self.of = of  # what the work is about; a page compares it with its present request
        self.state: State = "running"
        self.result: Any = None  # the newest, also of a cancelled job; None before the first
        self.error = ""  # why it failed, for users
        self._work, self._turns = work, turns
        self._stop = threading.Event()
        self._began = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="nca-job", daemon=True)
        self._thread.start()

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self._began

    def cancel(self) -> None:
        """Cancel the job: its state changes at once, its thread ends before the next piece of work."""
        self._stop.set()
        if self.state == "running":
            self.state = "cancelled"

    def check(self) -> None:
        if self._stop.is_set():
            raise TrainingStopped

    @contextmanager
    def _slot(self) -> Iterator[None]:
        self.check()
        with GATE.step():
            yield

    def _run(self) -> None:
        lower_priority()
        end: State = "done"
        try:
            turn = nullcontext() if self._turns is None else self._turns.turn(self._stop.is_set)
            with turn, closing(self._work(self._slot)) as results:
                for result in results:
                    self.check()
                    self.result = result
        except (TrainingStopped, GivenUp):
            pass
        except (DataError, ValueError) as error:
            end, self.error = "failed", str(error)
        except Exception as error:
            end, self.error = "failed", f"This failed by an error in the program. {logged(error)}"
        if self.state == "running":
            self.state = end


class EndedJob(Job):
    """A job restored after a restart: as it ended, or "interrupted" with its last result."""

    def __init__(self, of: object, state: State, result: Any, error: str = "") -> None:
        self.of, self.state, self.result, self.error = of, state, result, error
        self._stop = threading.Event()


class Jobs(dict[str, Job]):
    """The jobs of a workspace by name."""

    def find(self, name: str, of: object) -> Job | None:
        """The job of that name if it is about `of`."""
        job = self.get(name)
        return job if job is not None and job.of == of else None

    def panel(self, name: str) -> str:
        """Key of the panel that the job of that name is about; "" for none."""
        job = self.get(name)
        return str(job.of[1]) if job is not None and isinstance(job.of, tuple) else ""

    def start(self, name: str, of: object, work: Work) -> None:
        """Start a job; the previous one of that name is cancelled."""
        self.cancel(name)
        self[name] = Job(of, work)

    def cancel(self, name: str) -> None:
        """Cancel and remove the job of that name, if any."""
        if (job := self.pop(name, None)) is not None:
            job.cancel()
