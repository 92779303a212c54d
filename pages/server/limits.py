"""Limits on memory, descriptors and concurrent work, shared by all workspaces."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from pages.server.document import Upload
from pages.server.hub import Hub
from pages.server.workspace import Workspace

VARIABLE = "NCA_EXPLORER_TABLES_MB"
_USUAL = 500.0  # MB
_DESCRIPTORS = 65_536
_TIMES = 4  # what a table takes at the most, in times of its file
_LOOK = 0.25  # seconds between two looks at whether somebody still waits
_being_read: dict[object, float] = {}  # bytes that each table may take that is being read
_one_is_read = threading.Condition()


def most_bytes() -> float:
    """How much the tables of all workspaces may take; the environment says it in MB."""
    try:
        return 1e6 * max(1.0, float(os.environ.get(VARIABLE, _USUAL)))
    except ValueError:
        return 1e6 * _USUAL


def held_bytes(space: Workspace) -> int:
    """What a workspace holds of files, tables and data sets, in bytes, about; not what is to be read next."""
    own = space.document
    uploads = {id(each): each for each in (own.upload, own.failed_upload) if each is not None}
    held = sum(map(_of_upload, uploads.values())) + sum(map(_of_dataset, own.own_data.values()))
    if not space.in_sight:  # else it has its own limit
        held += _waiting_bytes(space)
    return held if own.comparison is None else held + own.comparison.prepared.dataset.X.nbytes


def waiting_bytes(hub: Hub) -> int:
    """What the files take that wait to be read, of those who still look."""
    return sum(_waiting_bytes(space) for space in hub.firsts() if space.in_sight)


@contextmanager
def room_for(
    hub: Hub, space: Workspace, n_bytes: int, name: str, given_up: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """Let a table of `n_bytes` in, and count what it may take as held until it has been read.

    Workspaces that nobody looks at are forgotten first, the oldest first; who finds no room beside a table that is
    being read waits until it is known what that one takes.

    Raises
    ------
    DataError
        Where the tables of those who are here take too much.
    GivenUp
        Where `given_up()` while it waits.
    """
    wanted, most, ticket = _TIMES * n_bytes, most_bytes(), object()
    with _one_is_read:
        while (held := sum(map(held_bytes, hub.firsts()))) + sum(_being_read.values()) + wanted > most:
            if hub.forget_oldest(besides=space):
                continue
            if not _being_read:
                free = max(0.0, most - held) / _TIMES / 1e6
                raise DataError(
                    f"{name} has {n_bytes / 1e6:.0f} MB, and the tables of all who work here leave room for a file of "
                    f"{free:.0f} MB now. Bring a smaller part of it, or try again later."
                )
            if given_up():
                raise GivenUp
            _one_is_read.wait(_LOOK)
        _being_read[ticket] = wanted
    try:
        yield
    finally:
        with _one_is_read:
            del _being_read[ticket]
            _one_is_read.notify_all()


def _waiting_bytes(space: Workspace) -> int:
    own = space.document
    return sum(len(each.data) for each in (own.waiting_upload, own.upload_before) if each is not None)


def _of_upload(upload: Upload) -> int:
    table = upload.table
    return len(upload.data) + (0 if table is None else table.n_bytes)


def _of_dataset(dataset: Dataset) -> int:
    return dataset.X.nbytes + dataset.y.nbytes + dataset.row_numbers.nbytes


_LOOK = 0.25  # seconds between two looks at whether somebody still waits


class GivenUp(Exception):
    """Nobody waits for the turn any more."""


class Turns:
    """At most `at_once` hold a turn."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._queue: list[object] = []  # the first `at_once` have their turn
        self._changed = threading.Condition()

    @contextmanager
    def turn(
        self, given_up: Callable[[], bool] = lambda: False, waits: Callable[[int], None] = lambda place: None
    ) -> Iterator[None]:
        """Wait for a turn and hold it.

        Parameters
        ----------
        given_up
            Asked now and then while it waits.
        waits
            Told the place in the queue, counted from 1, now and then while it waits.

        Raises
        ------
        GivenUp
            Where `given_up()`.
        """
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
        try:
            while (place := self._place(ticket)) > 0:
                if given_up():
                    raise GivenUp
                waits(place)
                with self._changed:
                    if self._place(ticket) == place:
                        self._changed.wait(_LOOK)
            yield
        finally:
            with self._changed:
                self._queue.remove(ticket)
                self._changed.notify_all()

    def _place(self, ticket: object) -> int:
        return self._queue.index(ticket) + 1 - self._at_once


def raise_descriptor_limit() -> int:
    """Raise the soft limit of file descriptors as far as the system allows; returns the limit."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return _DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return _DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
