"""One BLAS thread for as long as anybody trains, whoever ends first."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits

_lock = threading.Lock()
_under_way = 0
_limits: threadpool_limits | None = None


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Within, and within every other use of it at the same time, BLAS has one thread in the whole process.

    The limit is the process's own: were each training to put back what it found, the first to end would lift it for
    the others, and the last would leave it behind for good. So they are counted.
    """
    global _under_way, _limits
    with _lock:
        if _under_way == 0:
            _limits = threadpool_limits(limits=1, user_api="blas")
        _under_way += 1
    try:
        yield
    finally:
        with _lock:
            _under_way -= 1
            if _under_way == 0 and _limits is not None:
                _limits.restore_original_limits()
                _limits = None
