"""The stage's own routes, beside Streamlit's under the same port: its module, a scene, and the live socket."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter

from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.server.limits import UploadsGuard, waiting_bytes
from pages.server.live import RUN_AGAIN, UNKNOWN, LiveSocket
from pages.server.middleware import Guard, owner_of, setting
from pages.server.saver import SAVER
from pages.server.workspace import HUB, ShownScene, Workspace
from stage.module_files import MODULE, module_version, prefix

TOO_MANY = 4429
_ENCODING = threading.BoundedSemaphore(2)  # scenes, each of up to 64 MB
AT_ONCE = 2  # scenes of a workspace on their way
PIECE = 262_144  # bytes of a scene that wait to be taken
_LARGE = 4_000_000  # bytes, worth to be given back to the system
_on_their_way: Counter[str] = Counter()  # by token
_TYPES = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}


async def module_file(request: Request) -> Response:
    path = MODULE / request.path_params["name"][:100]
    if path.parent != MODULE or path.suffix not in _TYPES or not path.is_file():
        return PlainTextResponse("No such file.", status_code=404)
    same = request.path_params["version"] == module_version()
    return Response(
        path.read_bytes(),
        media_type=_TYPES[path.suffix],
        headers={"Cache-Control": "public, max-age=31536000, immutable" if same else "no-store"},
    )


def _theirs(asks: HTTPConnection) -> Workspace | None:
    """The workspace that is asked for, where it belongs to the browser that asks."""
    space = HUB.find(asks.path_params["token"])
    return space if space is not None and space.belongs_to(owner_of(asks.cookies)) else None


async def scene(request: Request) -> Response:
    """The scene's bytes; 409 where another one has replaced it, which the page will soon ask for."""
    space = _theirs(request)
    if space is None or space.shown.scene is None:
        return PlainTextResponse("This view is not there any more. Reload the page.", status_code=404)
    shown = space.shown
    if request.path_params["version"] != str(shown.version):
        return PlainTextResponse("This view was replaced by another.", status_code=409)
    if _on_their_way[space.token] >= AT_ONCE:
        return PlainTextResponse("This view is on its way.", 503, {"Retry-After": "1"})
    return _SceneResponse(space.token, shown)


class _SceneResponse(Response):
    """A scene, piece by piece as the browser takes it; whoever takes none holds no more than its few."""

    media_type = "application/octet-stream"

    def __init__(self, token: str, shown: ShownScene) -> None:
        super().__init__(headers={"Cache-Control": "no-store"})
        self._token, self._shown = token, shown

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        _on_their_way[self._token] += 1
        length = 0
        try:
            payload = memoryview(await run_in_threadpool(_encoded, self._shown))
            length = len(payload)
            self.headers["Content-Length"] = str(length)
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            for start in range(0, max(1, length), PIECE):
                piece, more = bytes(payload[start : start + PIECE]), start + PIECE < length
                await send({"type": "http.response.body", "body": piece, "more_body": more})
                await asyncio.sleep(0)  # others come to their turn meanwhile
        finally:
            _on_their_way[self._token] -= 1
            if not _on_their_way[self._token]:
                del _on_their_way[self._token]
            if length >= _LARGE:
                HUB.trim_memory_soon()


def _encoded(shown: ShownScene) -> bytes:
    with _ENCODING:
        return shown.encoded()


async def live(socket: WebSocket) -> None:
    """Send every run's snapshots and states until the scene is replaced or the browser leaves."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the browser left, perhaps before it was answered
        await socket.accept()
        await _serve(socket)


async def _serve(socket: WebSocket) -> None:
    space = _theirs(socket)
    if space is None:
        kept = SAVER.keeps(owner_of(socket.cookies))
        await socket.close(UNKNOWN, RUN_AGAIN if kept else "This run is not there any more. Reload the page.")
        return
    if not space.attach_socket():
        await socket.close(TOO_MANY, "Too many pages look at this run.")
        return
    try:
        await LiveSocket(socket, space).serve()
    finally:
        space.release_socket()


def routes() -> list[BaseRoute]:
    """The routes, below the base path of Streamlit's settings."""
    below = prefix(setting("baseUrlPath"))
    return [
        Route(below + "/module/{version}/{name}", module_file),
        Route(below + "/{token}/scene/{version}", scene),
        WebSocketRoute(below + "/{token}/live", live),
    ]


MIDDLEWARE = [Middleware(Guard), Middleware(UploadsGuard, waiting=lambda: waiting_bytes(HUB))]
