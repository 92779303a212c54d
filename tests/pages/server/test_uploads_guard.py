"""Uploads: to the own session only, few at a time, at a minimum pace; a session keeps its newest three."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.requests import ClientDisconnect, Request
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from pages.server import compat, limits
from pages.server.limits import AT_ONCE, KEPT, UploadsGuard
from pages.server.middleware import COOKIE

OF_S = "/_stcore/upload_file/s/f"


def carried_out(coroutine):
    """In a thread of its own: browser tests leave a running loop in the one that they were in."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def asks(path="", method="PUT", kind="http", size=b"1000", owner=None, client=None):
    """Each of another browser and session, where it is not said which."""
    new = secrets.token_urlsafe(32)
    headers = [(b"content-length", size), (b"cookie", f"{COOKIE}={owner or new}".encode())]
    path = path or f"/_stcore/upload_file/{new}/f"
    limits.bind_uploads(path.split("/")[-2], "" if owner == "none" else owner or new)
    return {"type": kind, "method": method, "path": path, "headers": headers, "client": client}


async def endless(scope, receive, send):
    await asyncio.sleep(60)


def sending(piece, pause=0.0, more=True):
    """A browser that sends the same piece again and again."""

    async def receive():
        await asyncio.sleep(pause)
        return {"type": "http.request", "body": piece, "more_body": more}

    return receive


class Server:
    """Reads so many messages of each upload and answers 204; notes which began and when."""

    def __init__(self, reads=1):
        self.reads, self.began, self.statuses = reads, [], []

    async def __call__(self, scope, receive, send):
        self.began.append(asyncio.get_running_loop().time())
        for _ in range(self.reads):
            await receive()
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def send(self, message):
        if message["type"] == "http.response.start":
            self.statuses.append(message["status"])


@pytest.fixture
def files(monkeypatch):
    """Where Streamlit keeps what was uploaded."""
    manager = MemoryUploadedFileManager("/_stcore/upload_file")

    class Server:
        uploaded_file_mgr = manager

    monkeypatch.setattr(compat.runtime, "exists", lambda: True)
    monkeypatch.setattr(compat.runtime, "get_instance", Server)
    return manager


def keep(manager, session, *names):
    for name in names:
        manager.add_file(session, UploadedFileRec(name, f"{name}.csv", "text/csv", b"x" * 10))


def test_files_on_their_way_take_no_more_memory_than_those_that_wait():
    """One at a time would let a slow line hold up everybody."""
    assert 1 < AT_ONCE <= limits.WAITING_BYTES / 50e6


def test_a_session_keeps_its_newest_files_and_the_largest_session_loses_its_oldest(files, monkeypatch):
    keep(files, "s", *"abcde")
    keep(files, "other", *"abcde")

    async def app(scope, receive, send):
        keep(files, "s", "new")

    carried_out(UploadsGuard(app)(asks(OF_S), None, None))
    assert {session: list(kept) for session, kept in files.file_storage.items()} == {
        "s": ["d", "e", "new"],
        "other": [*"abcde"],
    }
    assert KEPT == 3
    monkeypatch.setattr(limits, "KEPT_BYTES", 65)
    carried_out(UploadsGuard(app)(asks(OF_S), None, None))
    assert list(files.file_storage["other"]) == [*"cde"]
    assert len(files.file_storage["s"]) == 3


@pytest.mark.parametrize("below", ["", "/tools/nca"])
def test_few_arrive_at_a_time_and_all_of_them_in_the_end(files, below):
    inside, most, done = 0, 0, []

    async def app(scope, receive, send):
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.01)
        inside -= 1
        done.append(scope)

    async def all_at_once():
        guard = UploadsGuard(app)
        scopes = [asks(f"{below}/_stcore/upload_file/{k}/f") for k in range(3 * AT_ONCE)]
        await asyncio.gather(*(guard(scope, None, None) for scope in scopes))

    carried_out(all_at_once())
    assert (most, len(done)) == (AT_ONCE, 3 * AT_ONCE)


@pytest.mark.parametrize(
    "other", [asks(method="DELETE"), asks(method="OPTIONS"), asks("/nca/t/scene/1", "PUT"), asks(kind="websocket")]
)
def test_other_requests_do_not_wait(files, other):
    async def app(scope, receive, send):
        if scope is not other:
            await endless(scope, receive, send)

    async def beside_uploads():
        guard = UploadsGuard(app)
        stalled = [asyncio.create_task(guard(asks(), None, None)) for _ in range(AT_ONCE + 1)]
        await asyncio.sleep(0)
        await asyncio.wait_for(guard(other, None, None), 5)
        for upload in stalled:
            upload.cancel()

    carried_out(beside_uploads())


