"""Run pieces of long work on the workers; another worker repeats those of a lost one."""

import contextlib
from collections import deque
from typing import Any

from distributed import Client, Future, wait

from nca_core.training.run import Slot
from study.cluster.connection import Connection, Unreachable, task_result
from study.cluster.on_worker import run_piece
from study.pieces import Inputs, PieceResults, Work, in_turn

_POLL = 0.2  # seconds between two checks for a cancel
_RETRIES = 10  # of a piece whose worker is lost


def spread_on_workers(connection: Connection, work: Work, inputs: Inputs, slot: Slot) -> PieceResults:
    """A `study.pieces.Spread` over the workers of a connection; without workers the rest is done here."""
    left = dict(enumerate(inputs))
    try:
        with contextlib.closing(finished(connection, work, left.values(), slot)) as results:
            for number, result in results:
                del left[number]
                yield number, result
    except Unreachable:
        numbers = list(left)
        for place, result in in_turn(work, left.values(), slot):
            yield numbers[place], result


def finished(connection: Connection, work: Work, inputs: Inputs, slot: Slot) -> PieceResults:
    """Yield (number, result) of ``work(shared, piece, slot)`` for all `inputs`, as they come.

    As many run at once as the workers have threads; each shared object is sent once. `slot` is entered regularly, and
    what it raises ends the work. Raises Unreachable without a scheduler.
    """
    waiting = deque(enumerate(inputs))
    shares: dict[int, Future] = {}
    running: dict[Future, tuple[int, str | None]] = {}  # number and worker
    with connection.use() as client:
        try:
            while waiting or running:
                while waiting and len(running) < max(1, sum(connection.threads().values())):
                    number, (shared, piece) = waiting.popleft()
                    if shared is not None and id(shared) not in shares:
                        # Not scattered: the scheduler can compute again what a lost worker held.
                        shares[id(shared)] = client.submit(_identity, shared, pure=False)
                    there = None if shared is None else shares[id(shared)]
                    worker, to = connection.reserve()
                    future = client.submit(run_piece, work, there, piece, pure=False, retries=_RETRIES, **to)
                    running[future] = number, worker
                with slot():
                    pass
                for future in _done(client, list(running)):
                    number, worker = running.pop(future)
                    connection.release(worker)
                    yield number, task_result(future)
        finally:
            with contextlib.suppress(Exception):
                client.cancel([*running, *shares.values()])
            for _, worker in running.values():
                connection.release(worker)


def _identity(shared: Any) -> Any:
    return shared


def _done(client: Client, running: list[Future]) -> list[Future]:
    """Futures that have ended, after a short wait for the first of them."""
    try:
        with client.as_current():
            return list(wait(running, timeout=_POLL, return_when="FIRST_COMPLETED").done)
    except TimeoutError:
        if client.status != "running":
            raise OSError("the scheduler is gone") from None
        return []
