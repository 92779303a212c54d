"""One bounded pool for the compiled loops of all trainings, sums whose order does not depend on its size, and a BLAS
that keeps to one thread meanwhile."""

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ContextDecorator, contextmanager
from contextvars import ContextVar
from functools import lru_cache
from itertools import pairwise
from numbers import Integral
from typing import TypeVar

import numpy as np
from threadpoolctl import LibController, ThreadpoolController

Task = TypeVar("Task")
Result = TypeVar("Result")

# A sum is cut into parts by its size alone, and the parts are added in their order: so the last bits of a result are
# the same on every number of cores. So many parts keep as many cores busy.
MOST_PARTS = 16

# Cleared while another process compiles the loops, as at the start of a server: first those of the dense method.
DENSE_READY, LOOPS_READY = threading.Event(), threading.Event()
DENSE_READY.set()
LOOPS_READY.set()

Work = Callable[[int, int, np.ndarray], None]

_limit: ContextVar[int | None] = ContextVar("nca_threads", default=None)
_lock = threading.Lock()
_pool: ThreadPoolExecutor | None = None


def defer_sums() -> None:
    """Let sums over more than some points wait until their loops are compiled, unless they are loaded already."""
    if "nca_core.neighbours.pairs.pair_kernels" not in sys.modules:
        DENSE_READY.clear()
        LOOPS_READY.clear()


def release_sums() -> None:
    DENSE_READY.set()
    LOOPS_READY.set()


@lru_cache(maxsize=1)
def cores() -> int:
    """Cores that this process may use: of a container it may be a few among many, and OMP_NUM_THREADS (which loky sets
    for its workers' `inner_max_num_threads`) may ask for fewer."""
    from joblib import cpu_count

    requested = os.environ.get("OMP_NUM_THREADS", "").split(",")[0]
    return max(1, min(cpu_count(), int(requested) if requested.isdecimal() and int(requested) > 0 else cpu_count()))


def workers() -> int:
    """Threads that the caller may use now."""
    limit = _limit.get()
    return cores() if limit is None else max(1, min(cores(), limit))


@contextmanager
def at_most(*n_threads: int | None) -> Iterator[None]:
    """Within, sums that this thread of the program asks for use no more threads; None sets no limit."""
    limits = [limit for limit in (_limit.get(), *n_threads) if limit is not None]
    token = _limit.set(min(limits, default=None))
    try:
        yield
    finally:
        _limit.reset(token)


def n_threads_of(n_jobs: int | None) -> int | None:
    """A limit from joblib's convention: −1 is every core, −2 all but one; None sets no limit."""
    if n_jobs is None:
        return None
    if not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise ValueError(f"n_jobs is {n_jobs!r}; it must be a whole number but 0 (negative spares cores), or None.")
    return int(n_jobs) if n_jobs > 0 else max(1, cores() + 1 + int(n_jobs))


def shared_pool() -> ThreadPoolExecutor:
    """Its threads end with the interpreter."""
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(max_workers=cores(), thread_name_prefix="nca-sums")
        return _pool


def _run(count: int, work: Callable[[int], None]) -> None:
    """work(0), work(1), ... work(count − 1), on as many threads as there may be, the caller's among them."""
    claim, lock, failed = iter(range(count)), threading.Lock(), threading.Event()

    def run() -> None:
        try:
            while not failed.is_set():
                with lock:
                    number = next(claim, None)
                if number is None:
                    return
                work(number)
        except BaseException:
            failed.set()  # no other part begins
            raise

    helpers: list[Future[None]] = []
    try:
        for _ in range(min(workers(), count) - 1):
            try:
                helpers.append(shared_pool().submit(run))
            except RuntimeError:  # the interpreter ends: a thread that outlives its main program works alone
                break
        run()
    except BaseException:
        failed.set()
        raise
    finally:  # none may still be at work while the caller handles an error
        wait([helper for helper in helpers if not helper.cancel()])
    for helper in helpers:
        if not helper.cancelled():
            helper.result()


def summed(parts: Sequence[tuple[int, int]], work: Work, shape: tuple[int, ...], *, apart: bool = False) -> np.ndarray:
    """Σ over parts of what `work(start, stop, out)` adds to a zeroed `out` of `shape`; each part on a thread.

    Parts are added in their order. Only those are held that wait for an earlier one; where no two parts add to the same
    place (`apart`) one array does for all.
    """
    total = np.zeros(shape)
    if len(parts) == 1:
        work(*parts[0], total)
        return total
    if apart:
        each(lambda part: work(*part, total), parts)
        return total
    ready: dict[int, np.ndarray] = {}
    lock, added = threading.Lock(), 0

    def one(number: int) -> None:
        nonlocal added
        out = total if number == 0 else np.zeros(shape)
        work(*parts[number], out)
        with lock:
            ready[number] = out
            while added in ready:
                done = ready.pop(added)
                if added > 0:
                    np.add(total, done, out=total)
                added += 1

    _run(len(parts), one)
    return total


def each(work: Callable[[Task], Result], tasks: Sequence[Task]) -> list[Result]:
    """What `work` makes of each task, on all threads; the longest tasks should come first."""
    results: dict[int, Result] = {}

    def one(number: int) -> None:
        results[number] = work(tasks[number])

    _run(len(tasks), one)
    return [results[number] for number in range(len(tasks))]


def split(n: int, count: int) -> list[tuple[int, int]]:
    """`count` ranges of about equal length that cover 0..n, none of them empty."""
    if count == 1:
        return [(0, n)] if n else []
    cuts = [round(n * k / count) for k in range(count + 1)]
    return [(a, b) for a, b in pairwise(cuts) if b > a]


def parts_of(n: int, least: int) -> list[tuple[int, int]]:
    """Ranges of about equal length that cover 0..n, each of at least `least`."""
    return split(n, max(1, min(MOST_PARTS, n // least)))


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
                _restore_blas()


def _restore_blas() -> None:
    for blas, number in _found:
        if number > 1:
            blas.set_num_threads(number)
    _found.clear()


@lru_cache(maxsize=2)
def _blas(with_scipy: bool) -> tuple[LibController, ...]:
    """Those loaded by now: looking for them takes milliseconds, and scipy brings a BLAS of its own."""
    return tuple(library for library in ThreadpoolController().lib_controllers if library.user_api == "blas")


def _reset_after_fork() -> None:
    """Reset a forked child, which has none of its parent's threads and evaluations, and perhaps a closed lock."""
    global _lock, _pool, _under_way
    _lock, _pool, _under_way = threading.Lock(), None, 0
    _restore_blas()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_after_fork)
