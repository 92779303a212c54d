"""Limits on memory, descriptors and uploads, shared by all workspaces."""

import asyncio
import contextlib
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import fields, is_dataclass
from weakref import WeakValueDictionary

import numpy as np
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from datasets.base.errors import DataError
from datasets.reading import Table
from pages.server.compat import uploaded_files
from pages.server.document import Document
from pages.server.jobs import LOOK, GivenUp
from pages.server.middleware import owner_of
from pages.server.workspace import Hub, Workspace

VARIABLE = "NCA_EXPLORER_TABLES_MB"
_DEFAULT = 500.0  # MB
_DESCRIPTORS = 65_536
_TIMES = 4  # memory that reading a table may take, in sizes of its file
AT_ONCE = 3  # large uploads at a time, each of up to 50 MB
SMALL = 1e6  # bytes of a file that waits for no large ones
LARGEST = 52e6  # bytes of a request with a file
KEPT_BYTES = 200e6  # of files that no page has taken yet
WAITING_BYTES = 160e6  # of files that arrive or wait to be read; further uploads wait in their browsers
_TAKEN_WITHIN = 2.0  # seconds until a page takes a file that has arrived
PACE = 30.0  # seconds in which `LEAST` bytes must arrive
LEAST = 900_000  # half of what 0.5 Mbit/s brings
LONGEST = 900.0  # seconds for a file: 50 MB at 0.5 Mbit/s
MOST_SESSIONS = 10_000  # whose owner is known
_PATH = "/_stcore/upload_file/"
_reading: dict[object, float] = {}  # bytes reserved for each table being read
_one_is_read = threading.Condition()
_owners: OrderedDict[str, str] = OrderedDict()  # owner's cookie by Streamlit's session id


# -- tables


def most_bytes() -> float:
    """Memory limit for the tables of all workspaces, from the environment in MB."""
    try:
        return 1e6 * max(1.0, float(os.environ.get(VARIABLE, _DEFAULT)))
    except ValueError:
        return 1e6 * _DEFAULT


def held_bytes(spaces: Iterable[Workspace]) -> int:
    """Memory of files, tables, data sets and pictures in these workspaces; shared objects count once.

    Waiting files count only while their page is not open; `waiting_bytes` counts the others.
    """
    sizes: dict[int, int] = {}
    for page in (page for space in spaces for page in space.of_the_tab()):
        own = page.document
        waiting = () if page.attached else _waiting(own)
        tables = own.upload, own.versions, own.failed_upload, own.own_data, own.opened
        sizes.update((id(each), size) for each, size in _large((*tables, own.comparison, page.shown, waiting)))
    return sum(sizes.values())


def _large(value: object) -> Iterator[tuple[object, int]]:
    """Arrays, bytes and tables in a tree of dataclasses and containers, with their sizes."""
    if isinstance(value, np.ndarray):
        base = value
        while isinstance(base.base, np.ndarray):
            base = base.base
        yield base, base.nbytes
    elif isinstance(value, bytes):
        yield value, len(value)
    elif isinstance(value, Table):
        yield value, value.n_bytes
    elif is_dataclass(value):
        for each in fields(value):
            yield from _large(getattr(value, each.name, None))
    elif isinstance(value, Mapping):
        yield from _large(tuple(value.values()))
    elif isinstance(value, (tuple, list)) and not (value and isinstance(value[0], (str, int, float))):
        for each in tuple(value):
            yield from _large(each)


def _waiting(own: Document) -> tuple[bytes, ...]:
    return tuple(each.data for each in (own.waiting_upload, own.upload_before) if each is not None)


def waiting_bytes(hub: Hub) -> int:
    """Bytes of files that wait to be read in attached workspaces."""
    return sum(len(data) for space in hub.tabs() if space.attached for data in _waiting(space.document))


