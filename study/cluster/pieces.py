"""PiecesThere: pieces of long work on the workers, a few at a time; those of a lost worker are done again elsewhere."""

from __future__ import annotations

import contextlib
from asyncio import CancelledError
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any

from distributed import Client, Future, wait

from nca_core.training.run import Slot
from study.cluster.connection import Connection, Unreachable, lost, task_result
from study.cluster.on_worker import piece_there
from study.pieces import Work, in_turn

_LOOK = 0.2  # seconds between two looks at whether the work was cancelled
_RETRIES = 10  # workers lost one after the other before a piece is given up


class PiecesThere:
    """A `study.pieces.Spread`: on the workers of a connection; here, what is left, where there are none."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __call__(self, work: Work, shared: Any, pieces: Sequence[Any], slot: Slot) -> Iterator[Any]:
        given, early = 0, {}
        try:
            inputs = [(shared, piece) for piece in pieces]
            with contextlib.closing(finished(self._connection, work, inputs, slot)) as results:
                for number, result in results:
                    early[number] = result
                    while given in early:
                        yield early.pop(given)
                        given += 1
        except Unreachable:
            yield from in_turn(work, shared, pieces[given:], slot)


def finished(
    connection: Connection, work: Work, inputs: Iterable[tuple[Any, Any]], slot: Slot
) -> Generator[tuple[int, Any], None, None]:
    """(number, result) of each as it comes; as many run at a time as the workers have threads.

    Parameters
    ----------
    work : callable
        ``work(shared, piece, slot)``, a function of a module.
    inputs : iterable of (shared, piece)
        What it is given; what is shared travels once.
    slot : callable
        Entered now and then; what it raises ends all of it.

    Raises
    ------
    Unreachable
        Where there is no scheduler, or it is lost.
    """
    client = connection.client()
    waiting = deque(enumerate(inputs))
    shares: dict[int, Future] = {}
    running: dict[Future, tuple[int, str | None]] = {}  # number and worker
    try:
        while waiting or running:
            while waiting and len(running) < max(1, sum(connection.threads().values())):
                number, (shared, piece) = waiting.popleft()
                if shared is not None and id(shared) not in shares:
                    # Not scattered: the scheduler can compute again what a lost worker held.
                    shares[id(shared)] = client.submit(_same, shared, pure=False)
                worker, there = connection.take(), None if shared is None else shares[id(shared)]
                to = connection.options(worker)
                future = client.submit(piece_there, work, there, piece, pure=False, retries=_RETRIES, **to)
                running[future] = number, worker
            with slot():
                pass
            for future in _done(client, list(running)):
                number, worker = running.pop(future)
                connection.give_back(worker)
                yield number, task_result(future)
    except (Exception, CancelledError) as error:
        if isinstance(error, Unreachable) or not lost(client, error):
            raise
        raise Unreachable(connection.gone) from None
    finally:
        with contextlib.suppress(Exception):
            client.cancel([*running, *shares.values()])
        for _, worker in running.values():
            connection.give_back(worker)


def _same(shared: Any) -> Any:
    return shared


def _done(client: Client, running: list[Future]) -> list[Future]:
    """Futures that have ended, after a short wait for the first of them."""
    try:
        with client.as_current():
            return list(wait(running, timeout=_LOOK, return_when="FIRST_COMPLETED").done)
    except TimeoutError:
        if client.status != "running":
            raise OSError("the scheduler is gone") from None
        return []
