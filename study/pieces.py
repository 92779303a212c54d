"""Work on many pieces: one after the other in this thread, or spread over the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from nca_core.training.run import Slot

Work = Callable[[Any, Any, Slot], Any]  # work(shared, piece, slot), a function of a module, so that it can travel
Spread = Callable[[Work, Any, Sequence[Any], Slot], Iterator[Any]]  # (work, shared, pieces, slot) -> results in order


def in_turn(work: Work, shared: Any, pieces: Sequence[Any], slot: Slot) -> Iterator[Any]:
    """Carry out one after the other in the calling thread; what `slot` raises ends all of it."""
    for piece in pieces:
        yield work(shared, piece, slot)