@contextmanager
def room_for(
    hub: Hub, space: Workspace, n_bytes: int, name: str, given_up: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """Reserve memory to read a table of `n_bytes`; DataError if the tables in use leave no room.

    Unattached workspaces are discarded for it, the longest unused first. Without room it waits for the tables that are
    being read; GivenUp if `given_up()` meanwhile.
    """
    wanted, most, ticket = _TIMES * n_bytes, most_bytes(), object()
    with _one_is_read:
        while (held := held_bytes(hub.tabs())) + sum(_reading.values()) + wanted > most:
            if hub.discard_oldest(besides=space):
                continue
            if not _reading:
                free = max(0.0, most - held) / _TIMES / 1e6
                raise DataError(
                    f"{name} has {n_bytes / 1e6:.0f} MB, but the tables in use leave room for a file of {free:.0f} MB. "
                    "Upload a smaller part of it, or try again later."
                )
            if given_up():
                raise GivenUp
            _one_is_read.wait(LOOK)
        _reading[ticket] = wanted
    try:
        yield
    finally:
        with _one_is_read:
            del _reading[ticket]
            _one_is_read.notify_all()


# -- descriptors


def raise_descriptor_limit() -> None:
    """Raise the soft limit of file descriptors as far as the system allows."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        wanted = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _DESCRIPTORS)
        if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


# -- uploads


def bind_uploads(session_id: str, owner: str) -> None:
    """Let only this browser upload to the session; others that learn its id are refused."""
    _owners[session_id] = owner
    _owners.move_to_end(session_id)
    while len(_owners) > MOST_SESSIONS:
        _owners.popitem(last=False)


class UploadsGuard:
    """Middleware around Streamlit's uploads: only the session's browser, few at a time, at a minimum pace."""

    def __init__(self, app: ASGIApp, waiting: Callable[[], float] = lambda: 0) -> None:
        self.app = app
        self._waiting = waiting  # bytes of files that wait to be read
        self._arriving = 0.0  # bytes of files that arrive, or have just arrived
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._one_each: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in ("PUT", "DELETE") or _PATH not in scope["path"]:
            await self.app(scope, receive, send)
            return

        session = scope["path"].partition(_PATH)[2].partition("/")[0]
        if _owners.get(session) != owner_of(HTTPConnection(scope).cookies):
            await PlainTextResponse("This session belongs to another browser.", 403)(scope, receive, send)
            return
        if scope["method"] == "DELETE":
            await self.app(scope, receive, send)
            return
        turns = self._turns if _content_length(scope) > SMALL else nullcontext()
        async with self._one_each.setdefault(session, asyncio.Lock()), turns:
            await self._receive(scope, receive, send)
        keep_few_uploads()

    async def _receive(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the upload on, once there is room for it and while it keeps the pace."""
        size = _content_length(scope)
        try:
            async with asyncio.timeout(LONGEST):
                while (there := self._waiting() + self._arriving) and there + size > WAITING_BYTES:
                    await asyncio.sleep(LOOK)
                self._arriving += size
                try:
                    await self.app(scope, _in_time(receive), send)
                finally:
                    asyncio.get_running_loop().call_later(_TAKEN_WITHIN, self._has_arrived, size)
        except TimeoutError:  # it would block a turn
            await PlainTextResponse("The file did not arrive.", 408, {"Connection": "close"})(scope, receive, send)
        except ClientDisconnect:  # the browser has left
            pass

    def _has_arrived(self, size: float) -> None:
        self._arriving -= size


def _in_time(receive: Receive) -> Receive:
    """Raise TimeoutError where less than `LEAST` bytes arrive in `PACE` seconds."""
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


def _content_length(scope: Scope) -> float:
    """Bytes of the request; the largest allowed without a valid header."""
    length = Headers(scope=scope).get("content-length", "")
    return min(LARGEST, float(length)) if length.isdigit() else LARGEST


def keep_few_uploads() -> None:
    """Remove the oldest files of the largest sessions beyond `KEPT_BYTES`."""
    if (manager := uploaded_files()) is None:
        return
    sizes = {
        session: {file_id: len(file.data) for file_id, file in list(files.items())}
        for session, files in list(manager.file_storage.items())
    }
    while sum(sum(files.values()) for files in sizes.values()) > KEPT_BYTES:
        largest = max(sizes, key=lambda session: sum(sizes[session].values()))
        oldest = next(iter(sizes[largest]))
        del sizes[largest][oldest]
        manager.remove_file(largest, oldest)


def remove_upload(session_id: str, file_id: str) -> None:
    """Remove a file that the workspace holds itself."""
    if (manager := uploaded_files()) is not None:
        manager.remove_file(session_id, file_id)
