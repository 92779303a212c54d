"""The stage's own routes, beside Streamlit's under the same port: its module, a scene, and the live socket."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.stage.hub import HUB, Workspace
from pages.stage.wire import encode_snapshots

PREFIX = "/nca"
MODULE = Path(__file__).parent / "module"
IN_FLIGHT = 3  # messages that the browser has not acknowledged
LARGEST_BATCH = 100
_TICK = 0.05  # seconds between two messages
UNKNOWN, FOREIGN = 4404, 4403
_TYPES = {".js": "text/javascript", ".css": "text/css"}


@lru_cache(maxsize=1)
def module_version() -> str:
    """A name for the present content of the module's files, for addresses that may be cached for good."""
    digest = hashlib.sha256()
    for path in sorted(MODULE.iterdir()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


async def module_file(request: Request) -> Response:
    path = MODULE / request.path_params["name"]
    if path.parent != MODULE or path.suffix not in _TYPES or not path.is_file():
        return PlainTextResponse("No such file.", status_code=404)
    same = request.path_params["version"] == module_version()
    return Response(
        path.read_bytes(),
        media_type=_TYPES[path.suffix],
        headers={"Cache-Control": "public, max-age=31536000, immutable" if same else "no-store"},
    )


async def scene(request: Request) -> Response:
    space = HUB.find(request.path_params["token"])
    if space is None or not space.scene_payload():
        return PlainTextResponse("This view is not there any more. Reload the page.", status_code=404)
    return Response(space.scene_payload(), media_type="application/octet-stream", headers={"Cache-Control": "no-store"})


def _foreign(socket: WebSocket) -> bool:
    """A page of another site asks: its Origin names another host than the one it reached."""
    origin = socket.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != socket.headers.get("host", "")


async def live(socket: WebSocket) -> None:
    """Send the run's snapshots from number `after` on, and every change of its state, until the run is replaced."""
    await socket.accept()
    space = HUB.find(socket.path_params["token"])
    if _foreign(socket):
        await socket.close(FOREIGN, "This page may not read the run.")
        return
    if space is None:
        await socket.close(UNKNOWN, "This run is not there any more. Reload the page.")
        return
    space.attach_socket()
    try:
        await _serve(socket, space)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the browser left
    finally:
        space.release_socket()


async def _serve(socket: WebSocket, space: Workspace) -> None:
    version, run = space.run_version, space.run
    try:
        after = max(0, int(socket.query_params.get("after", "0")))
    except ValueError:
        after = 0
    changed, acknowledged = asyncio.Event(), asyncio.Semaphore(IN_FLIGHT)
    loop = asyncio.get_running_loop()

    def wake() -> None:
        with contextlib.suppress(RuntimeError):  # the loop of a server that has stopped
            loop.call_soon_threadsafe(changed.set)

    unsubscribe = run.subscribe(wake) if run is not None else None
    reader = asyncio.create_task(_read(socket, acknowledged))
    told: dict[str, object] | None = None
    try:
        while not reader.done() and space.run_version == version:
            changed.clear()
            state = _state(space, version)
            if run is not None and run.snapshots_since(after):
                await acknowledged.acquire()
                # Only now: what came while the browser was busy goes in one message.
                snapshots = run.snapshots_since(after)[:LARGEST_BATCH]
                await socket.send_bytes(encode_snapshots(snapshots))
                after += len(snapshots)
            if state != told:
                told = state
                await socket.send_text(json.dumps(state))
            if run is None or not run.snapshots_since(after):
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), 1.0)
            await asyncio.sleep(_TICK)
    finally:
        if unsubscribe is not None:
            unsubscribe()
        reader.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await reader
    if space.run_version != version:
        await socket.close(1000, "replaced")


async def _read(socket: WebSocket, acknowledged: asyncio.Semaphore) -> None:
    try:
        while True:
            if await socket.receive_text() == "ack":
                acknowledged.release()
    finally:
        acknowledged.release()  # whoever waits for the browser must see that it left


def _state(space: Workspace, version: int) -> dict[str, object]:
    run = space.run
    if run is None:
        return {"run": version, "state": "none"}
    ended = run.state == "ended"
    return {
        "run": version,
        "state": run.state,
        "queue": run.queue_position,
        "min_interval": run.min_interval,
        "max_iter": run.config.max_iter,
        "reason": run.ended_reason if ended else "",
        "ended": run.ended if ended else "",
    }


ROUTES = [
    Route(PREFIX + "/module/{version}/{name}", module_file),
    Route(PREFIX + "/{token}/scene/{version}", scene),
    WebSocketRoute(PREFIX + "/{token}/live", live),
]
