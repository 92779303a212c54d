"""Workspace: what one browser tab works with: a scene, a run for each live panel, and who is looking.

It is attached while its session or a stage's socket lives. Detached, its runs are paused, and go on when somebody looks
again; they end when the workspace is forgotten.
"""

from __future__ import annotations

import contextlib
import itertools
import secrets
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from nca_core.gate import GATE, Gate, Place
from nca_core.run import TrainingRun
from pages.server.attention import Attention
from pages.server.belongings import Belongings
from pages.server.shown_scene import LivePanel, ShownScene
from pages.stage.scene import Scene, shown_rows
from study.link import to_link

PAUSE_AFTER = 4.0  # seconds without session and socket
MOST_LIVE_PANELS = 9
MOST_SOCKETS = 6  # a tab has one, and for a moment one more where its line was cut


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
    """What one browser tab works with. Thread-safe; made by `Hub.open`.

    Attributes
    ----------
    owner
        What the cookie says of the browser that it was made for; "" for one without a cookie.
    place
        For `TrainingRun(place=...)`: all runs of a workspace take one of the gate's trainings together.
    first : Workspace | None
        The workspace that the tab began with, whose data it shares; itself for that one.
    second
        What the tab compares on a page of its own; None before that page was opened.
    lessons
        What the tab's lessons show; None before the first was opened.
    attention
        When it was looked at.
    elsewhere
        Token of the one that trained what this one showed when it was opened, and that another tab of the browser held.
    page
        Streamlit's name of the session that held it last; "" outside Streamlit.
    coming_back
        Held while a page puts on the stage what was there before a restart.
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
        self.belongings: Belongings = Belongings() if first is None else first.belongings.beside()
        self.place: Place = gate.place() if first is None else first.place
        self.first: Workspace = self if first is None else first
        self.second: Workspace | None = None
        self.lessons: Workspace | None = None
        self.elsewhere, self.page = "", ""
        self._shown = ShownScene()
        self._runs: Mapping[str, PanelRun] = MappingProxyType({})
        self._numbers = itertools.count(1)
        self._clock = clock
        self._lock = threading.Lock()
        self.coming_back = threading.Lock()
        self._holder = ""  # the session that holds it, while that lives
        self._holder_lives: Callable[[], bool] = _gone
        self._sockets = 0
        self._paused_by_hub: set[int] = set()  # numbers of runs
        self._endings: list[Callable[[], None]] = []
        self._listeners: list[Callable[[], None]] = []
        self.detached_since = clock()
        self.attention = Attention(clock)

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
        self._tell()

    # -- runs

    @property
    def runs(self) -> Mapping[str, PanelRun]:
        """The run of each panel by the panel's key, as they are now; never changes afterwards."""
        return self._runs

    @property
    def trains(self) -> bool:
        """Whether it, or the other page of the same tab, has a run."""
        return bool(self._runs) or (self.second is not None and bool(self.second.runs))

    def shows(self, link: Mapping[str, str]) -> bool:
        """Whether its recipe is the one that a link says."""
        return to_link(self.belongings.recipe) == link

    def of_the_tab(self) -> list[Workspace]:
        """It and what else the same tab has: the page of comparisons, the lessons."""
        return [each for each in (self, self.second, self.lessons) if each is not None]

    def set_run(self, key: str, run: TrainingRun | None) -> None:
        """Give the panel another run, or none; the one before it is stopped without waiting for its last step.

        Raises
        ------
        ValueError
            Where as many other panels as there may be have a run.
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
        """The run of a panel, which stays in sight here; whoever takes it ends it from now on."""
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
        self._tell()

    # -- who wants to know, and what ends with the workspace

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever scene or runs are replaced; returns the way out."""
        with self._lock:
            self._listeners.append(listener)

        def unsubscribe() -> None:
            with self._lock, contextlib.suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

    def _tell(self) -> None:
        for listener in list(self._listeners):
            listener()

    def when_forgotten(self, end: Callable[[], None]) -> None:
        """Call `end` when the workspace goes: it ends what else works for it, without waiting."""
        with self._lock:
            self._endings.append(end)

    def forget(self) -> None:
        """Stop the runs and all else that works for this workspace, and hold its data no longer.

        Whoever still holds the workspace, such as a socket that is being closed, holds an empty one.
        """
        self.keep_runs(())
        with self._lock:
            endings, self._endings = self._endings, []
        for end in endings:
            end()
        with self._lock:
            self._shown = ShownScene(self._shown.version + 1)
            self.belongings = Belongings(recipe=self.belongings.recipe)
        self._tell()

    # -- who is looking

    def belongs_to(self, owner: str) -> bool:
        """Whether the browser with that cookie may see it."""
        return secrets.compare_digest(self.owner, owner)

    @property
    def attached(self) -> bool:
        return self.has_session or self._sockets > 0

    @property
    def in_sight(self) -> bool:
        """Whether somebody looks at it, or at the other page of the same tab."""
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
            self.attention.is_asked()
        self._wake()
        return True

    def take_from_another(self, session_id: str, lives: Callable[[], bool] = _lives) -> None:
        """Give the workspace to a session although another one holds it, which finds that out when its page is run."""
        with self._lock:
            self._holder, self._holder_lives = session_id, lives
            self.attention.is_asked()
        self._wake()

    def release_session(self, session_id: str) -> None:
        with self._lock:
            if self._holder == session_id:
                self._holder, self._holder_lives = "", _gone
            self.detached_since = self._clock()

    def attach_socket(self) -> bool:
        """Let another stage look; False where as many as there may be do."""
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
        """Called every second: the runs are paused while nobody looks, and go on when somebody is back."""
        if self.attached:
            self.detached_since = self._clock()
            self.attention.is_given()
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
        if self.attached:  # somebody came while the runs were being paused
            self._wake()
