"""Which loops to use: the compiled ones, or plain numpy while another process still compiles them.

A script compiles (or loads from numba's cache) at its first evaluation. A server calls `use_numpy_for_now()` at its
start and `use_compiled()` when the cache is warm, so that nobody waits at the first press.
"""

from __future__ import annotations

import threading
from types import ModuleType

_lock = threading.Lock()
_numpy_for_now = False
_module: ModuleType | None = None


def use_numpy_for_now() -> None:
    global _numpy_for_now
    _numpy_for_now = _module is None


def use_compiled() -> None:
    global _numpy_for_now
    _numpy_for_now = False


def kernels() -> ModuleType | None:
    """The compiled loops; None while plain numpy is to be used."""
    global _module
    if _numpy_for_now:
        return None
    if _module is None:
        with _lock:
            if _module is None:
                from nca_core.neighbours import pair_kernels

                _module = pair_kernels
    return _module
