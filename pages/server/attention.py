"""Attention: when a workspace was looked at, by which it is known whether somebody worked with it elsewhere."""

from __future__ import annotations

from collections.abc import Callable

HUNG = 10.0  # seconds in which nobody asked whether it is looked at, as happens every second; then nobody could look


class Attention:
    """What is known of one workspace.

    Parameters
    ----------
    clock : callable
        Seconds; it goes on while the process is held.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since = self._until = self._asked = clock()

    def is_given(self) -> None:
        """Somebody looks now; to be called every second while it is so."""
        now = self._clock()
        if now - self._until > HUNG:
            self._since = now
        self._until = now

    def is_asked(self) -> None:
        """A page of it is run now."""
        self.is_given()
        self._asked = self._clock()

    def was_elsewhere(self, seconds: float) -> bool:
        """Whether nobody looked so many seconds ago, or the server hung, and nobody has worked with it here since.

        What was pressed while the server hung, and is done as soon as it is back, does not count as work.
        """
        then = self._clock() - seconds
        looked = self._since <= then <= self._until
        return not looked and self._asked <= max(then, self._since + HUNG)
