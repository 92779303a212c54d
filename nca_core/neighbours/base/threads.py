"""One bounded pool for the compiled loops of all trainings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

import numpy as np

Task = TypeVar("Task")
Result = TypeVar("Result")


@lru_cache(maxsize=1)
def workers() -> int:
    """Cores that this process may use: of a container it may be a few among many."""
    from joblib import cpu_count

    return max(1, cpu_count())


@lru_cache(maxsize=1)
def shared_pool() -> ThreadPoolExecutor:
    """Its threads end with the interpreter."""
    return ThreadPoolExecutor(max_workers=workers(), thread_name_prefix="nca-sums")


def summed(
    parts: Sequence[tuple[int, int]], work: Callable[[int, int, np.ndarray], None], shape: tuple[int, ...]
) -> np.ndarray:
    """Σ over parts of what `work(start, stop, out)` adds to a zeroed `out` of `shape`; each part on a thread."""
    outs = [np.zeros(shape) for _ in parts]
    if not parts:
        return np.zeros(shape)
    waiting = [shared_pool().submit(work, *part, out) for part, out in zip(parts[1:], outs[1:], strict=True)]
    try:
        work(*parts[0], outs[0])
    finally:  # none may still be at work while the caller handles an error
        wait(waiting)
    for future in waiting:
        future.result()
    for out in outs[1:]:
        outs[0] += out
    return outs[0]


def each(work: Callable[[Task], Result], tasks: Sequence[Task]) -> list[Result]:
    """What `work` makes of each task, on all threads; the longest tasks should come first."""
    if len(tasks) == 1:
        return [work(tasks[0])]
    waiting = [shared_pool().submit(work, task) for task in tasks]
    wait(waiting)
    return [future.result() for future in waiting]


def parts_of(n: int, least: int) -> list[tuple[int, int]]:
    """Ranges of about equal length that cover 0..n, one for each thread that gets at least `least`."""
    count = max(1, min(workers(), n // least))
    cuts = [round(n * k / count) for k in range(count + 1)]
    return [(a, b) for a, b in pairwise(cuts) if b > a]
