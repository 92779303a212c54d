"""Workspace: document, scene and runs of one browser tab. HUB: all workspaces, which expire here."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import secrets
import sys
import threading
import time
import weakref
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nca_core.snapshot import Snapshot
from nca_core.training.gate import GATE, Gate, Place
from nca_core.training.run import Listeners, TrainingRun
from pages.server.document import Document, best_rank
from stage.scene import Kind, Scene, shown_rows, with_rows
from stage.wire import encode_scene
from study.link import to_link

PAUSE_AFTER = 4.0  # seconds without session and socket
MOST_LIVE_PANELS = 9
EXPIRE_AFTER = 30 * 60.0  # seconds without session and socket
MOST_WORKSPACES = 200
JUST_OPENED = 10.0  # seconds within which a page that loads attaches to its workspace
MOST_SOCKETS = 6  # a tab has one, briefly two after a lost connection


@dataclass(frozen=True)
class LivePanel:
    index: int  # in the scene
    key: str
    kind: Kind


@dataclass(frozen=True)
class ShownScene:
    """The scene that the browser shows."""

    version: int = 0  # 0 before the first scene
    scene: Scene | None = None  # before thinning
    rows: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=int))  # that are shown, (n_shown,)
    live: tuple[LivePanel, ...] = ()

    def encoded(self) -> bytes:
        """Encode it for the browser; empty without a scene."""
        return b"" if self.scene is None else encode_scene(with_rows(self.scene, self.rows))


@dataclass(frozen=True)
class PanelRun:
    run: TrainingRun
    number: int  # unique in the workspace
    unsubscribe: Callable[[], None]
    ours: bool = True  # False if another workspace stops it


class Workspace:
    """The state of one page of a browser tab. Thread-safe; opened by `Hub.open`."""

    def __init__(
        self, token: str, clock: Callable[[], float], gate: Gate = GATE, first: Workspace | None = None, owner: str = ""
    ) -> None:
        self.token = token
        self.first: Workspace = first or self  # whose data the tab's other pages share
        self.second: Workspace | None = None  # of the page Compare
        self.lessons: Workspace | None = None
        self.owner: str = owner if first is None else first.owner  # the browser's cookie; "" without one
        self.document: Document = Document() if first is None else first.document.beside()
        self.gate: Gate = gate if first is None else first.gate
        self.place: Place = Place() if first is None else first.place  # one at the gate for all runs of a tab
        self.restoring = threading.Lock()  # held while saved runs are restored
        # Of panels whose stage does not follow the training: (number of the run, number of the snapshot shown)
        self.held: Mapping[str, tuple[int, int]] = {}
        self.shown = ShownScene()
        self.runs: Mapping[str, PanelRun] = {}  # by panel; replaced as a whole
        self.offered: weakref.WeakSet[TrainingRun] = weakref.WeakSet()  # trainings of Explore that Compare has shown
        self._numbers = itertools.count(1)
        self._clock = clock
        self._lock = threading.Lock()
        self._listeners = Listeners()
        # Of the tab, used of its first page only
        self.elsewhere = ""  # token of another tab's workspace that already trained what this one shows
        self.taken = 0  # times that another tab took it over; sockets opened before belong to the previous tab
        self._holder = ""  # id of the session that holds it; "" for none
        self._holder_lives: Callable[[], bool] = lambda: True
        self._sockets = 0
        self._paused: list[TrainingRun] = []  # by `look_after`
        self.detached_since = clock()

    # -- scene

    def set_scene(self, scene: Scene) -> None:
        live = tuple(
            LivePanel(index, panel.key, panel.kind)
            for index, panel in enumerate(scene.panels)
            if panel.live and not panel.problem
        )
        with self._lock:
            self.shown = ShownScene(self.shown.version + 1, scene, shown_rows(scene), live)
        self._listeners.notify()

    # -- runs

    @property
    def trains(self) -> bool:
        """Whether Explore or Compare of this tab has a run."""
        return any(page.runs for page in self.pages)

    @property
    def run_numbers(self) -> dict[str, int]:
        return {key: held.number for key, held in self.runs.items()}

    def latest(self, key: str) -> Snapshot | None:
        held = self.runs.get(key)
        return None if held is None else held.run.latest()

    def history(self, key: str) -> tuple[Snapshot, ...]:
        held = self.runs.get(key)
        return () if held is None else held.run.trajectory.snapshots

    def shown_index(self, key: str) -> int:
        """The number of the snapshot on the stage: the newest unless the stage holds another; −1 without any."""
        held = self.runs.get(key)
        last = len(self.history(key)) - 1
        run, number = self.held.get(key, (0, -1))
        return number if held is not None and run == held.number and 0 <= number <= last else last

    def at(self, key: str) -> Snapshot | None:
        """The iteration of a panel's run that is on the stage; None before the first."""
        number = self.shown_index(key)
        return None if number < 0 else self.history(key)[number]

    def shows(self, link: Mapping[str, str]) -> bool:
        return to_link(self.document.recipe) == link

    @property
    def pages(self) -> list[Workspace]:  # Explore and Compare
        return [self] if self.second is None else [self, self.second]

    def of_the_tab(self) -> list[Workspace]:
        return self.pages if self.lessons is None else [*self.pages, self.lessons]

    def set_run(self, key: str, run: TrainingRun, ours: bool = True) -> None:
        """Set a panel's run; the previous one ends. Raises ValueError if too many panels have a run.

        ours: this workspace stops it.
        """
        with self._lock:
            if len(self.runs.keys() - {key}) >= MOST_LIVE_PANELS:
                raise ValueError(f"At most {MOST_LIVE_PANELS} panels can train side by side; remove one first.")
            before = self.runs.get(key)
            held = PanelRun(run, next(self._numbers), run.subscribe(self._listeners.notify), ours)
            self.runs = {**self.runs, key: held}
        self._end([] if before is None else [before])

    def keep_runs(self, keys: Collection[str]) -> None:
        with self._lock:
            gone = [held for key, held in self.runs.items() if key not in keys]
            self.runs = {key: held for key, held in self.runs.items() if key in keys}
        if gone:
            self._end(gone)

    def hand_over(self, key: str) -> TrainingRun:
        """Return a panel's run, still shown here; the caller stops it from now on."""
        with self._lock:
            held = self.runs[key]
            self.runs = {**self.runs, key: replace(held, ours=False)}
        return held.run

    def _end(self, gone: Iterable[PanelRun]) -> None:
        for held in gone:
            held.unsubscribe()
            if held.ours:
                held.run.stop(timeout=0)  # without waiting for its last step
        self._listeners.notify()

    # -- listeners

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when scene or runs change; returns a function that unsubscribes."""
        return self._listeners.add(listener)

    def discard(self) -> None:
        """Stop all runs and jobs of the tab and release its data, even if the workspace is still referenced."""
        for page in self.of_the_tab()[1:]:
            page.discard()
        self.keep_runs(())
        for job in list(self.document.jobs.values()):
            job.cancel()
        with self._lock:
            self.shown = ShownScene(self.shown.version + 1)
            self.document = Document(recipe=self.document.recipe)
        self._listeners.notify()

    # -- sessions and sockets, of all pages of the tab together

    def belongs_to(self, owner: str) -> bool:
        return secrets.compare_digest(self.owner, owner)

    @property
    def attached(self) -> bool:
        return self.has_session or self.first._sockets > 0

    @property
    def has_session(self) -> bool:
        return bool(self.first._holder) and self.first._holder_lives()

    def attach_session(self, session_id: str, lives: Callable[[], bool] = lambda: True, take: bool = False) -> bool:
        """Attach a session; False if another living session holds the tab.

        `take` attaches it in place of that one, whose stage reruns its page.
        """
        tab = self.first
        with tab._lock:
            if tab._holder != session_id and tab.has_session and not take:
                return False
            tab._holder, tab._holder_lives = session_id, lives
            tab.taken += take
        tab._wake()
        for page in tab.of_the_tab() if take else ():
            page._listeners.notify()
        return True

    def release_session(self, session_id: str) -> None:
        tab = self.first
        with tab._lock:
            if tab._holder == session_id:
                tab._holder = ""
            tab.detached_since = self._clock()

    def attach_socket(self) -> bool:
        tab = self.first
        with tab._lock:
            if tab._sockets >= MOST_SOCKETS:  # refused
                return False
            tab._sockets += 1
        tab._wake()
        return True

    def release_socket(self) -> None:
        tab = self.first
        with tab._lock:
            tab._sockets -= 1
            tab.detached_since = self._clock()

    def _wake(self) -> None:
        with self._lock:
            paused, self._paused = self._paused, []
        for run in paused:
            if run.state == "paused":
                run.resume()

    def look_after(self) -> None:
        """Pause the tab's runs while nothing is attached, and resume them afterwards; called every second."""
        if self.attached:
            self.detached_since = self._clock()
            self._wake()
            return
        if self._clock() - self.detached_since < PAUSE_AFTER:
            return
        for held in (held for page in self.of_the_tab() for held in page.runs.values()):
            if held.ours and held.run.state in ("running", "waiting"):
                held.run.pause()
                with self._lock:
                    self._paused.append(held.run)
        if self.attached:  # since
            self._wake()


