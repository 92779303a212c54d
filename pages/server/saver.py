"""SAVER: save workspaces in a thread; restore them after a restart or at another server."""

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from nca_core.training.gate import GATE
from pages.server.document import best_rank
from pages.server.records import FIRST, LESSONS, SECOND, SavedPart, read_documents, read_record, record_of
from pages.server.store import META, Found, Store, StoreError
from pages.server.workspace import HUB, Hub, Workspace
from study.codec import encode

SECONDS = 3.0  # between two rounds
_REST = 0.6  # seconds of a round in which trainings yield to the encoding
_TOUCH = 20  # rounds between two renewals of used workspaces and sweeps of the store
_OPENING, _READING, _WRITING = "opened", "read", "written"
_EXPLAINED = OSError, ValueError, ImportError, StoreError  # their messages are for users
_UNREADABLE = ValueError, KeyError, TypeError, AttributeError  # of a record of another version
_OTHER = SavedPart(object(), bytes)  # differs from every part of a workspace
_log = logging.getLogger(__name__)


@dataclass
class _Saved:
    key: str = field(default_factory=lambda: secrets.token_hex(16))
    parts: dict[str, SavedPart] = field(default_factory=dict)
    record: bytes = b""
    lost: bool = False  # claimed by another server, or deleted


class Saver:
    def __init__(self, hub: Hub = HUB) -> None:
        self._hub = hub
        self._store: Store | None = None
        self._find: Callable[[], Store | None] = lambda: None
        self._saved: dict[str, _Saved] = {}  # by token
        self._reported: dict[str, str] = {}
        self._ending = threading.Event()
        self._one_look = threading.Lock()
        self._registering = threading.Lock()
        self._thread: threading.Thread | None = None
        self.problem = ""  # why the last round could not save all, for users; "" if it could or saving is off

    def start(self, find: Callable[[], Store | None]) -> None:
        """Start to save in the store that `find` returns; retried while it raises."""
        self._find = find
        self._open()
        if self._store is not None or self.problem:
            self._ending.clear()
            self._thread = threading.Thread(target=self._watch, name="nca-saver", daemon=True)
            self._thread.start()

    def _open(self) -> None:
        with self._reporting(_OPENING):  # such as no network yet
            self._store = self._find()

    @contextlib.contextmanager
    def _reporting(self, doing: str) -> Iterator[None]:
        """Log errors of the store when they begin and when they end; pages show those of opening and writing."""
        why, before = "", self._reported.get(doing, "")
        try:
            yield
            if before:
                _log.warning("Saved work can be %s again.", doing)
        except Exception as fault:
            explained = isinstance(fault, _EXPLAINED)
            # Other messages of libraries may hold addresses.
            why = getattr(fault, "strerror", None) or (str(fault) if explained else type(fault).__name__)
            if why != before:
                cause = str(fault.__cause__ or fault).partition("\n")[0]
                _log.error("Saved work cannot be %s: %s", doing, cause, exc_info=None if explained else fault)
        self._reported[doing] = why
        if doing != _READING:
            self.problem = why

    def close(self) -> None:
        """Save changes and end the thread; call it before the hub shuts down."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._ending.set()
        thread.join(10)
        self.save_all()
        store, self._store = self._store, None
        if store is not None:
            store.close()

    # -- restoring

    def restore(
        self, owner: str, link: Mapping[str, str] | None, session_id: str, lives: Callable[[], bool] = lambda: True
    ) -> Workspace | None:
        """Restore a saved workspace of a browser, as `Hub.restore`, and become its writer."""
        parts, documents = None, None
        with self._reporting(_READING):
            ranked = {}
            for found in self._elsewhere(owner):  # last used first
                with contextlib.suppress(*_UNREADABLE):
                    pages = read_record(found.meta).pages
                    shown = [pages[name] for name in (FIRST, SECOND) if name in pages]
                    if (ago := best_rank(link, shown, LESSONS in pages)) is not None:
                        ranked[found] = ago
            if self._store is not None and ranked:
                found = min(ranked, key=ranked.__getitem__)
                if (parts := self._store.claim(found)) is not None:
                    documents = read_documents(found.meta, parts)
        if parts is None or documents is None:
            return None
        with self._registering:
            space = self._hub.open(owner, documents[FIRST])
            # The next round writes all parts again and deletes those left over.
            others = {name: _OTHER for name in parts if name != META}
            self._saved[space.token] = _Saved(found.workspace, others, found.meta)
            if SECOND in documents:
                self._hub.open_second(space).document = documents[SECOND]
            if LESSONS in documents:
                self._hub.open_lessons(space).document = documents[LESSONS]
        space.attach_session(session_id, lives)
        return space

    def _elsewhere(self, owner: str) -> list[Found]:
        """Saved workspaces of a browser that are not in memory."""
        here = {saved.key for saved in list(self._saved.values())}
        found = self._store.find(owner) if self._store is not None and owner else []
        return [each for each in found if each.workspace not in here]

    def keeps(self, owner: str) -> bool:
        """Whether the browser has a workspace to restore."""
        with self._reporting(_READING):
            return bool(self._elsewhere(owner))
        return False

    def drop_claimed(self, owner: str) -> None:
        """Discard workspaces of a browser that another server has claimed while no session was here."""
        saved = {space: self._saved[space.token] for space in self._hub.of(owner) if space.token in self._saved}
        resting = {space: known.key for space, known in saved.items() if not space.has_session}
        if self._store is None or not resting:
            return
        with self._reporting(_READING):
            writers = self._store.writers(list(resting.values()))
            for space, key in resting.items():
                if writers.get(key, self._store.server) != self._store.server:
                    self._discard(space)

    def _discard(self, space: Workspace) -> None:
        self._hub.discard(space)
        self._saved.pop(space.token, None)

    # -- saving

    def save_all(self, unhurried: bool = False, touch: bool = False) -> None:
        """Save all changes; what cannot be saved is tried again in the next round.

        `unhurried` leaves time to pages between two workspaces; `touch` renews used workspaces and sweeps the store.
        """
        store = self._store
        if store is None:
            return
        faults = []
        with self._one_look, self._reporting(_WRITING):
            spaces = self._spaces()
            self._find_lost(store, spaces)
            if touch:
                store.touch([saved.key for space, saved in spaces if space.attached])
                store.sweep()

            def unsaved_bytes(each: tuple[Workspace, _Saved]) -> int:
                tables, parts = list(each[0].document.own_data.items()), each[1].parts
                return sum(data.X.nbytes for key, data in tables if f"table {key}" not in parts)

            for space, saved in sorted(spaces, key=unsaved_bytes):  # large tables last
                if unhurried:
                    GATE.yield_to_urgent(_REST / len(spaces))
                began = time.monotonic()
                try:
                    self._save(store, space, saved)
                except Exception as error:
                    faults.append(error)
                if unhurried:
                    self._ending.wait(min(2 * (time.monotonic() - began), _REST / len(spaces)))
            if faults:
                raise faults[-1]

    def _spaces(self) -> list[tuple[Workspace, _Saved]]:
        with self._registering:
            spaces = [space for space in self._hub.tabs() if space.owner]
            for gone in self._saved.keys() - {space.token for space in spaces}:
                self._saved.pop(gone, None)
            return [(space, self._saved.setdefault(space.token, _Saved())) for space in spaces]

    def _find_lost(self, store: Store, spaces: list[tuple[Workspace, _Saved]]) -> None:
        """Discard workspaces that another server has claimed; if their page is open here, save them as copies."""
        writers = store.writers([saved.key for _, saved in spaces if saved.record])
        for space, saved in spaces:
            writer = writers.get(saved.key)
            if not saved.record or writer == store.server:
                saved.lost = False
            elif not saved.lost:  # wait a round: a page closed while the server hung may still seem open
                saved.lost = True
            elif space.attached:
                self._saved[space.token] = _Saved()
            elif writer is not None:
                self._discard(space)
        spaces[:] = [(space, self._saved[space.token]) for space, _ in spaces if space.token in self._saved]

    def _save(self, store: Store, space: Workspace, saved: _Saved) -> None:
        if saved.lost:
            return
        record, parts = record_of(space, saved.parts)
        changed = {}
        for name, part in parts.items():
            before = saved.parts.get(name, _OTHER)
            if before.of is not part.of or before.end != part.end:
                changed[name] = part.encode()
        said = encode(record)
        if said != saved.record:
            changed[META] = said
        gone = saved.parts.keys() - parts.keys()
        if not changed and not gone:
            return
        if store.write(saved.key, space.owner, changed, gone):
            saved.parts, saved.record = parts, said
        else:
            saved.lost = True

    def _watch(self) -> None:
        rounds = 0
        while not self._ending.wait(SECONDS):
            if self._store is None:
                self._open()
            self.save_all(unhurried=True, touch=rounds % _TOUCH == 0)
            rounds += 1


SAVER = Saver()
