"""HUB: the workspaces of all sessions, and the thread that expires them.

A workspace's token opens nothing without the owner's cookie.
"""

from __future__ import annotations

import contextlib
import ctypes
import secrets
import sys
import threading
import time
from collections.abc import Callable, Mapping

from pages.server.document import Document
from pages.server.workspace import Workspace

FORGET_AFTER = 30 * 60.0  # seconds without session and socket
MOST_WORKSPACES = 200
TRIM_AFTER = 5.0  # seconds between two releases of freed memory to the system
JUST_OPENED = 10.0  # seconds within which a page that loads attaches to its workspace


class Hub:
    """All workspaces of this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, reap: bool = True) -> None:
        self._clock = clock
        self._reap = reap
        self._lock = threading.Lock()
        self._workspaces: dict[str, Workspace] = {}
        self._ending = threading.Event()
        self._reaper: threading.Thread | None = None
        self._trimmed = True
        self._trimmed_at = -TRIM_AFTER

    def open(self, owner: str = "", document: Document | None = None) -> Workspace:
        """A new workspace under a new token, for the browser whose cookie says `owner`."""
        space = Workspace(secrets.token_urlsafe(18), self._clock, owner=owner)
        space.document = document or space.document
        with self._lock:
            self._workspaces[space.token] = space
            if self._reap and self._reaper is None:
                self._reaper = threading.Thread(target=self._watch, name="nca-reaper", daemon=True)
                self._reaper.start()
        self._forget_those_too_many()
        return space

    def open_second(self, first: Workspace) -> Workspace:
        """The workspace of the tab's page of comparisons; it ends with the first one."""
        first.second = self._beside(first)
        return first.second

    def open_lessons(self, first: Workspace) -> Workspace:
        """The workspace of the tab's lessons; it ends with the first one."""
        first.lessons = self._beside(first)
        return first.lessons

    def _beside(self, first: Workspace) -> Workspace:
        space = Workspace(secrets.token_urlsafe(18), self._clock, first=first)
        with self._lock:
            self._workspaces[space.token] = space
        return space

    def find(self, token: str) -> Workspace | None:
        return self._workspaces.get(token)

    def of(self, owner: str) -> list[Workspace]:
        """The workspaces of one browser, last used first; none without a cookie."""
        if not owner:
            return []
        found = [space for space in self.firsts() if space.belongs_to(owner)]
        return sorted(found, key=lambda space: space.detached_since, reverse=True)

    def firsts(self) -> list[Workspace]:
        """The workspaces of all tabs."""
        return [space for space in self.all() if space.first is space]

    def all(self) -> list[Workspace]:
        """The workspaces of all pages of all tabs."""
        return list(self._workspaces.values())

    def take_up(
        self, owner: str, link: Mapping[str, str] | None, session_id: str, lives: Callable[[], bool] = lambda: True
    ) -> Workspace | None:
        """The workspace that a reload of the same browser left behind, attached to the session.

        The link has the settings in the address; None for a page of lessons, whose address names no recipe. None if no
        workspace showed these settings, or another session holds it.
        """
        ranked = [(rank, space) for space in self.of(owner) if (rank := space.rank(link)) is not None]
        found = [space for _, space in sorted(ranked, key=lambda each: each[0])]
        return next((space for space in found if space.attach_session(session_id, lives)), None)

    def trained(self, owner: str, link: Mapping[str, str], besides: Workspace) -> Workspace | None:
        """Another workspace of the browser that shows these settings now and has a training of them."""
        for space in self.of(owner):
            pages = [space] if space.second is None else [space, space.second]
            if space is not besides and any(page.runs and page.shows(link) for page in pages):
                return space
        return None

    def sweep(self) -> None:
        """Pause and expire what nothing is attached to."""
        if not self._trimmed and self._clock() - self._trimmed_at >= TRIM_AFTER:
            self._trimmed, self._trimmed_at = True, self._clock()
            trim_memory()
        for token, space in list(self._workspaces.items()):
            space.look_after()
            if not space.attached and self._clock() - space.detached_since >= FORGET_AFTER:
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
        space = self._workspaces.get(token)
        if space is not None:
            for page in space.of_the_tab():
                self._workspaces.pop(page.token, None)
            space.forget()
            self._trimmed = False

    def forget(self, space: Workspace) -> None:
        """End a workspace with its runs and jobs."""
        self._drop(space.token)

    def trim_memory_soon(self) -> None:
        """Release freed memory at the next sweep."""
        self._trimmed = False

    def forget_oldest(self, besides: Workspace | None = None, rested: float = 0.0) -> bool:
        """Forget the workspace unused for longest, of those unused for `rested` seconds; False if there is none."""
        until = self._clock() - rested
        resting = [
            space
            for space in self.firsts()
            if space is not besides and not space.in_sight and space.detached_since <= until
        ]
        if not resting:
            return False
        self._drop(min(resting, key=lambda space: space.detached_since).token)
        return True

    def _forget_those_too_many(self) -> None:
        while len(self._workspaces) > MOST_WORKSPACES and self.forget_oldest(rested=JUST_OPENED):
            pass

    def _watch(self) -> None:
        while not self._ending.wait(1.0):
            self.sweep()


def trim_memory() -> None:
    """Release freed memory to the system: glibc keeps some hundred MB after a large table."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)


HUB = Hub()
