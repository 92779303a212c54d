"""HUB: the workspaces of all sessions, by unguessable token, and the thread that ends what nobody looks at any more.

A workspace holds what a person had: scene, run, settings. It is attached while its session or a stage's socket
lives. Detached, its run is paused, then stopped; the workspace itself stays for a while for a reload.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from nca_core.run import TrainingRun
from pages.stage.scene import Scene, thinned
from pages.stage.wire import encode_scene

PAUSE_AFTER = 4.0  # seconds without session and socket
STOP_AFTER = 15.0
FORGET_AFTER = 30 * 60.0
MOST_WORKSPACES = 200


class Workspace:
    """What one browser tab works with. Thread-safe; made by `Hub.open`."""

    def __init__(self, token: str, clock: Callable[[], float]) -> None:
        self.token = token
        self.saved: dict[str, Any] = {}
        self.scene_version = 0
        self.run_version = 0
        self.run: TrainingRun | None = None
        self.shown_rows = np.empty(0, dtype=int)
        self._payload = b""
        self._clock = clock
        self._lock = threading.Lock()
        self._sessions: set[str] = set()
        self._sockets = 0
        self._paused_by_hub = False
        self._endings: list[Callable[[], None]] = []
        self.detached_since = clock()

    def set_scene(self, scene: Scene) -> None:
        smaller, rows = thinned(scene)
        payload = encode_scene(smaller)
        with self._lock:
            self._payload, self.shown_rows = payload, rows
            self.scene_version += 1

    def scene_payload(self) -> bytes:
        return self._payload

    def set_run(self, run: TrainingRun | None) -> None:
        """Show another run; the one before it is stopped without waiting for its last step."""
        with self._lock:
            before, self.run = self.run, run
            self.run_version += 1
            self._paused_by_hub = False
        if before is not None:
            before.stop(timeout=0)

    def when_forgotten(self, end: Callable[[], None]) -> None:
        """Call `end` when the workspace goes: it ends what else works for it, without waiting."""
        with self._lock:
            self._endings.append(end)

    def forget(self) -> None:
        """Stop the run and all else that works for this workspace."""
        self.set_run(None)
        with self._lock:
            endings, self._endings = self._endings, []
        for end in endings:
            end()

    # -- who is looking

    @property
    def attached(self) -> bool:
        return bool(self._sessions) or self._sockets > 0

    @property
    def has_session(self) -> bool:
        return bool(self._sessions)

    def attach_session(self, session_id: str) -> None:
        with self._lock:
            self._sessions.add(session_id)
        self._wake()

    def release_session(self, session_id: str) -> None:
        with self._lock:
            self._sessions.discard(session_id)
            self.detached_since = self._clock()

    def attach_socket(self) -> None:
        with self._lock:
            self._sockets += 1
        self._wake()

    def release_socket(self) -> None:
        with self._lock:
            self._sockets -= 1
            self.detached_since = self._clock()

    def _wake(self) -> None:
        with self._lock:
            run, resume = self.run, self._paused_by_hub
            self._paused_by_hub = False
        if resume and run is not None and run.state == "paused":
            run.resume()

    def rest(self) -> None:
        """Called while nobody looks: pause the run, later stop it."""
        away = self._clock() - self.detached_since
        run = self.run
        if run is None or run.state == "ended" or self.attached:
            return
        if away >= STOP_AFTER:
            run.stop(timeout=0)
        elif away >= PAUSE_AFTER and run.state in ("running", "waiting"):
            with self._lock:
                self._paused_by_hub = True
            run.pause()


class Hub:
    """All workspaces of this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, reap: bool = True) -> None:
        self._clock = clock
        self._reap = reap
        self._lock = threading.Lock()
        self._workspaces: dict[str, Workspace] = {}
        self._ending = threading.Event()
        self._reaper: threading.Thread | None = None

    def open(self) -> Workspace:
        """A new workspace under a new token."""
        space = Workspace(secrets.token_urlsafe(18), self._clock)
        with self._lock:
            self._workspaces[space.token] = space
            if self._reap and self._reaper is None:
                self._reaper = threading.Thread(target=self._watch, name="nca-reaper", daemon=True)
                self._reaper.start()
        self._forget_oldest()
        return space

    def find(self, token: str) -> Workspace | None:
        return self._workspaces.get(token)

    def adopt(self, token: str, session_id: str) -> Workspace | None:
        """The workspace that a reload left behind; None if it is gone or another living session holds it."""
        with self._lock:
            space = self._workspaces.get(token)
            if space is None or space.has_session:
                return None
            space.attach_session(session_id)
            return space

    def sweep(self) -> None:
        """Pause, stop and forget what nobody looks at."""
        for token, space in list(self._workspaces.items()):
            if space.attached:
                continue
            space.rest()
            if self._clock() - space.detached_since >= FORGET_AFTER:
                self._drop(token)

    def shutdown(self) -> None:
        """Stop every run and the watching thread."""
        self._ending.set()
        for token in list(self._workspaces):
            self._drop(token)
        reaper, self._reaper = self._reaper, None
        if reaper is not None:
            reaper.join(5.0)
        self._ending.clear()

    def _drop(self, token: str) -> None:
        space = self._workspaces.pop(token, None)
        if space is not None:
            space.forget()

    def _forget_oldest(self) -> None:
        resting = sorted(
            (space.detached_since, token) for token, space in list(self._workspaces.items()) if not space.attached
        )
        for _, token in resting[: max(0, len(self._workspaces) - MOST_WORKSPACES)]:
            self._drop(token)

    def _watch(self) -> None:
        while not self._ending.wait(1.0):
            self.sweep()


HUB = Hub()
