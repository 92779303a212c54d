"""The decorator of every compiled loop: no GIL, and a cache on disk where there is a place for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit


def jit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """numba's `njit` with the GIL released, cached on disk.

    Beside the source or in the user's cache folder; numba raises where neither can be written, as in a container
    without a home. There the loop is compiled anew in every process, instead of no training being possible at all.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        try:
            return njit(nogil=True, cache=True, **options)(function)
        except RuntimeError:
            return njit(nogil=True, **options)(function)

    return compiled
