"""RepeatedFaults: a fault that comes again and again is in the log once a minute, with how often it came meanwhile."""

from __future__ import annotations

import logging
import time
import traceback
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
        _shorten(record)
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


_ONCE = RepeatedFaults()


def _shorten(record: logging.LogRecord) -> None:
    """Of a message that no page sends one line is enough: Streamlit could not make sense of it, nothing has failed."""
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return
    places = [(frame.filename.replace("\\", "/"), frame.name) for frame in traceback.extract_tb(error.__traceback__)]
    if type(error).__name__ == "WebSocketDisconnected":  # such as where nonsense has just been answered by its end
        record.msg, record.args = "What was on its way to a page was let go, as its line is closed", ()
        record.exc_info = record.exc_text = None
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        return
    taken_apart = any("/streamlit/" in file and name == "deserialize" for file, name in places)
    if taken_apart or type(error).__name__ == "DecodeError":
        record.msg, record.args = "A message was refused that no page of ours sends: %s", (type(error).__name__,)
        record.exc_info = record.exc_text = None


def install() -> None:
    """For the loggers of the server itself, those of Streamlit, and all that the root's handlers write.

    Each of Streamlit's has a handler of its own; it may be called again where more of them are there.
    """
    once = _ONCE
    named = [name for name in list(logging.root.manager.loggerDict) if name.split(".")[0] == "streamlit"]
    for name in (*_LOGGERS, *named):
        logging.getLogger(name).addFilter(once)
    for logger in (logging.getLogger(), logging.getLogger("streamlit")):
        for handler in logger.handlers:
            handler.addFilter(once)
    if logging.lastResort is not None:  # what writes where nobody has set up a handler
        logging.lastResort.addFilter(once)
