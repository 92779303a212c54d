"""The decorator of every compiled loop: no GIL, and a cache on disk where there is a place for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

from nca_core.compat import loop_options


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
