"""Routes of the stage, on Streamlit's port: its module, scenes and live socket; and middleware around all routes.

The live socket sends one browser the runs of one scene, no faster than it acknowledges. The browser connects with
`?scene=<version>&after=<key>:<run>:<count>,...`: the scene it shows and how many snapshots of each run it holds. It
gets the rest, panel by panel in turn, and the state of all runs when it changes or every `HEARTBEAT` seconds. Messages
carry the run's number, since a run may be replaced. A replaced scene closes the socket.
"""

import asyncio
import contextlib
import json
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Mapping

import numpy as np
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from nca_core.snapshot import Snapshot
from pages.server.limits import UploadsGuard, waiting_bytes
from pages.server.middleware import FirstHtml, Guard, owner_of, setting
from pages.server.saver import SAVER
from pages.server.workspace import HUB, LivePanel, PanelRun, ShownScene, Workspace
from stage import wording
from stage.module_files import MODULE, module_version, prefix
from stage.wire import encode_snapshots

TOO_MANY = 4429
_ENCODING = threading.BoundedSemaphore(2)  # scenes, each of up to 64 MB
AT_ONCE = 2  # scenes of a workspace being sent
PIECE = 262_144  # bytes of a scene in flight
_LARGE = 4_000_000  # bytes after which memory is trimmed
_sending: Counter[str] = Counter()  # scenes by token
_TYPES = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}
IN_FLIGHT = 3  # unacknowledged messages
LARGEST_BATCH = 100  # snapshots in a message
LARGEST_MESSAGE = 2_000_000  # bytes; a single snapshot may be larger
REPLACED = "replaced"
UNKNOWN, RUN_AGAIN = 4404, "kept"  # a rerun of the page restores its workspace, or opens another
_TICK = 0.05  # seconds between two rounds of messages
HEARTBEAT = 10.0  # seconds until the state is repeated: a browser that gets nothing for longer is cut off
LONGEST_WAIT = 30.0  # seconds for the browser to acknowledge a message
SLOW = 4408
_AGAIN = 1.0  # seconds between two checks without a notification


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


class _Done(Exception):
    """The browser has left, or shows another scene."""


