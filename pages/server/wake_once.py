"""wake_once: a thread that calls on the server's loop wakes it only where nobody else has just done so.

Asyncio writes to a pipe at each `call_soon_threadsafe`, and whoever writes lets go of the interpreter's lock. A page
that is run calls about a hundred times, so that it waits a hundred times until the others let it go on.
"""

from __future__ import annotations

import asyncio
from typing import Any


def wake_once(loop: asyncio.AbstractEventLoop) -> None:
    """Have `loop` woken once for all that calls on it before it has woken; other loops than asyncio's own see to it."""
    if not isinstance(loop, asyncio.SelectorEventLoop):
        return
    own: Any = loop
    wake, woken, asked = own._write_to_self, own._process_self_data, False

    def write_to_self() -> None:
        # What is called for stands in the loop's list by now, and the loop looks there again after it has woken.
        nonlocal asked
        if not asked:
            asked = True
            wake()

    def process_self_data(data: bytes) -> None:
        nonlocal asked
        asked = False
        woken(data)

    own._write_to_self, own._process_self_data = write_to_self, process_self_data
