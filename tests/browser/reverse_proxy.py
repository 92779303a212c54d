"""A small reverse proxy: its prefix goes, or stays, and the Host header is the server's, as with nginx's default."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time

import httpx
import uvicorn
import websockets
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

_HOP = {"connection", "host", "transfer-encoding", "content-length", "content-encoding", "upgrade"}


def _passed_on(headers):
    return [(name, value) for name, value in headers.items() if name not in _HOP]


def _app(target, there):
    client = httpx.AsyncClient(timeout=60)

    async def plain(request: Request) -> Response:
        url = f"http://{target}{there}/{request.path_params['path']}"
        body = await request.body()
        headers = [*_passed_on(request.headers), ("x-forwarded-for", "192.0.2.7")]
        got = await client.request(
            request.method, url, params=request.query_params, content=body, headers=headers, follow_redirects=False
        )
        answer = Response(got.content, got.status_code)
        answer.raw_headers = [
            (name.lower(), value) for name, value in got.headers.raw if name.lower().decode() not in _HOP
        ] + [(b"content-length", str(len(got.content)).encode())]
        return answer

    async def live(browser: WebSocket) -> None:
        url = f"ws://{target}{there}/{browser.path_params['path']}?{browser.query_params}"
        spoken = [part.strip() for part in browser.headers.get("sec-websocket-protocol", "").split(",") if part.strip()]
        headers = {name: browser.headers[name] for name in ("cookie", "origin") if name in browser.headers}
        try:
            origin = headers.pop("origin", None)
            upstream = websockets.connect(
                url, subprotocols=spoken or None, origin=origin, additional_headers=headers, max_size=None
            )
            async with upstream as server:
                await browser.accept(server.subprotocol)
                await _both_ways(browser, server)
        except (websockets.InvalidStatus, OSError):
            await browser.close(1011)

    routes = [
        Route("/{path:path}", plain, methods=["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD"]),
        WebSocketRoute("/{path:path}", live),
    ]
    return Starlette(routes=routes)


async def _both_ways(browser, server):
    async def up():
        with contextlib.suppress(WebSocketDisconnect, websockets.ConnectionClosed):
            while (message := await browser.receive())["type"] != "websocket.disconnect":
                await server.send(message.get("text") or message["bytes"])
        await server.close()  # else the server takes the page that has left for one that is still there

    upward = asyncio.create_task(up())
    try:
        async for message in server:
            await (browser.send_text if isinstance(message, str) else browser.send_bytes)(message)
        await browser.close(server.close_code or 1000, server.close_reason or "")
    except (RuntimeError, WebSocketDisconnect, websockets.ConnectionClosed):
        pass
    finally:
        upward.cancel()


@contextlib.contextmanager
def proxied(address, prefix, keep=False):
    """The app at `address` under another port and below `prefix`, which it is told of only where `keep`; the port."""
    target = address.removeprefix("http://").partition("/")[0]
    app = Starlette(routes=[Mount(prefix, app=_app(target, prefix if keep else ""))])
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, host="localhost", port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.02)
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join(10)
