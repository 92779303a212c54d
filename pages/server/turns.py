"""Turns: a few at a time do what takes much memory; the others wait in the order in which they came."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LOOK = 0.25  # seconds between two looks at whether somebody still waits


class GivenUp(Exception):
    """Nobody waits for the turn any more."""


class Turns:
    """At most `at_once` hold a turn."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._queue: list[object] = []  # the first `at_once` have their turn
        self._changed = threading.Condition()

    @contextmanager
    def turn(
        self, given_up: Callable[[], bool] = lambda: False, waits: Callable[[int], None] = lambda place: None
    ) -> Iterator[None]:
        """Wait for a turn and hold it.

        Parameters
        ----------
        given_up
            Asked now and then while it waits.
        waits
            Told the place in the queue, counted from 1, now and then while it waits.

        Raises
        ------
        GivenUp
            Where `given_up()`.
        """
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
        try:
            while (place := self._place(ticket)) > 0:
                if given_up():
                    raise GivenUp
                waits(place)
                with self._changed:
                    if self._place(ticket) == place:
                        self._changed.wait(_LOOK)
            yield
        finally:
            with self._changed:
                self._queue.remove(ticket)
                self._changed.notify_all()

    def _place(self, ticket: object) -> int:
        return self._queue.index(ticket) + 1 - self._at_once
