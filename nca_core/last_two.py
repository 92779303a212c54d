"""LastTwo: what was computed at the last two places. An optimiser asks again for the one that it has just accepted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

T = TypeVar("T")


class LastTwo(Generic[T]):
    """Keeps two results by the variables they belong to, at least one; may be asked from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: tuple[tuple[np.ndarray, T], ...] = ()

    def at(self, variables: np.ndarray, compute: Callable[[], T]) -> T:
        """The result at `variables`, computed where it is not one of the last two."""
        for there, kept in self._kept:
            if there.shape == variables.shape and there.item(0) == variables.item(0) and (there == variables).all():
                return kept
        there = variables.copy()  # an optimiser goes on in the same array
        found = compute()
        with self._lock:
            self._kept = ((there, found), *self._kept[:1])
        return found
