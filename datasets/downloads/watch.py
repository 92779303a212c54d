"""Watch: until when a download may take, who may cancel it and who is told how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from datasets.base.errors import DataError


class Cancelled(DataError):
    """Nobody waits for it any more."""


def _nobody(sentence: str, n_bytes: int, total: int | None) -> None:
    pass


@dataclass(frozen=True)
class Watch:
    """What a download looks at while it works.

    Attributes
    ----------
    seconds : float
        That all of it may take, for the sentence.
    until : float
        The end of that on the clock of time.monotonic(); infinite where nobody set one.
    silent_seconds : float
        That a server may send nothing.
    cancelled : Callable[[], bool]
        Asked ten times a second.
    tell : Callable[[str, int, int | None], None]
        Called with a sentence, the bytes so far and the bytes in all, None where the server does not say.
    """

    seconds: float = 120.0
    until: float = float("inf")
    silent_seconds: float = 20.0
    cancelled: Callable[[], bool] = lambda: False
    tell: Callable[[str, int, int | None], None] = _nobody

    def check(self, what: str) -> None:
        """Go on, or not.

        Raises
        ------
        Cancelled, DataError
            Where it was cancelled or has taken too long; `what` begins the sentence.
        """
        if self.cancelled():
            raise Cancelled(f"{what} was cancelled.")
        if time.monotonic() > self.until:
            raise DataError(f"{what} took longer than {self.seconds:.0f} s and was given up. Try again later.")

    @property
    def remaining(self) -> float:
        """Seconds that are left, at least a little."""
        return max(0.1, self.until - time.monotonic())