class LiveSocket:
    """One browser's socket, for one version of the workspace's scene."""

    def __init__(self, socket: WebSocket, space: Workspace) -> None:
        self._socket, self._space = socket, space
        self._shown, self._taken = space.shown, space.first.taken
        self._held: dict[str, tuple[int, int]] = {}  # run and count by key; malformed parts are skipped
        for part in socket.query_params.get("after", "").split(","):
            with contextlib.suppress(ValueError):
                key, run, count = part.split(":")
                self._held[key] = int(run), int(count)
        self._sent: dict[int, int] = {}  # snapshots by run number
        self._state: dict[str, object] = {}  # as sent last, and when
        self._state_sent = 0.0
        self._changed = asyncio.Event()
        self._acknowledged = asyncio.Semaphore(IN_FLIGHT)

    async def serve(self) -> None:
        """Send until the browser leaves, the scene is replaced, or a message is not acknowledged for half a minute."""
        if self._socket.query_params.get("scene", "") != str(self._shown.version):
            await self._socket.close(1000, REPLACED)
            return
        loop = asyncio.get_running_loop()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the loop of a server that has stopped
                loop.call_soon_threadsafe(self._changed.set)

        unsubscribe = self._space.subscribe(wake)
        self._reader = asyncio.create_task(self._read())
        try:
            while True:
                self._check()
                self._changed.clear()
                runs = self._space.runs
                await self._send_round(runs)
                await self._send_state(runs)
                if not any(panel.key in runs and self._news(panel, runs[panel.key]) for panel in self._shown.live):
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._changed.wait(), _AGAIN)
                self._check()
                await asyncio.sleep(_TICK)
        except _Done:
            pass
        except TimeoutError:  # a browser that reconnects says what it holds
            await self._socket.close(SLOW, "The browser did not acknowledge a message.")
            return
        finally:
            unsubscribe()
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await self._reader
        if self._space.first.taken != self._taken:
            await self._socket.close(UNKNOWN, RUN_AGAIN)
        elif self._space.shown.version != self._shown.version:
            await self._socket.close(1000, REPLACED)

    def _check(self) -> None:
        """Raise _Done if the browser has left, another scene is shown, or another tab has taken the workspace."""
        there = self._space.shown.version, self._space.first.taken
        if self._reader.done() or there != (self._shown.version, self._taken):
            raise _Done

    async def _read(self) -> None:
        try:
            while (message := await self._socket.receive())["type"] != "websocket.disconnect":
                if message.get("text") == "ack":
                    self._acknowledged.release()
        finally:
            self._changed.set()
            self._acknowledged.release()  # end a wait for the browser

    async def _send_round(self, runs: Mapping[str, PanelRun]) -> None:
        """Send one message for each panel that has news."""
        for panel in self._shown.live:
            held = runs.get(panel.key)
            if held is None or not self._news(panel, held):
                continue
            await self._acknowledge()
            # Snapshots are collected only now, so that all that came while the browser was busy go in one message.
            await self._send_state(runs)  # a press is answered before the snapshots that wait
            news, number = self._news(panel, held), held.number
            for k, start in enumerate(reversed(news[0].starts), start=1):  # the short runs before it, the best one last
                short = encode_snapshots(start.path, panel=panel.index, run=number, short_run=k)
                await _in_time(self._socket.send_bytes(short))
                await self._acknowledge()
            rows, size = None, news[0].transformation.size
            if panel.kind == "coordinates":
                rows = self._shown.rows
                size = len(rows) * _coordinates(news[0]).shape[1]
            news = news[: max(1, min(LARGEST_BATCH, LARGEST_MESSAGE // max(1, 4 * size)))]
            await _in_time(self._socket.send_bytes(encode_snapshots(news, panel=panel.index, run=number, rows=rows)))
            self._sent[number] += len(news)

    async def _send_state(self, runs: Mapping[str, PanelRun]) -> None:
        """Send the states of all runs and why work cannot be saved, if changed or as a heartbeat."""
        states = {panel.key: self._run_state(panel, runs[panel.key]) for panel in self._shown.live if panel.key in runs}
        state = {"scene": self._shown.version, "runs": states, "problem": SAVER.problem}
        if state != self._state or time.monotonic() - self._state_sent >= HEARTBEAT:
            self._state, self._state_sent = state, time.monotonic()
            await _in_time(self._socket.send_text(json.dumps(state)))

    def _run_state(self, panel: LivePanel, held: PanelRun) -> dict[str, object]:
        """The state of a run; "ended" only once all its snapshots are sent."""
        run, state = held.run, held.run.state
        if state == "ended" and self._news(panel, held):
            state = "running"
        ended, latest = state == "ended", run.latest()
        return {
            "run": held.number,
            "state": state,
            "queue": run.queue_position,
            "min_interval": run.min_interval,
            "max_iter": run.config.max_iter,
            "starts": [wording.start_title(start) for start in reversed(run.trajectory.starts)],
            "reason": run.ended_reason if ended else "",
            "note": " ".join(filter(None, (run.note, wording.estimated(latest.sampled if latest else None)))),
            "ended": run.ended if ended else "",
        }

    def _news(self, panel: LivePanel, held: PanelRun) -> list[Snapshot]:
        """Snapshots that the browser does not hold; none if they are of other points than the scene's."""
        if held.number not in self._sent:
            number, count = self._held.get(panel.key, (0, 0))
            known = number == held.number and 0 <= count <= len(held.run.snapshots_since(0))
            self._sent[held.number] = count if known else 0
        news, scene = held.run.snapshots_since(self._sent[held.number]), self._shown.scene
        if news and scene and panel.kind == "coordinates" and len(_coordinates(news[0])) != scene.n_samples:
            return []
        return news

    async def _acknowledge(self) -> None:
        """Wait until the browser has room for a message."""
        await _in_time(self._acknowledged.acquire())
        self._check()


async def _in_time(work: Awaitable[object]) -> None:
    async with asyncio.timeout(LONGEST_WAIT):
        await work


def _coordinates(snapshot: Snapshot) -> np.ndarray:
    """Y of a snapshot of a method without a matrix, (n_samples, n_components)."""
    assert snapshot.coordinates is not None
    return snapshot.coordinates


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
