"""in_turn: long work on many pieces, one after the other in this thread; workers of a cluster may take its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from nca_core.where import Slot


class Spread(Protocol):
    """What `work(shared, piece, slot)` makes of each piece, in their order.

    `work` and what it is given travel to another process where the pieces are done there; so `work` is a function of a
    module. What `slot` raises here ends all of it and comes out.
    """

    def __call__(
        self, work: Callable[[Any, Any, Slot], Any], shared: Any, pieces: Sequence[Any], slot: Slot
    ) -> Iterator[Any]: ...


def in_turn(work: Callable[[Any, Any, Slot], Any], shared: Any, pieces: Sequence[Any], slot: Slot) -> Iterator[Any]:
    """One after the other, in the calling thread."""
    for piece in pieces:
        yield work(shared, piece, slot)
