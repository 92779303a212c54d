"""give_way: trainings compute when neither the page nor, on the same machine, the browser that paints them wants to."""

from __future__ import annotations

import contextlib
import os
import sys
import threading

NICENESS = 10  # of 0 to 19; about a tenth of a core's time while somebody else wants all of it


def give_way() -> None:
    """Lower the priority of the calling thread, and of those that it starts, where the system has one for a thread."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
