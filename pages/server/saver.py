"""SAVER: the thread that writes to the store what people have, and finds it again after a restart of the server."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping

from pages.server.hub import HUB, Hub
from pages.server.saved import Written, rank, save, take_back
from pages.server.store import Store
from pages.server.workspace import Workspace

SECONDS = 3.0  # between two looks at what has changed
_AGAIN = 100  # looks after which what has not changed is written again, so that it does not grow old
_SWEEP = 20  # looks between two sweeps of the store
_log = logging.getLogger(__name__)


class Saver:
    """Writes the workspaces of a hub.

    Attributes
    ----------
    problem : str
        Why the last writing failed, for people; "" where it did not, or nothing is to be kept.
    """

    def __init__(self, hub: Hub = HUB) -> None:
        self._hub = hub
        self._store: Store | None = None
        self._written: dict[str, Written] = {}
        self._replaces: dict[str, str] = {}  # token -> folder of the workspace before the restart
        self._ending = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.problem = ""

    def start(self, store: Store | None) -> None:
        """Begin to keep what people have; with None nothing is kept."""
        self._store = store
        if store is not None:
            self._ending.clear()
            self._thread = threading.Thread(target=self._watch, name="nca-saver", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Write what has changed and end the thread; to be called before the hub forgets everybody."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._ending.set()
        thread.join(10)
        self.save_all()
        self._store = None

    def take_up(
        self, owner: str, link: Mapping[str, str], session_id: str, lives: Callable[[], bool] = lambda: True
    ) -> Workspace | None:
        """The workspace of a browser that showed these settings before the server was started again."""
        store = self._store
        if store is None or not owner or not link:
            return None
        try:
            here = {written.folder for written in list(self._written.values())}
            metas = [each for each in store.metas(owner) if each[0] not in here]
            ranked = [(ago, k) for k, (_, meta) in enumerate(metas) if (ago := rank(meta, link)) is not None]
            if not ranked:
                return None
            folder, meta = metas[min(ranked)[1]]
            belongings = take_back(store, folder, meta)  # all of it, before anybody can find the workspace
        except Exception:  # a store that is gone, or what somebody else wrote there
            _log.exception("a workspace could not be read from the store")
            return None
        space = self._hub.open(owner)
        space.belongings = belongings[0]
        if len(belongings) > 1:
            self._hub.open_second(space).belongings = belongings[1]
        self._replaces[space.token] = folder
        space.attach_session(session_id, lives)
        return space

    def keeps(self, owner: str) -> bool:
        """Whether there is something of a browser that a page of before the restart can come back to."""
        try:
            here = {written.folder for written in list(self._written.values())}
            metas = self._store.metas(owner) if self._store is not None and owner else []
        except Exception:  # a store that is gone
            _log.exception("the store could not be read")
            return False
        return any(folder not in here for folder, _ in metas)

    def save_all(self, again: bool = False) -> None:
        """Write what has changed; what cannot be written stays in memory and is tried again."""
        store, problem = self._store, ""
        if store is None:
            return
        with self._lock:
            spaces = [space for space in self._hub.firsts() if space.owner]
            for gone in self._written.keys() - {space.token for space in spaces}:
                del self._written[gone]
            for space in spaces:
                before = self._written.get(space.token)
                try:
                    if before is not None and not space.in_sight and (again or not store.holds(before.folder)):
                        continue  # it grows old, or another server has taken it up
                    self._written[space.token] = save(space, store, before, again)
                    if (old := self._replaces.pop(space.token, None)) is not None:
                        store.remove(old)
                except Exception as error:
                    problem = getattr(error, "strerror", None) or type(error).__name__
                    _log.exception("a workspace could not be written to the store")
        self.problem = problem

    def _watch(self) -> None:
        looks = 0
        while not self._ending.wait(SECONDS):
            looks += 1
            self.save_all(again=looks % _AGAIN == 0)
            if looks % _SWEEP == 1 and self._store is not None:
                try:
                    self._store.sweep()
                except Exception:
                    _log.exception("the store could not be swept")


SAVER = Saver()
