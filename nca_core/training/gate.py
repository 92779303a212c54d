"""Gate: many trainings share the machine; few compute at a time, in the order of their requests.

lower_priority: lower a thread's priority, so that page and browser come first."""

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress

URGENT_SECONDS = 0.4  # seconds for which work goes ahead of the steps
LONGEST_YIELD = 0.15  # seconds that a step waits for such work at most, so that a training never stops


class Place(threading.Event):
    """A place in a queue, set while it is granted. Those that enter with the same one share it: it is queued for by the
    first and released by the last, so that the runs of one workspace count as one training."""

    inside = 0  # how many share it now


class FairSlots:
    """A semaphore that serves first come, first served."""

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._waiting: deque[Place] = deque()
        self._lock = threading.Lock()

    def enter(self, place: Place) -> None:
        """Queue for a slot."""
        with self._lock:
            place.inside += 1
            if place.inside > 1:
                return
            if self._free > 0:
                self._free -= 1
                place.set()
            else:
                self._waiting.append(place)

    def leave(self, place: Place) -> None:
        """Release the slot, or leave the queue."""
        with self._lock:
            place.inside -= 1
            if place.inside > 0:
                return
            if not place.is_set():
                self._waiting.remove(place)
                return
            place.clear()
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1

    def position(self, place: Place) -> int:
        """Position in the queue, from 1; 0 once granted."""
        with self._lock:
            return self._waiting.index(place) + 1 if place in self._waiting else 0


class Gate:
    """Limits the trainings under way, and the optimiser steps that compute at the same time.

    active: trainings under way; the others wait their turn.
    computing: optimiser steps at the same moment.
    """

    def __init__(self, active: int = 16, computing: int = 1) -> None:
        self.trainings = FairSlots(active)
        self._steps = FairSlots(computing)
        self._urgent: dict[object, float] = {}  # since when
        self._urgent_done = threading.Condition()

    @contextmanager
    def urgent(self) -> Iterator[None]:
        """Delay new steps for a moment, for short work that a person waits for.

        A step under way is not interrupted; those after it would take the processor and the interpreter's lock from
        that work. Work longer than URGENT_SECONDS goes on beside the steps.
        """
        ticket = object()
        with self._urgent_done:
            self._urgent[ticket] = time.monotonic()
        try:
            yield
        finally:
            with self._urgent_done:
                del self._urgent[ticket]
                self._urgent_done.notify_all()

    def yield_to_urgent(self, longest: float) -> None:
        """Wait until no work of `urgent` is new, so many seconds at most."""
        with self._urgent_done:
            self._urgent_done.wait_for(self._free, longest)

    def _free(self) -> bool:
        now = time.monotonic()
        return not any(now - since < URGENT_SECONDS for since in self._urgent.values())

    @contextmanager
    def step(self) -> Iterator[None]:
        """Hold a compute slot; waits in a fair queue."""
        place = Place()
        self._steps.enter(place)
        try:
            place.wait()
            self.yield_to_urgent(LONGEST_YIELD)
            yield
        finally:
            self._steps.leave(place)


GATE = Gate()


NICENESS = 10  # of 0 to 19; about a tenth of a core's time while another process wants all of it


def lower_priority() -> None:
    """Lower the priority of the calling thread and of those that it starts, on Linux."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