class Hub:
    """All workspaces of this process, and the thread that expires them.

    A token opens nothing without the owner's cookie.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._workspaces: dict[str, Workspace] = {}
        self._ending = threading.Event()
        self._reaper: threading.Thread | None = None
        self.trim_soon = False  # return freed memory to the system at the next sweep

    def start(self) -> None:
        """Sweep every second until `shutdown`."""
        self._reaper = threading.Thread(target=self._watch, name="nca-reaper", daemon=True)
        self._reaper.start()

    def open(self, owner: str = "", document: Document | None = None) -> Workspace:
        """Open a workspace for the browser with the cookie `owner`."""
        space = self._new(owner=owner)
        space.document = document or space.document
        while len(self._workspaces) > MOST_WORKSPACES and self.discard_oldest(rested=JUST_OPENED):
            pass
        return space

    def open_second(self, first: Workspace) -> Workspace:
        """Open the workspace of the tab's page Compare."""
        first.second = self._new(first=first)
        return first.second

    def open_lessons(self, first: Workspace) -> Workspace:
        """Open the workspace of the tab's lessons."""
        first.lessons = self._new(first=first)
        return first.lessons

    def _new(self, **of: Any) -> Workspace:
        space = Workspace(secrets.token_urlsafe(18), self._clock, **of)
        self._workspaces[space.token] = space
        return space

    def find(self, token: str) -> Workspace | None:
        return self._workspaces.get(token)

    def of(self, owner: str) -> list[Workspace]:
        """Workspaces of one browser, last used first; none without a cookie."""
        found = [space for space in self.tabs() if owner and space.belongs_to(owner)]
        return sorted(found, key=lambda space: space.detached_since, reverse=True)

    def tabs(self) -> list[Workspace]:
        return [space for space in self.all() if space.first is space]

    def all(self) -> list[Workspace]:
        return list(self._workspaces.values())

    def restore(
        self, owner: str, link: Mapping[str, str] | None, session_id: str, lives: Callable[[], bool] = lambda: True
    ) -> Workspace | None:
        """Attach the workspace that a reload left behind to the new session of the same browser.

        `link` holds the settings in the address; None for lessons, whose address names no recipe. Returns None if no
        free workspace had these settings.
        """
        ranks = {}
        for space in self.of(owner):
            documents = [page.document for page in space.pages]
            if (rank := best_rank(link, documents, space.lessons is not None)) is not None:
                ranks[space] = rank
        found = sorted(ranks, key=ranks.__getitem__)
        return next((space for space in found if space.attach_session(session_id, lives)), None)

    def trained(self, owner: str, link: Mapping[str, str], besides: Workspace) -> Workspace | None:
        """Another workspace of the browser that trains these settings."""
        others = (space for space in self.of(owner) if space is not besides)
        return next((space for space in others if any(page.runs and page.shows(link) for page in space.pages)), None)

    def sweep(self) -> None:
        """Pause and expire workspaces that nothing is attached to."""
        if self.trim_soon:
            self.trim_soon = False
            trim_memory()
        for space in self.tabs():
            space.look_after()
            if not space.attached and self._clock() - space.detached_since >= EXPIRE_AFTER:
                self.discard(space)

    def shutdown(self) -> None:
        self._ending.set()
        for space in self.all():
            self.discard(space)
        reaper, self._reaper = self._reaper, None
        if reaper is not None:
            reaper.join(5.0)
        self._ending.clear()

    def discard(self, space: Workspace) -> None:
        """Stop a workspace's runs and jobs, and remove it."""
        for page in space.of_the_tab():
            self._workspaces.pop(page.token, None)
        space.discard()
        self.trim_soon = True

    def discard_oldest(self, besides: Workspace | None = None, rested: float = 0.0) -> bool:
        """Discard the workspace unused for longest, if any is unused for `rested` seconds; returns whether one was."""
        resting = [space for space in self.tabs() if space is not besides and not space.attached]
        oldest = min(resting, key=lambda space: space.detached_since, default=None)
        if oldest is None or self._clock() - oldest.detached_since < rested:
            return False
        self.discard(oldest)
        return True

    def _watch(self) -> None:
        while not self._ending.wait(1.0):
            self.sweep()


def trim_memory() -> None:
    """Return freed memory to the system; glibc keeps some hundred MB after a large table."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library
            ctypes.CDLL(None).malloc_trim(0)


HUB = Hub()
