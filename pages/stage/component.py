"""The stage as a Streamlit component: a tiny loader in the page, everything else over the stage's own routes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import streamlit as st

from pages.stage.module_files import module_version, prefix

_LOADER = """
const modules = new Map();
export default function (component) {
  const root = component.parentElement.querySelector(".nca-stage") ?? component.parentElement;
  // Beside Streamlit's own files, wherever a proxy has put these.
  const own = document.querySelector('script[type=module][src*="/static/js/"]');
  const base = new URL(own ? "../../nca" : component.data.base, own?.src ?? document.baseURI).href;
  const told = { ...component, data: { ...component.data, base } };
  const address = `${base}/module/${component.data.version}/mount.js`;
  if (!modules.has(address)) modules.set(address, import(address));
  let ended = false;
  modules.get(address).then(
    (module) => { if (!ended) module.mount(root, told); },
    () => {
      modules.delete(address);
      root.textContent = "The live stage could not be loaded. Start the app with: streamlit run app.py. "
        + "A proxy in between has to pass on everything below " + new URL(base).pathname + ".";
    },
  );
  return () => {
    ended = true;
    modules.get(address)?.then((module) => module.unmount(root), () => {});
  };
}
"""

WISHES = ("branch", "again", "seed")
LATEST = 999_999  # iteration that can be branched from
_WAITING = '<div class="nca-stage"><p role="status" style="opacity: 0.7">The picture is on its way …</p></div>'
_stage = st.components.v2.component("nca_stage", js=_LOADER, html=_WAITING)


@dataclass(frozen=True)
class SeenState:
    """What a page that watches is told of the picture that rests: the iteration shown, None where it is not known;
    codes of the hidden classes; whether the scale is held."""

    iteration: int | None = None
    hidden: frozenset[int] = frozenset()
    same_scale: bool = False


@dataclass(frozen=True)
class StageState:
    """What the browser told: row indices of the scene that was set, as it was before thinning.

    `point` is the row that a press has pinned since the page asked for one; −1 where a press let it go, None where
    nothing was pressed. `grabbed` is what a hand made of a panel's A, (its key, A row by row), once, when the training
    shall go on from there.
    """

    selection: tuple[int, ...]
    selected_total: int
    point: int | None = None
    grabbed: tuple[str, tuple[float, ...]] | None = None
    seen: SeenState = field(default_factory=SeenState)


class Shown(Protocol):
    """What the stage needs to know of a workspace: its token, the scene that is shown, the runs by panel."""

    token: str

    @property
    def scene_version(self) -> int: ...

    @property
    def shown_rows(self) -> np.ndarray: ...

    @property
    def runs(self) -> Mapping[str, Any]: ...


def live_stage(
    space: Shown,
    *,
    key: str,
    select: tuple[int, Sequence[int]] | None = None,
    asked: Callable[[str, str, int], None] | None = None,
    point: tuple[int, int | None] = (0, None),
    question: str = "",
    picture: tuple[int, str, str] = (0, "", ""),
    watch: bool = False,
    without: Iterable[str] = (),
) -> StageState:
    """Show the workspace's scene and runs.

    Reruns the page when a run has settled, and when the selection or the pinned point changed.

    `select` is (number, rows): the rows are selected once for each number, as if somebody had drawn around them.
    With `asked`, panels can be turned onto one another, and each that trains has a time machine, which calls
    ``asked(panel, what, iteration)``, `what` one of "branch", "again" and "seed".
    `point` is (number, row): the row is pinned once for each number and scene, as if somebody had pressed it.
    `picture` is (number, form, name): a picture of the stage under that title is saved once for each number, `form` one
    of "png1", "png2", "png4" and "svg".
    `question`, a key of the module's QUESTIONS, is answered below the panels for the picture that is shown.
    With `watch` the page is run again when the picture rests and something of `SeenState` differs.
    `without` names numbers that are not shown: some of the module's NUMBERS.
    """
    result = _stage(
        key=key,
        data={
            "base": prefix(st.get_option("server.baseUrlPath")),
            "version": module_version(),
            "token": space.token,
            "scene": space.scene_version,
            "compares": asked is not None,
            "select": None if select is None else [select[0], _shown(space, select[1])],
            "point": [point[0], next(iter(_shown(space, [] if point[1] is None else [point[1]])), -1)],
            "question": question,
            "picture": list(picture),
            "watch": watch,
            "without": sorted(without),
            "known": {name: [held.number, held.run.state] for name, held in space.runs.items()},
        },
        default={"selection": None, "point": None},
        on_selection_change=lambda: None,
        on_point_change=lambda: None,
        on_grabbed_change=lambda: None,
        on_seen_change=lambda: None,
        on_settled_change=lambda: None,
        on_asked_change=lambda: _tell(st.session_state[key].get("asked"), asked),
    )
    rows = space.shown_rows
    pinned, selection = _mapping(result.point), _mapping(result.selection)
    held = None
    if (pinned.get("scene"), pinned.get("wish")) == (space.scene_version, point[0]):
        index = _whole(pinned.get("index"))
        held = int(rows[index]) if 0 <= index < len(rows) else -1
    grabbed = _grabbed(result.grabbed, space.scene_version)
    seen = _seen(result.seen, space.scene_version) if watch else SeenState()
    if selection.get("scene") != space.scene_version:
        return StageState((), 0, held, grabbed, seen)
    told = selection.get("indices")
    chosen = [int(rows[i]) for i in map(_whole, told if isinstance(told, list) else ()) if 0 <= i < len(rows)]
    return StageState(tuple(chosen), max(len(chosen), _whole(selection.get("total"))), held, grabbed, seen)


def _mapping(told: Any) -> Mapping[str, Any]:
    """What the browser told, where it is what a stage of ours tells."""
    return told if isinstance(told, Mapping) else {}


def _whole(told: Any) -> int:
    """A whole number that the browser told; -1 for anything else."""
    return int(told) if isinstance(told, (int, float)) and -1 <= told < 1e9 else -1


def _grabbed(told: Mapping[str, Any] | None, version: int) -> tuple[str, tuple[float, ...]] | None:
    """Only finite numbers, of the scene that is shown."""
    told = _mapping(told)
    frame = told.get("frame")
    if told.get("scene") != version or not isinstance(frame, list):
        return None
    values = tuple(float(value) for value in frame if isinstance(value, (int, float)))
    return (str(told.get("panel")), values) if values and np.isfinite(values).all() else None


def _seen(told: Mapping[str, Any] | None, version: int) -> SeenState:
    """Whole numbers only, of the scene that is shown."""
    if not told or told.get("scene") != version:
        return SeenState()
    at = told.get("iteration")
    hidden = frozenset(code for code in told.get("hidden", ()) if isinstance(code, int))
    shown = int(at) if isinstance(at, (int, float)) and 0 <= at <= LATEST else None
    return SeenState(shown, hidden, told.get("same") is True)


def _tell(wish: Any, asked: Callable[[str, str, int], None] | None) -> None:
    """Hand on what the browser asks for, where it is something that one can ask for."""
    wish = wish if isinstance(wish, dict) else {}
    panel, what, iteration = wish.get("panel"), wish.get("what"), wish.get("iteration")
    if asked is None or not isinstance(panel, str) or what not in WISHES:
        return
    if isinstance(iteration, (int, float)) and 0 <= iteration <= LATEST:
        asked(panel, what, int(iteration))


def _shown(space: Shown, rows: Sequence[int]) -> list[int]:
    """Where the rows stand among those that are shown; those that are not are left out."""
    return np.flatnonzero(np.isin(space.shown_rows, np.asarray(rows, dtype=int))).tolist()
