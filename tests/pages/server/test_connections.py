"""Connections that say nothing are closed, those that say something are not, and no address takes them all."""

from __future__ import annotations

import asyncio
import asyncio.selector_events
import contextlib
import socket
import threading
import time

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.exceptions import ConnectionClosedOK
from websockets.sync.client import connect

from pages.server import connections
from pages.server.connections import patient_protocol, raise_descriptor_limit

PATIENCE = 0.4


async def slow(request):
    await asyncio.sleep(3 * PATIENCE)
    return PlainTextResponse("here you are")


async def large(request):
    return Response(bytes(20_000_000))


async def many(browser):
    await browser.accept()
    for k in range(200):
        await browser.send_text(str(k))
    await browser.close()


async def echo(browser):
    await browser.accept()
    while True:
        await browser.send_text(await browser.receive_text())


@pytest.fixture
def served():
    """A function that starts a server with so many descriptors; gives its port."""
    running = []

    def serve(descriptors, kept_alive=5):
        routes = [Route("/slow", slow), Route("/large", large)]
        routes += [WebSocketRoute("/live", echo), WebSocketRoute("/many", many)]
        app = Starlette(routes=routes)
        protocol = patient_protocol(H11Protocol, descriptors, PATIENCE)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        config = uvicorn.Config(
            app, host="127.0.0.1", port=port, http=protocol, log_level="error", timeout_keep_alive=kept_alive
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        running.append((server, thread))
        deadline = time.monotonic() + 20
        while not server.started:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return port

    connections._here.clear()
    yield serve
    for server, thread in running:
        server.should_exit = server.force_exit = True
        thread.join(10)
    connections._here.clear()


def closed_after(line):
    """Seconds until the server closes it."""
    began = time.monotonic()
    line.settimeout(20)
    try:
        while line.recv(1_000):
            pass
    except ConnectionError:
        pass
    return time.monotonic() - began


@pytest.mark.parametrize("said", [b"", b"GET /slow HT", b"GET /slow HTTP/1.1\r\nHost: a\r\nX-Long: "])
def test_who_does_not_finish_the_head_of_a_request_is_left(served, said):
    with socket.create_connection(("127.0.0.1", served(1_000))) as line:
        line.sendall(said)
        assert closed_after(line) < 10 * PATIENCE


def whole_answer(line):
    """Head and body, which may come one after the other."""
    told = b""
    while b"here you are" not in told and (more := line.recv(10_000)):
        told += more
    return told


def test_half_a_second_request_is_no_way_around(served):
    with socket.create_connection(("127.0.0.1", served(1_000))) as line:
        line.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        line.settimeout(20)
        assert b"here you are" in whole_answer(line)
        line.sendall(b"GET /slow HT")
        assert closed_after(line) < 10 * PATIENCE


def test_who_waits_for_a_slow_answer_gets_it(served):
    with socket.create_connection(("127.0.0.1", served(1_000))) as line:
        line.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        line.settimeout(20)
        assert b"here you are" in whole_answer(line)


def asks_for_much(port):
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", port))
    line.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
    line.settimeout(20)
    return line


def rest_of(line):
    """Bytes that still come."""
    taken = 0
    with contextlib.suppress(ConnectionError):
        while more := line.recv(1_000_000):
            taken += len(more)
    return taken


@pytest.mark.parametrize("kept_alive", [5, 0.1])
def test_who_takes_nothing_of_his_answer_is_left(served, kept_alive):
    """Also where uvicorn has closed the connection and waits for the rest to be taken."""
    with asks_for_much(served(1_000, kept_alive)) as line:
        time.sleep(PATIENCE / 2)
        assert sum(map(len, connections._here.values())) == 1
        time.sleep(4 * PATIENCE)
        assert not connections._here
        assert rest_of(line) < 20_000_000


def test_who_takes_his_answer_slowly_gets_all_of_it(served):
    with asks_for_much(served(1_000)) as line:
        began, taken = time.monotonic(), 0
        while taken < 20_000_000:
            if time.monotonic() - began < 5 * PATIENCE:
                time.sleep(PATIENCE / 8)
            taken += len(more := line.recv(1_000_000))
            assert more, taken


def test_a_silent_socket_of_a_page_stays(served):
    with connect(f"ws://127.0.0.1:{served(1_000)}/live") as browser:
        time.sleep(4 * PATIENCE)
        browser.send("still here")
        assert browser.recv(timeout=5) == "still here"


def test_what_a_page_sends_at_once_goes_out_in_few_pieces_and_arrives_whole(served, monkeypatch):
    pieces = []
    write = asyncio.selector_events._SelectorSocketTransport.write
    port = served(1_000)
    monkeypatch.setattr(
        asyncio.selector_events._SelectorSocketTransport,
        "write",
        lambda line, data: (pieces.append(len(data)), write(line, data))[1],
    )
    with connect(f"ws://127.0.0.1:{port}/many") as browser:
        assert [browser.recv(timeout=5) for _ in range(200)] == [str(k) for k in range(200)]
        with pytest.raises(ConnectionClosedOK):
            browser.recv(timeout=5)
    assert len(pieces) <= 10


def test_one_address_leaves_room_for_others(served):
    port = served(64 + 8)  # 8 lines, 6 of them for one address
    lines = [socket.create_connection(("127.0.0.1", port)) for _ in range(10)]
    time.sleep(PATIENCE / 4)
    counted = [len(there) for there in connections._here.values()]
    assert counted == [6]
    for line in lines:
        line.close()
    time.sleep(3 * PATIENCE)
    assert connections._here == {}
    with connect(f"ws://127.0.0.1:{port}/live") as browser:  # there is room again
        browser.send("hello")
        assert browser.recv(timeout=5) == "hello"


def test_the_limit_of_descriptors_is_raised_as_far_as_it_goes():
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lower = min(256, soft)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lower, hard))
    try:
        raised = raise_descriptor_limit()
        assert raised == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        assert raised >= lower
        assert raised == (min(hard, 65_536) if hard != resource.RLIM_INFINITY else 65_536)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
