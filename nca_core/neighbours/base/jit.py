"""The decorator of every compiled loop: no GIL, and a cache on disk where there is a place for one."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from multiprocessing import current_process
from typing import Any

from numba import njit
from numba.core.event import Event, Listener, register

from nca_core.compat import loop_options

_log = logging.getLogger("nca_core")
_SECONDS = 5.0  # between two lines about progress


class _Progress(Listener):
    """Log that loops are being compiled, which takes seconds and happens once a machine; workers stay quiet."""

    def __init__(self) -> None:
        self._done, self._said = 0, 0.0

    def on_start(self, event: Event) -> None:
        if self._done == 0 and self._said == 0.0:
            self._say("Compiling the engine's loops: about 10 s, once a machine.")

    def on_end(self, event: Event) -> None:
        self._done += 1
        if time.monotonic() - self._said > _SECONDS:
            self._say(f"Compiling the engine's loops: {self._done} done.")

    def _say(self, line: str) -> None:
        self._said = time.monotonic()
        if current_process().name == "MainProcess":
            _log.warning(line)


register("numba:compile", _Progress())


def jit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """numba's `njit` with the GIL released, cached on disk.

    Beside the source or in the user's cache folder; numba raises where neither can be written, as in a container
    without a home. There the loop is compiled anew in every process, instead of no training being possible at all.

    A loop whose name begins with an underscore is called by other loops alone. It gets none of the wrappers that let
    Python and C call it, whose compiling takes a tenth of the whole, and is inlined: as a symbol of its own it would be
    one code in the process that compiles and another, with other last bits, in those that load its callers.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        inner = function.__name__.startswith("_")
        wrapped = loop_options(not inner, nogil=True, **{"forceinline": inner, **options})
        try:
            return njit(cache=True, **wrapped)(function)
        except RuntimeError:
            return njit(**wrapped)(function)

    return compiled
