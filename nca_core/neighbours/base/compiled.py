"""Whether the compiled loops are in use, or plain numpy while another process still compiles them.

A script compiles (or loads from numba's cache) at its first evaluation. A server calls `use_numpy_for_now()` at its
start and `use_compiled()` when the cache is warm, so that the first training does not wait.
"""

from __future__ import annotations

import sys

_numpy_for_now = False


def loaded() -> bool:
    """Whether the loops are loaded, which takes as long as many small trainings."""
    return "nca_core.neighbours.base.jit" in sys.modules


def use_numpy_for_now() -> None:
    """Plain numpy, unless the loops are loaded already."""
    global _numpy_for_now
    _numpy_for_now = "nca_core.neighbours.pairs.pair_kernels" not in sys.modules


def use_compiled() -> None:
    global _numpy_for_now
    _numpy_for_now = False


def in_use() -> bool:
    return not _numpy_for_now
