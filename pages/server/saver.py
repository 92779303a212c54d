"""SAVER: the thread that writes to the store what people have, and finds it again after a restart of the server."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping

from nca_core.gate import GATE
from pages.server.hub import HUB, Hub
from pages.server.saved import FIRST, LESSONS, SECOND, Written, rank, save, take_back
from pages.server.store import Meta, Store
from pages.server.workspace import Workspace

SECONDS = 3.0  # between two looks at what has changed
_REST = 0.6  # seconds of a look in which nothing is written, between the workspaces
_AGAIN = 100  # looks after which what has not changed is written again, so that it does not grow old
_SWEEP = 20  # looks between two sweeps of the store
_OPENING, _READING, _WRITING, _SWEEPING = "opened", "read", "written", "swept"
_MOST_WENT_ON = 8  # of the workspaces that one was before
_SAID = OSError, ValueError, ImportError  # their words say what to do
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
        self._find: Callable[[], Store | None] = lambda: None
        self._written: dict[str, Written] = {}
        self._replaces: dict[str, str] = {}  # token -> folder of the workspace before the restart
        self._went_on: dict[str, dict[str, float]] = {}  # token -> folders of what it was before, and until when
        self._told: dict[str, str] = {}
        self._ending = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._away = False  # the store was not there at the last look
        self.problem = ""

    def start(self, find: Callable[[], Store | None]) -> None:
        """Begin to keep what people have in the store that `find` gives, which is asked again where it raises."""
        self._find = find
        self._open()
        if self._store is not None or self.problem:
            self._ending.clear()
            self._thread = threading.Thread(target=self._watch, name="nca-saver", daemon=True)
            self._thread.start()

    def _open(self) -> None:
        fault = None
        try:
            self._store = self._find()
        except Exception as error:  # no network yet, a library that is missing
            fault = error
        self.problem = self._tell(_OPENING, fault)

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
        return self._take_up(owner, lambda meta: rank(meta, link), session_id, lives) if link else None

    def take_up_lessons(
        self, owner: str, session_id: str, lives: Callable[[], bool] = lambda: True
    ) -> Workspace | None:
        """As `take_up`, of a browser that showed lessons, whose address names no recipe: the latest."""
        return self._take_up(owner, lambda meta: 0 if LESSONS in meta["pages"] else None, session_id, lives)

    def _take_up(
        self, owner: str, ago: Callable[[Meta], int | None], session_id: str, lives: Callable[[], bool]
    ) -> Workspace | None:
        store = self._store
        if store is None or not owner:
            return None
        try:
            metas = self._kept_of(owner)
            ranked = [(found, k) for k, (_, meta) in enumerate(metas) if (found := ago(meta)) is not None]
            if not ranked:
                return None
            folder, meta = metas[min(ranked)[1]]
            belongings = take_back(store, folder, meta)  # all of it, before anybody can find the workspace
        except Exception as error:  # a store that is gone, or what somebody else wrote there
            self._tell(_READING, error)
            return None
        self._tell(_READING, None)
        space = self._hub.open(owner)
        space.belongings = belongings[FIRST]
        if SECOND in belongings:
            self._hub.open_second(space).belongings = belongings[SECOND]
        if LESSONS in belongings:
            self._hub.open_lessons(space).belongings = belongings[LESSONS]
        went_on = {**meta.get("went_on", {}), _name(folder): store.now()}
        self._went_on[space.token] = dict(list(went_on.items())[-_MOST_WENT_ON:])
        self._replaces[space.token] = folder
        space.attach_session(session_id, lives)
        return space

    def take_over(
        self,
        owner: str,
        link: Mapping[str, str],
        session_id: str,
        lives: Callable[[], bool] = lambda: True,
        of_lessons: bool = False,
    ) -> Workspace | None:
        """As `take_up`, where another server has gone on with what is here while nobody looked at it here, or this
        one hung; what is here is forgotten. For a new session only."""
        store = self._store
        resting = [space for space in self._hub.of(owner) if space.token in self._written and not space.has_session]
        if store is None or not resting:
            return None

        def left(went_on: Mapping[str, float]) -> list[Workspace]:
            written = [(space, each) for space in resting if (each := self._written.get(space.token)) is not None]
            then = [(space, went_on.get(_name(each.folder))) for space, each in written]
            return [space for space, at in then if at is not None and space.attention.was_elsewhere(store.now() - at)]

        def ago(meta: Meta) -> int | None:
            found = 0 if of_lessons and LESSONS in meta["pages"] else rank(meta, link) if link else None
            return found if left(meta.get("went_on", {})) else None

        held = self._take_up(owner, ago, session_id, lives)
        for space in left(self._went_on[held.token]) if held is not None else ():
            self._forget(space, store)
        return held

    def _forget(self, space: Workspace, store: Store) -> None:
        """Here and in the store, where a server that came back may have written it once more."""
        self._hub.forget(space)
        written = self._written.pop(space.token, None)
        try:
            if written is not None:
                store.remove(written.folder)
        except Exception as error:  # it grows old there
            self._tell(_WRITING, error)

    def _kept_of(self, owner: str) -> list[tuple[str, Meta]]:
        """What the store has of a browser and the server has not."""
        here = {written.folder for written in list(self._written.values())} | set(self._replaces.values())
        metas = self._store.metas(owner) if self._store is not None and owner else []
        return [each for each in metas if each[0] not in here]

    def keeps(self, owner: str) -> bool:
        """Whether there is something of a browser that a page of before the restart can come back to."""
        try:
            return bool(self._kept_of(owner))
        except Exception as error:  # a store that is gone
            self._tell(_READING, error)
            return False

    def save_all(self, again: bool = False, unhurried: bool = False) -> None:
        """Write what has changed; what cannot be written stays in memory and is tried again. Where it is `unhurried`,
        the pages get on between two workspaces."""
        store = self._store
        if store is None:
            return
        with self._lock:
            known, replaces = dict(self._written), dict(self._replaces)
            try:
                store.recognise()
                fault = self._write(store, again or self._away, unhurried)
                store.recognise()
                self._away = False
            except Exception as error:  # nobody knows what of this reached the store, so it is written once more
                fault, self._away = error, True
                self._written = known
                self._replaces.update(replaces)
        self.problem = self._tell(_WRITING, fault)

    def _write(self, store: Store, again: bool, unhurried: bool) -> Exception | None:
        """What went wrong last, where something did; each workspace is tried."""
        fault = None
        spaces = [space for space in self._hub.firsts() if space.owner]
        here = {space.token for space in spaces}
        for gone in self._written.keys() - here:
            self._written.pop(gone, None)  # a page may forget one just now
        for gone in self._went_on.keys() - here:
            self._went_on.pop(gone, None)
        for space in sorted(spaces, key=self._to_pack):  # nobody's training waits for somebody else's table
            if unhurried:
                GATE.stand_back(_REST / len(spaces))
            before, began = self._written.get(space.token), time.monotonic()
            try:
                if before is not None and not space.in_sight and (again or not store.holds(before.folder)):
                    continue  # it grows old, or another server has taken it up
                self._written[space.token] = save(space, store, before, again, self._went_on.get(space.token, {}))
                if (old := self._replaces.pop(space.token, None)) is not None:
                    store.remove(old)
            except Exception as error:
                fault = error
            if unhurried:
                self._ending.wait(min(2 * (time.monotonic() - began), _REST / len(spaces)))
        return fault

    def _to_pack(self, space: Workspace) -> int:
        """Bytes of tables that are not in the store yet."""
        written = self._written.get(space.token)
        there = () if written is None else written.kept
        return sum(
            data.X.nbytes for key, data in list(space.belongings.own_data.items()) if f"table {key}" not in there
        )

    def _tell(self, doing: str, fault: Exception | None) -> str:
        """Why it cannot be done, "" where it can; the log has it when it begins and when it is over, not in between."""
        why = "" if fault is None else _why(fault)
        before, self._told[doing] = self._told.get(doing, ""), why
        if fault is not None and why != before:
            traceback = None if isinstance(fault, _SAID) else fault
            _log.error(f"The store of people's work cannot be {doing}: %s", fault, exc_info=traceback)
        elif fault is None and before:
            _log.warning(f"The store of people's work can be {doing} again.")
        return why

    def _watch(self) -> None:
        looks = 0
        while not self._ending.wait(SECONDS):
            looks += 1
            if self._store is None:
                self._open()
            self.save_all(again=looks % _AGAIN == 0, unhurried=True)
            if looks % _SWEEP == 1 and self._store is not None and not self._away:
                fault = None
                try:
                    self._store.sweep()
                except Exception as error:
                    fault = error
                self._tell(_SWEEPING, fault)


def _name(folder: str) -> str:
    return folder.rpartition("/")[2]


def _why(fault: Exception) -> str:
    """For people; what a library says may hold addresses that are not for them."""
    return getattr(fault, "strerror", None) or (str(fault) if isinstance(fault, _SAID) else type(fault).__name__)


SAVER = Saver()
