"""RepeatedFaults: a fault that comes again and again is in the log once a minute, with how often it came meanwhile."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable

SECONDS = 60.0
_MOST_KINDS = 200
_LOGGERS = ("asyncio", "uvicorn.error", "websockets.server", "concurrent.futures")


class RepeatedFaults(logging.Filter):
    """Lets a warning or an error pass once a minute for each place that it comes from."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._told: OrderedDict[tuple[object, ...], tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING or getattr(record, "once_a_minute", False):
            return True
        kind = (record.name, record.levelno, record.msg, record.exc_info[0] if record.exc_info else None)
        now = self._clock()
        at, left_out = self._told.get(kind, (-SECONDS, 0))
        if now - at < SECONDS:
            self._told[kind] = (at, left_out + 1)
            return False
        self._told.pop(kind, None)
        self._told[kind] = (now, 0)
        while len(self._told) > _MOST_KINDS:
            self._told.popitem(last=False)
        record.once_a_minute = True  # it passes the other filters of ours
        if left_out:
            record.msg = f"{record.getMessage()} ({left_out} more like this in the last minute)"
            record.args = ()
        return True


def install() -> None:
    """For the loggers of the server itself, and for all that Streamlit's and the root's handlers write."""
    once = RepeatedFaults()
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(once)
    for logger in (logging.getLogger(), logging.getLogger("streamlit")):
        for handler in logger.handlers:
            handler.addFilter(once)
    if logging.lastResort is not None:  # what writes where nobody has set up a handler
        logging.lastResort.addFilter(once)
