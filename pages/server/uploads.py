"""Limits on uploads: how many arrive at a time, how slowly, and how many a session keeps."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.server.compat import uploaded_files
from pages.server.middleware import owner_of

AT_ONCE = 3  # files on their way, each of up to 50 MB
LARGEST = 52e6  # bytes of a file and what stands around it
KEPT = 3  # files of a session that no page has taken yet; none has more fields
KEPT_BYTES = 200e6  # of all sessions
WAITING_BYTES = 160e6  # of files that come or wait to be read; those beyond wait in their browsers
_TAKEN_WITHIN = 2.0  # seconds for a page to take what has come, from when on it waits to be read
_LOOK = 0.25  # seconds between two looks at whether there is room
PACE = 10.0  # seconds for each `LEAST` bytes: who sends less keeps others from their turn
LEAST = 16_384
LONGEST = 900.0  # seconds for a file, so that half a Mbit/s is enough for 50 MB
_PATH = "/_stcore/upload_file/"


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
