"""Parts that are the chunks of a Dask array; each pass goes to where they are. Dask is imported only for these."""

import pickle
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, TypeVar

import numpy as np

from nca_core.neighbours.base.threads import Work as Summand
from nca_core.neighbours.base.threads import one_blas_thread, workers
from nca_core.parts.sources import Arguments, Part, PartSource, Work, blocks_of, cell_of, check_table

Result = TypeVar("Result")

_ATTEMPTS, _RETRY_AFTER = 5, 0.5  # seconds, in which the scheduler hears of the loss
_LEAST_NUMBERS = 10_000  # of a sum that is sent; sums over fewer points also keep what they found for the gradient
_SHORT = 64
_ROUND_TRIP = 0.05  # a worker
_BYTES_A_SECOND = 2e8  # of a network; what gains less than it takes on its way stays here


def is_dask(X: Any) -> bool:
    """Whether X is one of Dask's collections, by the name of its module, so that nothing is imported."""
    return type(X).__module__.split(".")[0] in ("dask", "dask_expr")


def current_client() -> Any:
    """The client of Dask's scheduler of this program, or None."""
    if "distributed" not in sys.modules:
        return None
    try:
        from distributed import default_client

        return default_client()
    except (ImportError, ValueError):  # not installed, or none was made
        return None


class _OnWorkers(PartSource):
    """Parts that the workers of the client read, where there is one."""

    def __init__(self, parts: Sequence[Part], n_features: int, columns: tuple[str, ...] | None = None) -> None:
        super().__init__(parts, n_features, columns)
        self.elsewhere = sum_on_workers

    def over(self, work: Work, arguments_of: Arguments, parts: range | None = None) -> list[Any]:
        client, chosen = current_client(), range(len(self.counts)) if parts is None else parts
        if client is None:
            return self.over_here(work, arguments_of, chosen)
        arguments = [arguments_of(part) for part in chosen]  # to the workers directly, not through the scheduler
        return retry_lost_workers(
            lambda: list(client.gather(client.compute(self.tasks(work, chosen, client.scatter(arguments, hash=False)))))
        )

    def over_here(self, work: Work, arguments_of: Arguments, chosen: range) -> list[Any]:
        """`over` without a client."""
        return super().over(work, arguments_of, chosen)


class DaskSource(_OnWorkers):
    """The chunks of rows of a Dask array. Empty ones are passed over.

    X: (n_samples, n_features); where columns are cut, too, they are put together.
    """

    def __init__(self, X: Any) -> None:
        if type(X).__name__ != "Array":
            raise ValueError(f"X is a Dask {type(X).__name__}; give a Dask array: X.to_dask_array(lengths=True).")
        if X.ndim != 2:
            raise ValueError(f"X has {X.ndim} dimension(s); it must have 2: (n_samples, n_features).")
        if np.isnan(X.shape).any():
            raise ValueError("X has chunks of unknown length; call X.compute_chunk_sizes() first.")
        if len(X.chunks[1]) > 1:
            X = X.rechunk({1: -1})
        check_table("X", X.shape, X.dtype, None)
        self._X = X  # which may hold chunks on the workers
        chunks = X.to_delayed(optimize_graph=True)[:, 0]
        filled = [(number, count) for number, count in enumerate(X.chunks[0]) if count]
        self._chunks = [(chunks[number], f"X.blocks[{number}]") for number, _ in filled]
        super().__init__([Part(count, cell_of(f"X.blocks[{number}]", 0)) for number, count in filled], X.shape[1])

    def over_here(self, work: Work, arguments_of: Arguments, chosen: range) -> list[Any]:
        import dask

        return list(dask.compute(*self.tasks(work, chosen, [arguments_of(part) for part in chosen])))

    def tasks(self, work: Work, chosen: range, arguments: list[Any]) -> list[Any]:
        import dask

        over_chunk = dask.delayed(_over_chunk, pure=False)
        return [
            over_chunk(work, *self._chunks[part], self.counts[part], argument)
            for part, argument in zip(chosen, arguments, strict=True)
        ]


class SharedFiles(_OnWorkers):
    """Files that the workers of the client read, where there is one; else this process does."""

    def __init__(self, source: PartSource) -> None:
        super().__init__(source.parts, source.n_features, source.columns)

    def tasks(self, work: Work, chosen: range, arguments: list[Any]) -> list[Any]:
        import dask

        over_file = dask.delayed(_over_file, pure=False)
        return [
            over_file(work, self.parts[part].blocks, self.counts[part], argument)
            for part, argument in zip(chosen, arguments, strict=True)
        ]


def _over_file(work: Work, read: Callable[[], Any], count: int, arguments: tuple[Any, ...]) -> Any:
    with one_blas_thread():  # a worker has other parts for its other threads
        return work(read(), count, *arguments)


