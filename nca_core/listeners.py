"""Listeners: functions that are called, from any thread, whenever something has changed."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress

_log = logging.getLogger(__name__)


class Listeners:
    """One that raises is logged and not called again: who listened and is gone must not end the work of others."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[], None]] = []

    def add(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call it from now on; gives the way out."""
        self._listeners.append(listener)

        def leave() -> None:
            with suppress(ValueError):
                self._listeners.remove(listener)

        return leave

    def tell(self) -> None:
        for listener in list(self._listeners):
            try:
                listener()
            except Exception:
                _log.exception("a listener failed and is not called again")
                with suppress(ValueError):
                    self._listeners.remove(listener)
