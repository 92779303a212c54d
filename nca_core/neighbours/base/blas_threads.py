"""Limit BLAS to one thread while any evaluation runs."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import ContextDecorator
from functools import lru_cache

from threadpoolctl import LibController, ThreadpoolController

_lock = threading.Lock()
_under_way = 0
_found: list[tuple[LibController, int]] = []  # each BLAS that was limited, and the threads that it had


class one_blas_thread(ContextDecorator):
    """Within, and within every other use of it at the same time, BLAS has one thread in the whole process.

    The limit is global, so uses are counted and the last to end restores it. Blocks of matrix products run on our own
    threads, in the same order of additions for any number of them.

    As a context it gives the number of threads that BLAS had before, by which `threadpoolctl` or an environment
    variable may have limited it; None where no BLAS is known.
    """

    def __enter__(self) -> int | None:
        global _under_way, _found
        with _lock:
            if _under_way == 0:
                # One by one, and not by `threadpool_limits`, which takes a tenth of an evaluation of a hundred points.
                _found = [(blas, blas.get_num_threads() or 0) for blas in _blas("scipy.linalg" in sys.modules)]
                for blas, number in _found:
                    if number > 1:
                        blas.set_num_threads(1)
            _under_way += 1
            return min((number for _, number in _found if number), default=None)

    def __exit__(self, *error: object) -> None:
        global _under_way
        with _lock:
            _under_way -= 1
            if _under_way == 0:
                _put_back()


def _put_back() -> None:
    for blas, number in _found:
        if number > 1:
            blas.set_num_threads(number)
    _found.clear()


@lru_cache(maxsize=2)
def _blas(with_scipy: bool) -> tuple[LibController, ...]:
    """Those loaded by now: looking for them takes milliseconds, and scipy brings a BLAS of its own."""
    return tuple(library for library in ThreadpoolController().lib_controllers if library.user_api == "blas")


def _begin_anew() -> None:
    """Reset a forked child: no evaluation runs there, and the holder of the lock does not exist."""
    global _lock, _under_way
    _lock = threading.Lock()
    _under_way = 0
    _put_back()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