def test_an_upload_that_stalls_ends_so_that_the_others_arrive(files, monkeypatch):
    monkeypatch.setattr(limits, "PACE", 0.05)
    app = Server()

    async def some_stall():
        guard = UploadsGuard(app)
        stalled = [guard(asks(), sending(b"", 60), app.send) for _ in range(AT_ONCE)]
        await asyncio.wait_for(asyncio.gather(*stalled, guard(asks(), sending(b"a"), app.send)), 5)

    carried_out(some_stall())
    assert app.statuses == [408] * AT_ONCE + [204]


@pytest.mark.parametrize(
    ("piece", "longest", "status"),
    [(b"a", 900, 408), (b"a" * limits.LEAST, 900, 204), (b"a" * limits.LEAST, 0.1, 408)],
    ids=["trickles", "keeps the pace", "takes too long"],
)
def test_an_upload_must_keep_the_pace_and_end(files, monkeypatch, piece, longest, status):
    monkeypatch.setattr(limits, "PACE", 0.5)
    monkeypatch.setattr(limits, "LONGEST", longest)
    app = Server(reads=8)
    carried_out(asyncio.wait_for(UploadsGuard(app)(asks(), sending(piece, 0.1), app.send), 5))
    assert app.statuses == [status]


@pytest.mark.parametrize(
    ("his", "other"),
    [
        ({"owner": "a" * 43}, {"owner": "b" * 43}),
        ({"owner": "none", "client": ("10.0.0.1", 5)}, {"owner": "none", "client": ("10.0.0.2", 5)}),
        ({"path": OF_S}, {}),
    ],
    ids=["cookie", "address", "session"],
)
def test_nobody_has_more_than_one_turn(files, his, other):
    arrived, another = [], asks(**other)

    async def app(scope, receive, send):
        arrived.append(scope)
        if scope is not another:
            await endless(scope, receive, send)

    async def another_beside_his():
        guard = UploadsGuard(app)
        stalled = [asyncio.create_task(guard(asks(**his), None, None)) for _ in range(10 * AT_ONCE)]
        await asyncio.sleep(0.02)
        await asyncio.wait_for(guard(another, None, None), 5)
        assert len(arrived) == 2
        for upload in stalled:
            upload.cancel()

    carried_out(another_beside_his())


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_only_the_browser_of_a_session_may_upload_to_it(files, method):
    app = Server(reads=0)
    own, foreign = asks(OF_S, method, owner="a" * 43), asks(method=method, owner="b" * 43)
    unknown = {**foreign, "path": "/_stcore/upload_file/nobody/f"}
    for scope in (own, {**foreign, "path": OF_S}, unknown):
        carried_out(UploadsGuard(app)(scope, sending(b"a"), app.send))
    assert app.statuses == [204, 403, 403]


def test_owners_of_sessions_are_bounded(monkeypatch):
    monkeypatch.setattr(limits, "MOST_SESSIONS", 2)
    for session in "abac":
        limits.bind_uploads(session, "owner")
    assert list(limits._owners) == ["a", "c"]


def test_a_browser_that_leaves_is_no_error(files):
    async def gone():
        return {"type": "http.disconnect"}

    async def app(scope, receive, send):
        with pytest.raises(ClientDisconnect):
            await Request(scope, receive).body()
        raise ClientDisconnect

    carried_out(UploadsGuard(app)(asks(), gone, None))


def test_while_many_wait_to_be_read_the_next_stays_in_its_browser(files, monkeypatch):
    monkeypatch.setattr(limits, "_LOOK", 0.01)
    waiting, app = [limits.WAITING_BYTES + 1], Server()

    async def until_there_is_room():
        guard = UploadsGuard(app, waiting=lambda: waiting[0])
        upload = asyncio.create_task(guard(asks(), sending(b"a"), app.send))
        await asyncio.sleep(0.1)
        assert not app.began
        waiting[0] = 0
        await asyncio.wait_for(upload, 5)

    carried_out(until_there_is_room())
    assert app.began


@pytest.mark.parametrize("size", [b"50000000", b"", b"much"])
def test_uploads_under_way_count_before_they_have_arrived(files, monkeypatch, size):
    """An upload without a size counts as the largest."""
    monkeypatch.setattr(limits, "_LOOK", 0.01)
    monkeypatch.setattr(limits, "_TAKEN_WITHIN", 0.1)
    app = Server()

    async def two_beside_what_waits():
        guard = UploadsGuard(app, waiting=lambda: 70e6)
        await asyncio.gather(*(guard(asks(size=size), sending(b"a"), app.send) for _ in range(2)))

    carried_out(two_beside_what_waits())
    first, second = app.began
    assert second - first >= 0.1  # also what has just come, until a page has taken it


def test_the_largest_file_arrives_though_nothing_else_may_wait_beside_it(files, monkeypatch):
    monkeypatch.setattr(limits, "WAITING_BYTES", 1e6)
    app = Server()
    upload = UploadsGuard(app)(asks(size=b"50000000"), sending(b"a"), app.send)
    carried_out(asyncio.wait_for(upload, 5))
    assert app.began
