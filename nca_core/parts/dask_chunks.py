"""Parts that are the chunks of a Dask array; each pass goes to where they are. Dask is imported only for these."""

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, TypeVar

import numpy as np

from nca_core.neighbours.base.threads import one_blas_thread
from nca_core.parts.sources import Arguments, Part, PartSource, Work, blocks_of, cell_of, check_table

Result = TypeVar("Result")

_ATTEMPTS, _RETRY_AFTER = 5, 0.5  # seconds, in which the scheduler hears of the loss


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
    """Parts that the workers of the client read, where there is one.

    on_worker: ``on_worker(work, held, n_rows, arguments)`` does the work on a part, of which `held` is kept here.
    """

    for_workers = True
    on_worker: Callable[..., Any]
    held: Sequence[Any]

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

    def tasks(self, work: Work, chosen: range, arguments: list[Any]) -> list[Any]:
        """`over` as Delayed objects; arguments: tuples, or futures of them."""
        import dask

        task = dask.delayed(self.on_worker, pure=False)
        pairs = zip(chosen, arguments, strict=True)
        return [task(work, self.held[part], self.counts[part], argument) for part, argument in pairs]


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
        self.on_worker, self.held = _over_chunk, [(chunks[number], f"X.blocks[{number}]") for number, _ in filled]
        super().__init__([Part(count, cell_of(f"X.blocks[{number}]", 0)) for number, count in filled], X.shape[1])

    def over_here(self, work: Work, arguments_of: Arguments, chosen: range) -> list[Any]:
        import dask

        return list(dask.compute(*self.tasks(work, chosen, [arguments_of(part) for part in chosen])))


class SharedFiles(_OnWorkers):
    """Files that the workers of the client read, where there is one; else this process does."""

    def __init__(self, source: PartSource) -> None:
        self.on_worker, self.held = _over_file, [part.blocks for part in source.parts]
        super().__init__(source.parts, source.n_features, source.columns)


def _over_file(work: Work, read: Callable[[], Any], count: int, arguments: tuple[Any, ...]) -> Any:
    with one_blas_thread():  # a worker has other parts for its other threads
        return work(read(), count, *arguments)


def _over_chunk(work: Work, held: tuple[Any, str], count: int, arguments: tuple[Any, ...]) -> Any:
    chunk, name = held
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


def retry_lost_workers(work: Callable[[], Result]) -> Result:
    """Run `work()`, again from its beginning where a worker was lost with the only copy of something."""
    from distributed.comm import CommClosedError

    for _ in range(_ATTEMPTS - 1):
        with suppress(CancelledError, CommClosedError, TimeoutError):  # the last while no worker is there
            return work()
        time.sleep(_RETRY_AFTER)
    return work()
