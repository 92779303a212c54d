"""Uploads: few arrive at a time, one that stalls does not hold up the others, a session keeps its newest three."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.requests import ClientDisconnect, Request
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from pages.server import streamlit_server, uploads_guard
from pages.server.owner import COOKIE
from pages.server.uploads_guard import AT_ONCE, KEPT, UploadsGuard

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
    return {"type": kind, "method": method, "path": path, "headers": headers, "client": client}


@pytest.fixture
def files(monkeypatch):
    """Where Streamlit keeps what was uploaded."""
    manager = MemoryUploadedFileManager("/_stcore/upload_file")

    class Server:
        uploaded_file_mgr = manager

    monkeypatch.setattr(streamlit_server.runtime, "exists", lambda: True)
    monkeypatch.setattr(streamlit_server.runtime, "get_instance", Server)
    return manager


def keep(manager, session, *names):
    for name in names:
        manager.add_file(session, UploadedFileRec(name, f"{name}.csv", "text/csv", b"x" * 10))


def test_files_on_their_way_take_no_more_memory_than_those_that_wait():
    """50 MB is what the door lets in; one at a time would let a slow line hold up everybody."""
    assert 1 < AT_ONCE <= uploads_guard.WAITING_BYTES / 50e6


def test_a_session_keeps_its_newest_files_and_nobody_else_s_go(files):
    keep(files, "s", *"abcde")
    keep(files, "other", *"abcde")

    async def app(scope, receive, send):
        keep(files, "s", "new")

    carried_out(UploadsGuard(app)(asks(OF_S), None, None))
    assert list(files.file_storage["s"]) == ["d", "e", "new"]
    assert len(files.file_storage["s"]) == KEPT
    assert len(files.file_storage["other"]) == 5


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
        await asyncio.gather(
            *(guard(asks(f"{below}/_stcore/upload_file/{k}/f"), None, None) for k in range(3 * AT_ONCE))
        )

    carried_out(all_at_once())
    assert most == AT_ONCE
    assert len(done) == 3 * AT_ONCE


@pytest.mark.parametrize(
    "other", [asks(method="DELETE"), asks(method="OPTIONS"), asks("/nca/t/scene/1", "PUT"), asks(kind="websocket")]
)
def test_what_is_no_upload_does_not_wait(files, other):
    arrived = []

    async def app(scope, receive, send):
        arrived.append(scope)
        if scope is not other:
            await asyncio.sleep(60)

    async def beside_uploads():
        guard = UploadsGuard(app)
        uploads = [asyncio.create_task(guard(asks(), None, None)) for _ in range(AT_ONCE + 1)]
        await asyncio.sleep(0)
        await asyncio.wait_for(guard(other, None, None), 5)
        for upload in uploads:
            upload.cancel()

    carried_out(beside_uploads())
    assert arrived[-1] is other


def test_an_upload_that_stalls_is_given_up_so_that_the_others_arrive(files, monkeypatch):
    """It would hold its turn for ever: nobody else closes a connection whose request is under way."""
    monkeypatch.setattr(uploads_guard, "PACE", 0.05)
    said, arrived = [], []

    async def silence():
        await asyncio.sleep(60)

    async def body():
        return {"type": "http.request", "body": b"a", "more_body": False}

    async def send(message):
        said.append(message)

    async def app(scope, receive, send):
        await receive()
        arrived.append(scope)

    async def some_stall():
        guard = UploadsGuard(app)
        stalled = [guard(asks(), silence, send) for _ in range(AT_ONCE)]
        await asyncio.wait_for(asyncio.gather(*stalled, guard(asks(), body, send)), 5)

    carried_out(some_stall())
    assert len(arrived) == 1
    assert [message["status"] for message in said if message["type"] == "http.response.start"] == [408] * AT_ONCE


@pytest.mark.parametrize(("piece", "status"), [(b"a", 408), (b"a" * uploads_guard.LEAST, 204)])
def test_one_that_trickles_in_is_given_up_and_a_slow_one_that_keeps_the_pace_is_not(files, monkeypatch, piece, status):
    monkeypatch.setattr(uploads_guard, "PACE", 0.15)
    said = []

    async def trickle():
        await asyncio.sleep(0.05)
        return {"type": "http.request", "body": piece, "more_body": True}

    async def send(message):
        said.append(message)

    async def app(scope, receive, send):
        for _ in range(8):
            await receive()
        await send({"type": "http.response.start", "status": 204, "headers": []})

    carried_out(asyncio.wait_for(UploadsGuard(app)(asks(), trickle, send), 5))
    assert said[0]["status"] == status


def test_one_that_takes_for_ever_is_given_up_as_well(files, monkeypatch):
    monkeypatch.setattr(uploads_guard, "LONGEST", 0.1)
    said = []

    async def quickly():
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": b"a" * uploads_guard.LEAST, "more_body": True}

    async def send(message):
        said.append(message)

    async def app(scope, receive, send):
        while True:
            await receive()

    carried_out(asyncio.wait_for(UploadsGuard(app)(asks(), quickly, send), 5))
    assert said[0]["status"] == 408


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
    arrived = []

    async def app(scope, receive, send):
        arrived.append(scope)
        if scope is not another:
            await asyncio.sleep(60)

    another = asks(**other)

    async def another_beside_his():
        guard = UploadsGuard(app)
        uploads = [asyncio.create_task(guard(asks(**his), None, None)) for _ in range(10 * AT_ONCE)]
        await asyncio.sleep(0.02)
        await asyncio.wait_for(guard(another, None, None), 5)
        assert len(arrived) == 2
        for upload in uploads:
            upload.cancel()

    carried_out(another_beside_his())


def test_one_that_is_broken_off_is_no_fault(files):
    async def gone():
        return {"type": "http.disconnect"}

    async def app(scope, receive, send):
        with pytest.raises(ClientDisconnect):
            await Request(scope, receive).body()
        raise ClientDisconnect

    carried_out(UploadsGuard(app)(asks(), gone, None))


def test_while_many_wait_to_be_read_the_next_stays_in_its_browser(files, monkeypatch):
    monkeypatch.setattr(uploads_guard, "_LOOK", 0.01)
    waiting, asked = [uploads_guard.WAITING_BYTES + 1], []

    async def body():
        asked.append(waiting[0])
        return {"type": "http.request", "body": b"a", "more_body": False}

    async def app(scope, receive, send):
        await receive()

    async def until_there_is_room():
        guard = UploadsGuard(app, waiting=lambda: waiting[0])
        upload = asyncio.create_task(guard(asks(), body, None))
        await asyncio.sleep(0.1)
        assert asked == []
        waiting[0] = 0
        await asyncio.wait_for(upload, 5)

    carried_out(until_there_is_room())
    assert asked == [0]


@pytest.mark.parametrize("size", [b"50000000", b"", b"much"])
def test_those_on_their_way_count_before_anybody_has_them(files, monkeypatch, size):
    """All that come at once would find that nothing waits yet; who does not say a size may bring the largest."""
    monkeypatch.setattr(uploads_guard, "_LOOK", 0.01)
    monkeypatch.setattr(uploads_guard, "_TAKEN_WITHIN", 0.1)
    begun = []

    async def app(scope, receive, send):
        begun.append(asyncio.get_running_loop().time())

    async def two_beside_what_waits():
        guard = UploadsGuard(app, waiting=lambda: 70e6)
        await asyncio.gather(*(guard(asks(size=size), None, None) for _ in range(2)))

    carried_out(two_beside_what_waits())
    first, second = begun
    assert second - first >= 0.1  # also what has just come, until a page has taken it


def test_the_largest_file_comes_though_nothing_else_may_wait_beside_it(files, monkeypatch):
    monkeypatch.setattr(uploads_guard, "WAITING_BYTES", 1e6)
    came = []

    async def app(scope, receive, send):
        came.append(scope)

    carried_out(asyncio.wait_for(UploadsGuard(app)(asks(size=b"50000000"), None, None), 5))
    assert came


def test_of_all_together_too_much_whoever_has_most_loses_his_oldest(files, monkeypatch):
    monkeypatch.setattr(uploads_guard, "KEPT_BYTES", 45)
    keep(files, "many", "a", "b", "c")
    keep(files, "one", "a")

    async def app(scope, receive, send):
        keep(files, "s", "new")

    carried_out(UploadsGuard(app)(asks(OF_S), None, None))
    assert {session: list(kept) for session, kept in files.file_storage.items()} == {
        "many": ["b", "c"],
        "one": ["a"],
        "s": ["new"],
    }
