"""Limits on memory, descriptors and concurrent work, shared by all workspaces."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakValueDictionary

from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from pages.server.compat import uploaded_files
from pages.server.document import Upload
from pages.server.middleware import owner_of
from pages.server.workspace import Hub, Workspace

VARIABLE = "NCA_EXPLORER_TABLES_MB"
_USUAL = 500.0  # MB
_DESCRIPTORS = 65_536
_TIMES = 4  # what a table takes at the most, in times of its file
_LOOK = 0.25  # seconds between two looks at whether somebody still waits
AT_ONCE = 3  # files on their way, each of up to 50 MB
LARGEST = 52e6  # bytes of a file and what stands around it
KEPT = 3  # files of a session that no page has taken yet; none has more fields
KEPT_BYTES = 200e6  # of all sessions
WAITING_BYTES = 160e6  # of files that come or wait to be read; those beyond wait in their browsers
_TAKEN_WITHIN = 2.0  # seconds for a page to take what has come, from when on it waits to be read
PACE = 10.0  # seconds for each `LEAST` bytes: who sends less keeps others from their turn
LEAST = 16_384
LONGEST = 900.0  # seconds for a file, so that half a Mbit/s is enough for 50 MB
_PATH = "/_stcore/upload_file/"
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


# -- uploads


class UploadsGuard:
    """Around Streamlit's route for uploads, which keeps all that it gets for as long as the session lives."""

    def __init__(self, app: ASGIApp, waiting: Callable[[], float] = lambda: 0) -> None:
        self.app = app
        self._waiting = waiting  # bytes of files that wait to be read
        self._coming = 0.0  # bytes of files on their way, and of those that have just come
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._one_each: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by owner and session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT" or _PATH not in scope["path"]:
            await self.app(scope, receive, send)
            return

        size = _said_size(scope)
        session = scope["path"].partition(_PATH)[2].partition("/")[0]
        # The cookie is of many tabs; anybody can make up another one, but no session that is open.
        async with self._one_of(_whose(scope)), self._one_of(f"session {session}"), self._turns:
            try:
                async with asyncio.timeout(LONGEST):
                    while (there := self._waiting() + self._coming) and there + size > WAITING_BYTES:
                        await asyncio.sleep(_LOOK)
                    self._coming += size
                    try:
                        await self.app(scope, _in_time(receive), send)
                    finally:
                        asyncio.get_running_loop().call_later(_TAKEN_WITHIN, self._has_come, size)
            except TimeoutError:  # it would keep its turn from everybody else
                closed = {"Connection": "close"}
                await PlainTextResponse("The file did not arrive.", 408, closed)(scope, receive, send)
            except ClientDisconnect:  # nobody is there to be answered, and nothing has failed
                pass
        keep_few_uploads(session, KEPT, KEPT_BYTES)

    def _one_of(self, whose: str) -> asyncio.Lock:
        return self._one_each.setdefault(whose, asyncio.Lock())

    def _has_come(self, size: float) -> None:
        self._coming -= size


def _in_time(receive: Receive) -> Receive:
    """What comes, as long as it comes at the least pace."""
    until, came = 0.0, LEAST

    async def receive_in_time() -> Message:
        nonlocal until, came
        if came >= LEAST:
            until, came = asyncio.get_running_loop().time() + PACE, 0
        async with asyncio.timeout_at(until):
            message = await receive()
        came += len(message.get("body", b""))
        return message

    return receive_in_time


def _whose(scope: Scope) -> str:
    """The owner's cookie; the address of a browser without one."""
    return owner_of(HTTPConnection(scope).cookies) or (scope.get("client") or ("",))[0]


def _said_size(scope: Scope) -> float:
    """Bytes, as the request says; the largest that may come where it says nothing that one can read."""
    said = next((value for name, value in scope.get("headers", ()) if name == b"content-length"), b"")
    return min(LARGEST, float(said)) if said.isdigit() else LARGEST


def keep_few_uploads(session_id: str, most: int, most_bytes: float) -> None:
    """Remove the oldest files of a session beyond `most`, then those of the largest sessions beyond `most_bytes`."""
    manager = uploaded_files()
    if manager is None:
        return
    for file_id in list(manager.file_storage.get(session_id, ()))[:-most]:
        manager.remove_file(session_id, file_id)
    while (held := _held_bytes(manager)) and sum(held.values()) > most_bytes:
        largest = max(held, key=lambda session: held[session])
        manager.remove_file(largest, next(iter(manager.file_storage[largest])))


def _held_bytes(manager: Any) -> dict[str, int]:
    """Bytes by session, of the sessions that have files."""
    sizes = {s: sum(len(file.data) for file in list(files.values())) for s, files in list(manager.file_storage.items())}
    return {session: size for session, size in sizes.items() if size}


def forget_upload(session_id: str, file_id: str) -> None:
    """Remove a file that the workspace holds itself from now on."""
    manager = uploaded_files()
    if manager is not None:
        manager.remove_file(session_id, file_id)
