"""give_back: memory that was freed goes to the system."""

from __future__ import annotations

import contextlib
import ctypes
import sys


def give_back() -> None:
    """Let the system have it: glibc keeps it otherwise, some hundred MB after a large table."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)