def _over_chunk(work: Work, chunk: Any, name: str, count: int, arguments: tuple[Any, ...]) -> Any:
    if not isinstance(chunk, np.ndarray) or isinstance(chunk, np.ma.MaskedArray):
        raise ValueError(f"X has chunks of type {type(chunk).__name__}; they must be numpy arrays.")
    if chunk.shape[:1] != (count,):
        raise ValueError(f"{name} has {len(chunk)} rows where X.chunks says {count}; call X.compute_chunk_sizes().")
    with one_blas_thread():  # a worker has other chunks for its other threads
        return work(blocks_of(chunk, 0, count), count, *arguments)


def projected_chunks(X: Any, A: np.ndarray) -> Any:
    """X Aᵀ of a Dask array, not computed yet; Dask array (n_samples, n_components)."""
    X = DaskSource(X)._X
    return X.map_blocks(_projected, A, dtype=np.float64, chunks=(X.chunks[0], (len(A),)), meta=np.empty((0, 0)))


def lazy_concatenation(found: list[Any], number: int, counts: Sequence[int]) -> Any:
    """The arrays `number` of what workers hold for each part, one behind the other; Dask array (n_samples,)."""
    import dask.array as da

    arrays = [da.from_delayed(future, (2, count), float) for future, count in zip(found, counts, strict=True)]
    return da.concatenate(arrays, axis=1)[number]


def _projected(block: Any, A: np.ndarray) -> np.ndarray:
    from sklearn.utils.validation import check_array

    return check_array(block, dtype=np.float64, ensure_min_samples=0) @ A.T


def sum_on_workers(parts: Sequence[tuple[int, int]], work: Summand, shape: tuple[int, ...]) -> np.ndarray | None:
    """A sum over pairs, shares of which go to the workers of the client that there is at that moment; an `Elsewhere`.

    A sum is cut into parts by its size alone and these are added in their order, so that the result is the same for
    every number of workers, and the same as without any. The time of the first part, done here, decides whether the
    others are worth sending.
    """
    if len(parts) < 2 or np.prod(shape) < _LEAST_NUMBERS:
        return None
    client = current_client()
    if client is None:
        return None
    import cloudpickle  # comes with Dask

    began, first = time.perf_counter(), np.zeros(shape)
    work(*parts[0], first)
    rest = (time.perf_counter() - began) * (len(parts) - 1)
    # As bytes: arrays that Dask unpacks by itself are read-only, for which the loops would be compiled once more,
    # and add in another order.
    packed = cloudpickle.dumps(work)
    threads = client.nthreads().values()
    travels = len(packed) * len(threads) + 8 * np.count_nonzero(first) * len(parts)
    gained = rest / workers() - rest / max(1, min(sum(threads), len(parts) - 1))
    if gained < _ROUND_TRIP + travels / _BYTES_A_SECOND:
        return None

    def added() -> np.ndarray:
        (sent,) = client.scatter([packed], hash=False, broadcast=True)
        tasks = [client.submit(_share, sent, start, stop, shape, pure=False) for start, stop in parts[1:]]
        total = first.ravel().copy()
        for number, task in enumerate(tasks):
            tasks[number] = None  # and the worker forgets it
            _add(total, *task.result())
        return total.reshape(shape)

    return retry_lost_workers(added)


def retry_lost_workers(work: Callable[[], Result]) -> Result:
    """Run `work()`, again from its beginning where a worker was lost with the only copy of something."""
    from distributed.comm import CommClosedError

    for _ in range(_ATTEMPTS - 1):
        with suppress(CancelledError, CommClosedError, TimeoutError):  # the last while no worker is there
            return work()
        time.sleep(_RETRY_AFTER)
    return work()


def _share(packed: bytes, start: int, stop: int, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """What a part of a packed `Work` adds: the edges of the runs that are not 0, and their values one after another."""
    work: Summand = pickle.loads(packed)
    out = np.zeros(shape)
    with one_blas_thread():  # as the caller would have it, for the same bits
        work(start, stop, out)
    values = out.ravel()
    here = np.concatenate(([False], values != 0, [False]))
    edges = np.flatnonzero(here[1:] != here[:-1])
    # A short run of zeros is sent along.
    apart = np.flatnonzero(edges[2::2] - edges[1:-1:2] > _SHORT)
    edges = np.concatenate(
        (edges[:1], np.stack((edges[1:-1:2][apart], edges[2::2][apart]), axis=1).ravel(), edges[-1:])
    )
    runs = [values[first:last] for first, last in edges.reshape(-1, 2)]
    return edges, np.concatenate(runs) if runs else values[:0]


def _add(total: np.ndarray, edges: np.ndarray, values: np.ndarray) -> None:
    done = 0
    for first, last in edges.reshape(-1, 2):
        total[first:last] += values[done : done + last - first]
        done += last - first
