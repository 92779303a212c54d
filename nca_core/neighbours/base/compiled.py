"""Let sums over many points wait while another process compiles their loops, as at the start of a server."""

from __future__ import annotations

import sys
import threading

_ready = threading.Event()
_ready.set()
wait = _ready.wait  # until the loops may be loaded; at once unless `defer` was called


def defer() -> None:
    """Let sums wait from now on, unless the loops are loaded already."""
    if "nca_core.neighbours.pairs.pair_kernels" not in sys.modules:
        _ready.clear()


def release() -> None:
    """Let them go on."""
    _ready.set()
