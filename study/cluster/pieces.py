"""PiecesThere: pieces of long work on the workers, a few at a time; those of a lost worker are done again elsewhere."""

from __future__ import annotations

import contextlib
from asyncio import CancelledError
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Any

from distributed import Client, Future, wait

from nca_core.where import Slot
from study.cluster.connection import Connection, Unreachable, lost, result_of
from study.cluster.on_worker import piece_there
from study.pieces import in_turn

_LOOK = 0.2  # seconds between two looks at whether the work was ended
_LOST = 10  # errors of workers that are lost one after the other before a piece is given up
Work = Callable[[Any, Any, Slot], Any]


class PiecesThere:
    """A `study.pieces.Spread`: on the workers of a connection; here, what is left, where there are none."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __call__(self, work: Work, shared: Any, pieces: Sequence[Any], slot: Slot) -> Iterator[Any]:
        given, early = 0, {}
        try:
            asked = [(shared, piece) for piece in pieces]
            with contextlib.closing(finished(self._connection, work, asked, slot)) as results:
                for number, result in results:
                    early[number] = result
                    while given in early:
                        yield early.pop(given)
                        given += 1
        except Unreachable:
            yield from in_turn(work, shared, pieces[given:], slot)


def finished(
    connection: Connection, work: Work, asked: Iterable[tuple[Any, Any]], slot: Slot, gives_way: bool = True
) -> Generator[tuple[int, Any], None, None]:
    """(number, result) of each as it comes.

    As many are under way as the workers have threads; where they give way to nobody, as many wait there for their turn.

    Parameters
    ----------
    work : callable
        ``work(shared, piece, slot)``, a function of a module.
    asked : iterable of (shared, piece)
        What it is given; what is shared travels once.
    slot : callable
        Entered now and then; what it raises ends all of it.
    gives_way : bool
        Beside trainings of people, and at a low priority.

    Raises
    ------
    Unreachable
        Where there is no scheduler, or it is lost.
    """
    client = connection.client()
    waiting = deque(enumerate(asked))
    shares: dict[int, Future] = {}
    running: dict[Future, tuple[int, contextlib.ExitStack]] = {}
    try:
        while waiting or running:
            threads = connection.threads()
            while waiting and len(running) < max(1, sum(threads.values())) * (1 if gives_way else 2):
                number, (shared, piece) = waiting.popleft()
                future, stack = _sent(client, connection, shares, work, shared, piece, gives_way)
                running[future] = number, stack
            with slot():
                pass
            for future in _done(client, list(running)):
                number, stack = running.pop(future)
                stack.close()
                yield number, result_of(future)
    except (Exception, CancelledError) as error:
        if isinstance(error, Unreachable) or not lost(client, error):
            raise
        raise Unreachable(connection.gone) from None
    finally:
        with contextlib.suppress(Exception):
            client.cancel([*running, *shares.values()])
        for _, stack in running.values():
            stack.close()


def _sent(
    client: Client,
    connection: Connection,
    shares: dict[int, Future],
    work: Work,
    shared: Any,
    piece: Any,
    gives_way: bool,
) -> tuple[Future, contextlib.ExitStack]:
    if shared is not None and id(shared) not in shares:
        # Not scattered: what a lost worker held is then made again by the scheduler.
        shares[id(shared)] = client.submit(_same, shared, pure=False)
    stack = contextlib.ExitStack()
    options = stack.enter_context(connection.place()) if gives_way else {}
    there = None if shared is None else shares[id(shared)]
    return client.submit(piece_there, work, there, piece, gives_way, pure=False, retries=_LOST, **options), stack


def _same(shared: Any) -> Any:
    return shared


def _done(client: Client, running: list[Future]) -> list[Future]:
    """Those that have ended, after waiting for the first of them for a moment."""
    try:
        with client.as_current():
            return list(wait(running, timeout=_LOOK, return_when="FIRST_COMPLETED").done)
    except TimeoutError:
        if client.status != "running":
            raise OSError("the scheduler is gone") from None
        return []
