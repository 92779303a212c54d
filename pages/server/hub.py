"""HUB: the workspaces of all sessions, and the thread that ends what nobody looks at any more.

A workspace's token opens nothing without the owner's cookie.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping

from pages.server.given_back import give_back
from pages.server.workspace import Workspace
from study.link import to_link

FORGET_AFTER = 30 * 60.0  # seconds without session and socket
MOST_WORKSPACES = 200
GIVE_BACK_AFTER = 5.0  # seconds between two times that freed memory goes to the system
JUST_OPENED = 10.0  # seconds; a page that is being loaded takes hold of its workspace within them


class Hub:
    """All workspaces of this process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, reap: bool = True) -> None:
        self._clock = clock
        self._reap = reap
        self._lock = threading.Lock()
        self._workspaces: dict[str, Workspace] = {}
        self._ending = threading.Event()
        self._reaper: threading.Thread | None = None
        self._given_back = True  # the memory of those who went
        self._gave_back = -GIVE_BACK_AFTER

    def open(self, owner: str = "") -> Workspace:
        """A new workspace under a new token, for the browser whose cookie says `owner`."""
        space = Workspace(secrets.token_urlsafe(18), self._clock, owner=owner)
        with self._lock:
            self._workspaces[space.token] = space
            if self._reap and self._reaper is None:
                self._reaper = threading.Thread(target=self._watch, name="nca-reaper", daemon=True)
                self._reaper.start()
        self._forget_those_too_many()
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

    def of(self, owner: str) -> list[Workspace]:
        """The workspaces of one browser, the one that was looked at last first; none where it has no cookie."""
        if not owner:
            return []
        found = [space for space in self.firsts() if space.belongs_to(owner)]
        return sorted(found, key=lambda space: space.detached_since, reverse=True)

    def firsts(self) -> list[Workspace]:
        """The workspaces of all tabs."""
        return [space for space in list(self._workspaces.values()) if space.first is space]

    def take_up(
        self, owner: str, link: Mapping[str, str], session_id: str, lives: Callable[[], bool] = lambda: True
    ) -> Workspace | None:
        """The workspace that a reload of the same browser left behind, by the settings in its address.

        None where none of its workspaces showed these settings, or another tab works with it.
        """
        ranked = [(rank, space) for space in self.of(owner) if (rank := _rank(space, link)) is not None]
        found = [space for _, space in sorted(ranked, key=lambda each: each[0])]
        return next((space for space in found if space.attach_session(session_id, lives)), None)

    def trained(self, owner: str, link: Mapping[str, str], besides: Workspace) -> Workspace | None:
        """The workspace of the browser of which a page shows these settings just now and has a training of them."""
        for space in self.of(owner):
            pages = [space] if space.second is None else [space, space.second]
            if space is not besides and any(page.runs and page.shows(link) for page in pages):
                return space
        return None

    def take_up_lessons(
        self, owner: str, session_id: str, lives: Callable[[], bool] = lambda: True
    ) -> Workspace | None:
        """As `take_up`, of a tab that showed lessons, whose address names no recipe: the latest that is free."""
        found = [space for space in self.of(owner) if space.lessons is not None]
        return next((space for space in found if space.attach_session(session_id, lives)), None)

    def sweep(self) -> None:
        """Pause, stop and forget what nobody looks at."""
        if not self._given_back and self._clock() - self._gave_back >= GIVE_BACK_AFTER:
            self._given_back, self._gave_back = True, self._clock()
            give_back()
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
        space = self._workspaces.pop(token, None)
        if space is not None:
            space.forget()
            self._given_back = False

    def forget(self, space: Workspace) -> None:
        """End it and all that works for it."""
        self._drop(space.token)

    def give_back_soon(self) -> None:
        """Much memory was freed."""
        self._given_back = False

    def forget_oldest(self, besides: Workspace | None = None, rested: float = 0.0) -> bool:
        """Forget the workspace that nobody has looked at for longest, of those at which nobody has for `rested`
        seconds; False where there is none."""
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


def _rank(space: Workspace, link: Mapping[str, str]) -> int | None:
    """How many changes ago a page of the workspace had this address; None for never.

    The newest changes may not have reached the address when a tab is loaded anew.
    """
    pages = [space] if space.second is None else [space, space.second]
    found = [
        ago
        for page in pages
        for ago, recipe in enumerate([page.belongings.recipe, *reversed(page.belongings.past)])
        if to_link(recipe) == link
    ]
    return min(found, default=None)


HUB = Hub()
