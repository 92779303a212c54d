"""The live socket: send one browser the runs of one scene, no faster than it acknowledges.

The browser connects with `?scene=<version>&after=<key>:<run>:<count>,...`: the scene it shows and how many snapshots of
each run it holds. It gets the rest, panel by panel in turn, and the state of all runs when it changes or every
`HEARTBEAT` seconds. Messages carry the run's number, since a run may be replaced. A replaced scene closes the socket.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Mapping

import numpy as np
from starlette.websockets import WebSocket, WebSocketDisconnect

from nca_core.snapshot import Snapshot
from pages.server.saver import SAVER
from pages.server.workspace import LivePanel, PanelRun, Workspace
from stage import wording
from stage.wire import encode_snapshots

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


def parse_after(text: str) -> dict[str, tuple[int, int]]:
    """ "pca:3:17,nca:4:0" -> {"pca": (3, 17), "nca": (4, 0)}: run and count by key; skips malformed parts."""
    held = {}
    for part in text.split(","):
        with contextlib.suppress(ValueError):
            key, run, count = part.split(":")
            held[key] = (int(run), int(count))
    return held


class _Done(Exception):
    """The browser has left, or shows another scene."""


class LiveSocket:
    """One browser's socket, for one version of the workspace's scene."""

    def __init__(self, socket: WebSocket, space: Workspace) -> None:
        self._socket, self._space = socket, space
        self._shown, self._taken = space.shown, space.first.taken
        self._held = parse_after(socket.query_params.get("after", ""))
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
                await _in_time(
                    self._socket.send_bytes(encode_snapshots(start.path, panel=panel.index, run=number, short_run=k))
                )
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
