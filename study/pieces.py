"""Work on many pieces: one after the other in this thread, or spread over processes or the workers of a cluster."""

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import Any

from nca_core.training.run import Slot

Work = Callable[[Any, Any, Slot], Any]  # work(shared, piece, slot), a function of a module, so that it can travel
Inputs = Iterable[tuple[Any, Any]]  # (shared, piece)
PieceResults = Generator[tuple[int, Any], None, None]  # (number of the input, result), as they come
Spread = Callable[[Work, Inputs, Slot], PieceResults]


def in_turn(work: Work, inputs: Inputs, slot: Slot) -> PieceResults:
    """Carry out one after the other in the calling thread; what `slot` raises ends all of it."""
    for number, (shared, piece) in enumerate(inputs):
        yield number, work(shared, piece, slot)


def in_order(spread: Spread, work: Work, shared: Any, pieces: Iterable[Any], slot: Slot) -> Generator[Any, None, None]:
    """The results of pieces that share one object, in the order of the pieces."""
    early: dict[int, Any] = {}
    given = 0
    with closing(spread(work, [(shared, piece) for piece in pieces], slot)) as results:
        for number, result in results:
            early[number] = result
            while given in early:
                yield early.pop(given)
                given += 1
