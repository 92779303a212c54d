"""HUB: the workspaces of all sessions, by unguessable token, and the thread that ends what nobody looks at any more."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable

from pages.server.workspace import Workspace

FORGET_AFTER = 30 * 60.0  # seconds without session and socket
MOST_WORKSPACES = 200


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

    def open_second(self, first: Workspace) -> Workspace:
        """The workspace of the tab's page of comparisons, which goes when the first one goes."""
        first.second = self._beside(first)
        return first.second

    def open_lessons(self, first: Workspace) -> Workspace:
        """The workspace of the tab's lessons, which goes when the first one goes."""
        first.lessons = self._beside(first)
        return first.lessons

    def _beside(self, first: Workspace) -> Workspace:
        space = Workspace(secrets.token_urlsafe(18), self._clock, first=first)
        with self._lock:
            self._workspaces[space.token] = space
        first.when_forgotten(lambda: self._drop(space.token))
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
