"""One BLAS thread for as long as anybody evaluates, whoever ends first."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from threadpoolctl import ThreadpoolController, threadpool_limits

_lock = threading.Lock()
_under_way = 0
_limits: threadpool_limits | None = None
_found: int | None = None  # threads that BLAS was left by whoever calls, as long as it is limited


@contextmanager
def one_blas_thread() -> Iterator[int | None]:
    """Within, and within every other use of it at the same time, BLAS has one thread in the whole process.

    The limit is the process's own: were each training to put back what it found, the first to end would lift it for
    the others, and the last would leave it behind for good. So they are counted. Blocks of matrix products run on
    threads of our own, and in the same order of additions for any number of them.

    Yields
    ------
    int or None
        The number of threads that BLAS had before, by which `threadpoolctl` or an environment variable may have
        limited it; None where no BLAS is known.
    """
    global _under_way, _limits, _found
    with _lock:
        if _under_way == 0:
            controller = _controller("scipy.linalg" in sys.modules)
            numbers = [library.num_threads for library in controller.lib_controllers if library.user_api == "blas"]
            _found = min((number for number in numbers if number), default=None)
            _limits = controller.limit(limits=1, user_api="blas")
        _under_way += 1
        found = _found
    try:
        yield found
    finally:
        with _lock:
            _under_way -= 1
            if _under_way == 0 and _limits is not None:
                _limits.restore_original_limits()
                _limits = None


@lru_cache(maxsize=2)
def _controller(with_scipy: bool) -> ThreadpoolController:
    """Of the libraries loaded by now: looking for them takes milliseconds, and scipy brings a BLAS of its own."""
    return ThreadpoolController()


def _begin_anew() -> None:
    """In a forked child nobody trains, and who held the lock is not there."""
    global _lock, _under_way, _limits
    _lock = threading.Lock()
    _under_way = 0
    if _limits is not None:
        _limits.restore_original_limits()
        _limits = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
