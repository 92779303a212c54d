"""Workspace: the scene, runs and listeners of one browser tab."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import secrets
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from nca_core.snapshot import Snapshot
from nca_core.training.gate import GATE, Gate, Place
from nca_core.training.run import TrainingRun
from pages.server.document import Document
from stage.scene import Kind, Scene, shown_rows, with_rows
from stage.wire import encode_scene
from study.link import to_link


@dataclass(frozen=True)
class LivePanel:
    """What the socket needs of a live panel: its place in the scene, key and kind."""

    index: int
    key: str
    kind: Kind


@dataclass(frozen=True)
class ShownScene:
    """A scene as the browser gets it.

    Attributes
    ----------
    version : int
        Counts the scenes of the workspace; 0 is none yet.
    scene : Scene or None
        All of it; encoded for each request, which are few.
    samples : int
        Points before thinning.
    rows : np.ndarray
        Which of these are shown, (n_shown,).
    live : tuple[LivePanel, ...]
        Its live panels.
    """

    version: int = 0
    scene: Scene | None = None
    samples: int = 0
    rows: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=int))
    live: tuple[LivePanel, ...] = ()

    def encoded(self) -> bytes:
        """The bytes for the browser; none without a scene."""
        return b"" if self.scene is None else encode_scene(with_rows(self.scene, self.rows))


PAUSE_AFTER = 4.0  # seconds without session and socket
MOST_LIVE_PANELS = 9
MOST_SOCKETS = 6  # a tab has one, and for a moment two after a lost connection


@dataclass(frozen=True)
class PanelRun:
    """A panel's run and its number, which no other run of the workspace has or had.

    `ours` is False where another workspace ends it.
    """

    run: TrainingRun
    number: int
    ours: bool = True


def _gone() -> bool:
    return False


def _lives() -> bool:
    return True


class Workspace:
    """The state of one browser tab. Thread-safe; opened by `Hub.open`.

    Attributes
    ----------
    owner
        The cookie of the browser that it was opened for; "" without one.
    place
        For `TrainingRun(place=...)`: all runs of a workspace take one of the gate's trainings together.
    first : Workspace | None
        The tab's first workspace, with which the others share their data.
    second
        The one of the page Compare; None before that page was opened.
    lessons
        The one of the lessons; None before the first was opened.
    taken
        How often another tab has taken it from the one that held it; sockets from before belong to that one.
    elsewhere
        Token of the workspace of another tab that had a training of what this one showed when it was opened.
    restoring
        Held while a page restores the runs from before a restart.
    held
        Of each panel whose stage does not follow its training: (number of the run, number of the snapshot shown).
    """

    def __init__(
        self,
        token: str,
        clock: Callable[[], float],
        gate: Gate = GATE,
        first: Workspace | None = None,
        owner: str = "",
    ) -> None:
        self.token = token
        self.owner: str = owner if first is None else first.owner
        self.document: Document = Document() if first is None else first.document.beside()
        self.place: Place = gate.place() if first is None else first.place
        self.first: Workspace = self if first is None else first
        self.second: Workspace | None = None
        self.lessons: Workspace | None = None
        self.elsewhere = ""
        self.taken = 0
        self._shown = ShownScene()
        self.held: Mapping[str, tuple[int, int]] = {}
        self._runs: Mapping[str, PanelRun] = MappingProxyType({})
        self._numbers = itertools.count(1)
        self._clock = clock
        self._lock = threading.Lock()
        self.restoring = threading.Lock()
        self._holder = ""  # the session that holds it, while that lives
        self._holder_lives: Callable[[], bool] = _gone
        self._sockets = 0
        self._paused_by_hub: set[int] = set()  # numbers of runs
        self._listeners: list[Callable[[], None]] = []
        self.detached_since = clock()

    # -- what is shown

    @property
    def shown(self) -> ShownScene:
        return self._shown

    @property
    def scene_version(self) -> int:
        return self._shown.version

    @property
    def shown_rows(self) -> np.ndarray:
        return self._shown.rows

    def set_scene(self, scene: Scene) -> None:
        """Show another scene; runs go on."""
        rows = shown_rows(scene)
        live = tuple(
            LivePanel(index, panel.key, panel.kind)
            for index, panel in enumerate(scene.panels)
            if panel.live and not panel.problem
        )
        with self._lock:
            self._shown = ShownScene(self._shown.version + 1, scene, scene.n_samples, rows, live)
        self._notify()

    # -- runs

    @property
    def runs(self) -> Mapping[str, PanelRun]:
        """The run of each panel by the panel's key, as they are now; never changes afterwards."""
        return self._runs

    @property
    def trains(self) -> bool:
        """Whether it, or the other page of the same tab, has a run."""
        return bool(self._runs) or (self.second is not None and bool(self.second.runs))

    def latest(self, key: str) -> Snapshot | None:
        """The newest iteration of a panel's run; None before the first."""
        held = self._runs.get(key)
        return None if held is None else held.run.latest()

    def place_shown(self, key: str) -> int:
        """The number of the snapshot on the stage: the newest unless the stage holds another; −1 without any."""
        held = self._runs.get(key)
        if held is None:
            return -1
        last = len(held.run.trajectory.snapshots) - 1
        run, number = self.held.get(key, (0, -1))
        return number if run == held.number and 0 <= number <= last else last

    def at(self, key: str) -> Snapshot | None:
        """The iteration of a panel's run that is on the stage; None before the first."""
        number = self.place_shown(key)
        return None if number < 0 else self._runs[key].run.trajectory.snapshots[number]

    def shows(self, link: Mapping[str, str]) -> bool:
        """Whether its recipe is the one of the link."""
        return to_link(self.document.recipe) == link

    def rank(self, link: Mapping[str, str] | None) -> int | None:
        """How many changes ago a page of the tab had this link; None for never. Without a link: 0 if it has lessons."""
        if link is None:
            return None if self.lessons is None else 0
        ranks = [page.document.rank(link) for page in (self, self.second) if page is not None]
        return min((rank for rank in ranks if rank is not None), default=None)

    def of_the_tab(self) -> list[Workspace]:
        """The workspaces of all pages of the tab."""
        return [each for each in (self, self.second, self.lessons) if each is not None]

    def set_run(self, key: str, run: TrainingRun | None) -> None:
        """Give the panel another run, or none; the one before it is stopped without waiting for its last step.

        Raises
        ------
        ValueError
            If as many other panels as allowed have a run.
        """
        with self._lock:
            runs = dict(self._runs)
            before = runs.pop(key, None)
            if run is not None:
                if len(runs) >= MOST_LIVE_PANELS:
                    raise ValueError(f"At most {MOST_LIVE_PANELS} panels can train side by side; remove one first.")
                runs[key] = PanelRun(run, next(self._numbers))
            self._runs = MappingProxyType(runs)
        self._end([before] if before is not None else [])

    def keep_runs(self, keys: Collection[str]) -> None:
        """Stop and drop the runs of all panels but these."""
        with self._lock:
            gone = [held for key, held in self._runs.items() if key not in keys]
            self._runs = MappingProxyType({key: held for key, held in self._runs.items() if key in keys})
        if gone:
            self._end(gone)

    def hand_over(self, key: str) -> TrainingRun:
        """The run of a panel, still shown here; the caller ends it from now on."""
        with self._lock:
            held = self._runs[key]
            self._paused_by_hub.discard(held.number)
            self._runs = MappingProxyType({**self._runs, key: replace(held, ours=False)})
        return held.run

    def _end(self, gone: Iterable[PanelRun]) -> None:
        for held in gone:
            with self._lock:
                self._paused_by_hub.discard(held.number)
            if held.ours:
                held.run.stop(timeout=0)
        self._notify()

    # -- listeners and the end

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever scene or runs are replaced; returns a function that unsubscribes."""
        with self._lock:
            self._listeners.append(listener)

        def unsubscribe() -> None:
            with self._lock, contextlib.suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

    def _notify(self) -> None:
        for listener in list(self._listeners):
            listener()

    def forget(self) -> None:
        """Stop the runs and jobs of all pages of the tab, and release its data, whatever still holds the workspace."""
        for page in (self.second, self.lessons):
            if page is not None:
                page.forget()
        self.keep_runs(())
        self.document.jobs.cancel_all()
        with self._lock:
            self._shown = ShownScene(self._shown.version + 1)
            self.document = Document(recipe=self.document.recipe)
        self._notify()

    # -- sessions and sockets

    def belongs_to(self, owner: str) -> bool:
        """Whether the browser with that cookie may see it."""
        return secrets.compare_digest(self.owner, owner)

    @property
    def attached(self) -> bool:
        return self.has_session or self._sockets > 0

    @property
    def in_sight(self) -> bool:
        """Whether it, or the tab's page of comparisons, is attached."""
        return self.attached or (self.second is not None and self.second.attached)

    @property
    def has_session(self) -> bool:
        return self._holder_lives()

    def attach_session(self, session_id: str, lives: Callable[[], bool] = _lives) -> bool:
        """Give the workspace to a session, unless another one holds it and `lives`; whether it holds it now."""
        with self._lock:
            if self._holder != session_id and self._holder_lives():
                return False
            self._holder, self._holder_lives = session_id, lives
        self._wake()
        return True

    def take_from_another(self, session_id: str, lives: Callable[[], bool] = _lives) -> None:
        """Give the workspace to a session although another one holds it, whose stage asks for a rerun and notices."""
        with self._lock:
            self._holder, self._holder_lives = session_id, lives
            self.taken += 1
        self._wake()
        self._notify()

    def release_session(self, session_id: str) -> None:
        with self._lock:
            if self._holder == session_id:
                self._holder, self._holder_lives = "", _gone
            self.detached_since = self._clock()

    def attach_socket(self) -> bool:
        """Attach a stage; False if there are too many."""
        with self._lock:
            if self._sockets >= MOST_SOCKETS:
                return False
            self._sockets += 1
        self._wake()
        return True

    def release_socket(self) -> None:
        with self._lock:
            self._sockets -= 1
            self.detached_since = self._clock()

    def _wake(self) -> None:
        with self._lock:
            paused, self._paused_by_hub = self._paused_by_hub, set()
            runs = self._runs
        for held in runs.values():
            if held.number in paused and held.run.state == "paused":
                held.run.resume()

    def look_after(self) -> None:
        """Called every second: pause the runs while nothing is attached, and resume them afterwards."""
        if self.attached:
            self.detached_since = self._clock()
            self._wake()
            return
        away = self._clock() - self.detached_since
        for held in self._runs.values():
            if held.run.state == "ended" or not held.ours:
                continue
            if away >= PAUSE_AFTER and held.run.state in ("running", "waiting"):
                held.run.pause()
                with self._lock:
                    self._paused_by_hub.add(held.number)
        if self.attached:  # meanwhile
            self._wake()


# -- all workspaces


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
