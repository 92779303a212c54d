"""Gate: many trainings share the machine; few compute at a time, in the order of their requests.

give_way: lower a thread's priority, so that page and browser come first."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

SHORT = 0.4  # seconds for which work goes ahead of the steps
LONGEST_BACK = 0.15  # seconds that a step waits for such work at most, so that a training never stops


class _FairSlots:
    """A semaphore that serves first come, first served."""

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._waiting: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    def enter(self) -> threading.Event:
        """Queue for a slot; the ticket's event is set once it is granted."""
        ticket = threading.Event()
        with self._lock:
            if self._free > 0:
                self._free -= 1
                ticket.set()
            else:
                self._waiting.append(ticket)
        return ticket

    def leave(self, ticket: threading.Event) -> None:
        """Release the slot, or leave the queue."""
        with self._lock:
            if not ticket.is_set():
                self._waiting.remove(ticket)
            elif self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1

    def position(self, ticket: threading.Event) -> int:
        """Position in the queue, from 1; 0 once granted."""
        with self._lock:
            return self._waiting.index(ticket) + 1 if ticket in self._waiting else 0


class Place:
    """One place among the trainings under way, shared by the runs of one workspace, which count as one training.

    The first run that enters queues for the place and the last that leaves releases it. Has the methods of the queue.
    """

    def __init__(self, trainings: _FairSlots) -> None:
        self._trainings = trainings
        self._ticket = threading.Event()
        self._inside = 0
        self._lock = threading.Lock()

    def enter(self) -> threading.Event:
        with self._lock:
            if self._inside == 0:
                self._ticket = self._trainings.enter()
            self._inside += 1
            return self._ticket

    def leave(self, ticket: threading.Event) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._trainings.leave(ticket)

    def position(self, ticket: threading.Event) -> int:
        return self._trainings.position(ticket)


class Gate:
    """Limits the trainings under way, and the optimiser steps that compute at the same time.

    active: trainings under way; the others wait their turn.
    computing: optimiser steps at the same moment.
    """

    def __init__(self, active: int = 16, computing: int = 1) -> None:
        self.trainings = _FairSlots(active)
        self._steps = _FairSlots(computing)
        self._ahead: dict[object, float] = {}  # since when
        self._less_ahead = threading.Condition()

    def place(self) -> Place:
        """A place for runs that belong together, to be given to each of them."""
        return Place(self.trainings)

    @contextmanager
    def ahead(self) -> Iterator[None]:
        """Delay new steps for a moment, for short work that a person waits for.

        A step under way is not interrupted; those after it would take the processor and the interpreter's lock from
        that work. Work longer than SHORT goes on beside the steps.
        """
        ticket = object()
        with self._less_ahead:
            self._ahead[ticket] = time.monotonic()
        try:
            yield
        finally:
            with self._less_ahead:
                del self._ahead[ticket]
                self._less_ahead.notify_all()

    def stand_back(self, longest: float) -> None:
        """Wait until no work of `ahead` is new, so many seconds at most."""
        with self._less_ahead:
            self._less_ahead.wait_for(self._free, longest)

    def _free(self) -> bool:
        now = time.monotonic()
        return not any(now - since < SHORT for since in self._ahead.values())

    @contextmanager
    def step(self) -> Iterator[None]:
        """Hold a compute slot; waits in a fair queue."""
        ticket = self._steps.enter()
        try:
            ticket.wait()
            self.stand_back(LONGEST_BACK)
            yield
        finally:
            self._steps.leave(ticket)


GATE = Gate()


NICENESS = 10  # of 0 to 19; about a tenth of a core's time while another process wants all of it


def give_way() -> None:
    """Lower the priority of the calling thread and of those that it starts, on Linux."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
