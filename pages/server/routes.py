"""Routes of the stage, on Streamlit's port, and middleware around all routes."""

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
from pages.server.middleware import FirstHtml, Guard, owner_of, setting
from pages.server.saver import SAVER
from pages.server.workspace import HUB, ShownScene, Workspace
from stage.module_files import MODULE, module_version, prefix

TOO_MANY = 4429
_ENCODING = threading.BoundedSemaphore(2)  # scenes, each of up to 64 MB
AT_ONCE = 2  # scenes of a workspace being sent
PIECE = 262_144  # bytes of a scene in flight
_LARGE = 4_000_000  # bytes after which memory is trimmed
_sending: Counter[str] = Counter()  # scenes by token
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


def _workspace(request: HTTPConnection) -> Workspace | None:
    """The requested workspace, if it belongs to the browser."""
    space = HUB.find(request.path_params["token"])
    return space if space is not None and space.belongs_to(owner_of(request.cookies)) else None


async def scene(request: Request) -> Response:
    """The scene's bytes; 409 if it was replaced, which the page will notice."""
    space = _workspace(request)
    if space is None or space.shown.scene is None:
        return PlainTextResponse("This view is gone. Reload the page.", status_code=404)
    shown = space.shown
    if request.path_params["version"] != str(shown.version):
        return PlainTextResponse("This view was replaced by another.", status_code=409)
    if _sending[space.token] >= AT_ONCE:
        return PlainTextResponse("This view is being sent.", 503, {"Retry-After": "1"})
    return _SceneResponse(space.token, shown)


class _SceneResponse(Response):
    """Send a scene in pieces, as fast as the browser takes them."""

    media_type = "application/octet-stream"

    def __init__(self, token: str, shown: ShownScene) -> None:
        super().__init__(headers={"Cache-Control": "no-store"})
        self._token, self._shown = token, shown

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        _sending[self._token] += 1
        length = 0
        try:
            payload = memoryview(await run_in_threadpool(_encoded, self._shown))
            length = len(payload)
            self.headers["Content-Length"] = str(length)
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            for start in range(0, max(1, length), PIECE):
                piece, more = bytes(payload[start : start + PIECE]), start + PIECE < length
                await send({"type": "http.response.body", "body": piece, "more_body": more})
                await asyncio.sleep(0)  # let other requests run
        finally:
            _sending[self._token] -= 1
            if not _sending[self._token]:
                del _sending[self._token]
            if length >= _LARGE:
                HUB.trim_soon = True


def _encoded(shown: ShownScene) -> bytes:
    with _ENCODING:
        return shown.encoded()


async def live(socket: WebSocket) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the browser left
        await socket.accept()
        space = _workspace(socket)
        if space is None:
            kept = SAVER.keeps(owner_of(socket.cookies))
            await socket.close(UNKNOWN, RUN_AGAIN if kept else "This run is gone. Reload the page.")
        elif not space.attach_socket():
            await socket.close(TOO_MANY, "Too many pages show this run.")
        else:
            try:
                await LiveSocket(socket, space).serve()
            finally:
                space.release_socket()


def routes() -> list[BaseRoute]:
    """The routes, below Streamlit's base path."""
    below = prefix(setting("baseUrlPath"))
    return [
        Route(below + "/module/{version}/{name}", module_file),
        Route(below + "/{token}/scene/{version}", scene),
        WebSocketRoute(below + "/{token}/live", live),
    ]


MIDDLEWARE = [Middleware(Guard), Middleware(FirstHtml), Middleware(UploadsGuard, waiting=lambda: waiting_bytes(HUB))]
