"""The stage as a Streamlit component: a small loader; scenes and snapshots use the stage's own routes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import streamlit as st

from stage.module_files import module_version, prefix

_LOADER = """
const modules = new Map();
export default function (component) {
  const root = component.parentElement.querySelector(".nca-stage") ?? component.parentElement;
  // Beside Streamlit's own files, wherever a proxy has put these.
  const own = document.querySelector('script[type=module][src*="/static/js/"]');
  const base = new URL(own ? "../../nca" : component.data.base, own?.src ?? document.baseURI).href;
  const given = { ...component, data: { ...component.data, base } };
  const address = `${base}/module/${component.data.version}/mount.js`;
  if (!modules.has(address)) modules.set(address, import(address));
  let ended = false;
  modules.get(address).then(
    (module) => { if (!ended) module.mount(root, given); },
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

_RERUNS = ("selection", "point", "grabbed", "view", "settled")  # values of the stage whose change reruns the page
ACTIONS = ("branch", "again", "seed")
LATEST = 999_999  # iteration that can be branched from
_WAITING = '<div class="nca-stage"><p role="status" style="opacity: 0.7">Loading the picture …</p></div>'
_stage = st.components.v2.component("nca_stage", js=_LOADER, html=_WAITING)


@dataclass(frozen=True)
class ViewState:
    """What the stage shows at rest: the iteration (None if unknown), codes of the hidden classes, whether the scale is
    held, and of each panel that does not follow its training (number of the run, number of its snapshot)."""

    iteration: int | None = None
    hidden: frozenset[int] = frozenset()
    same_scale: bool = False
    held: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class StageState:
    """State that the browser reported; rows are those of the whole scene, before thinning.

    `point` is the row pinned since the page last asked for one; −1 if it was released, None if nothing was pressed.
    `grabbed` is (panel key, A row by row), once, when a training is to continue from an A moved by hand.
    """

    selection: tuple[int, ...]
    selected_total: int
    point: int | None = None
    grabbed: tuple[str, tuple[float, ...]] | None = None
    view: ViewState = field(default_factory=ViewState)


def live_stage(
    space: Any,
    *,
    key: str,
    select: tuple[int, Sequence[int]] | None = None,
    on_action: Callable[[str, str, int], None] | None = None,
    point: tuple[int, int | None] = (0, None),
    question: str = "",
    picture: tuple[int, str, str] = (0, "", ""),
    plain: bool | str = False,
    turn: bool | Literal["each"] = False,
    without: Iterable[str] = (),
    solved: Mapping[str, tuple[float, float]] | None = None,
) -> StageState:
    """Show the workspace's scene and runs.

    Reruns the page when a run has settled, when the selection or the pinned point changed, and when the picture rests
    with another `ViewState`.

    space: a workspace: its `token`, `runs` by panel, and `shown`, with the scene's `version` and the `rows` in it.
    select: (number, rows): select the rows, once for each number.
    on_action: ``on_action(panel, what, iteration)`` with `what` one of ACTIONS, called from the menu of a panel that
        trains. With it, panels can also be turned onto one another.
    point: (number, row): pin the row, once for each number and scene.
    question: a key of QUESTIONS in the module's stage.js, answered below the panels.
    picture: (number, form, title): save a picture, once for each number; forms are "png1", "png2", "png4" and "svg".
    turn: where nothing has been trained yet, the panel that trains, else the last one, begins with the data in 3-D,
        which turn to the side of each other panel and then to its own: in the first scene, or in "each".
    plain: hide the tools of the toolbar, as beside the words of a lesson; with "scale", all but the slider of A.
    without: numbers not to show: "f", "k", "accuracy", "p", "own_k", "best".
    solved: 1-NN accuracy on held-out (NaN without any) and on training rows, by the key of a panel that does not train.
    """
    reruns: dict[str, Any] = {f"on_{name}_change": lambda: None for name in _RERUNS}
    result = _stage(
        key=key,
        data={
            "base": prefix(st.get_option("server.baseUrlPath")),
            "version": module_version(),
            "token": space.token,
            "scene": space.shown.version,
            "compares": on_action is not None,
            "select": None if select is None else [select[0], _shown(space, select[1])],
            "point": [point[0], next(iter(_shown(space, [] if point[1] is None else [point[1]])), -1)],
            "question": question,
            "picture": list(picture),
            "plain": plain,
            "turn": turn,
            "without": sorted(without),
            "solved": {name: [None if v != v else v for v in pair] for name, pair in (solved or {}).items()},
            "known": {name: [held.number, held.run.state] for name, held in space.runs.items()},
        },
        default={"selection": None, "point": None},
        on_action_change=lambda: _act(st.session_state[key].get("action"), on_action),
        **reruns,
    )
    rows = space.shown.rows
    pinned, selection = _mapping(result.point), _mapping(result.selection)
    row = None
    if (pinned.get("scene"), pinned.get("wish")) == (space.shown.version, point[0]):
        index = _whole(pinned.get("index"))
        row = int(rows[index]) if 0 <= index < len(rows) else -1
    chosen, total = [], 0
    if selection.get("scene") == space.shown.version:
        indices = selection.get("indices")
        chosen = [int(rows[i]) for i in map(_whole, indices if isinstance(indices, list) else ()) if 0 <= i < len(rows)]
        total = max(len(chosen), _whole(selection.get("total")))
    grabbed = _grabbed(result.grabbed, space.shown.version)
    return StageState(tuple(chosen), total, row, grabbed, _view(result.view, space.shown.version))


# Values from the browser are untrusted: malformed ones count as unset.


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _whole(value: Any) -> int:
    """A whole number from −1 on; −1 for anything else."""
    return int(value) if isinstance(value, (int, float)) and -1 <= value < 1e9 else -1


def _grabbed(value: Any, version: int) -> tuple[str, tuple[float, ...]] | None:
    value = _mapping(value)
    frame = value.get("frame")
    if value.get("scene") != version or not isinstance(frame, list):
        return None
    numbers = tuple(float(number) for number in frame if isinstance(number, (int, float)))
    return (str(value.get("panel")), numbers) if numbers and np.isfinite(numbers).all() else None


def _view(value: Any, version: int) -> ViewState:
    value = _mapping(value)
    if value.get("scene") != version:
        return ViewState()
    at = value.get("iteration")
    hidden = frozenset(code for code in value.get("hidden", ()) if isinstance(code, int))
    iteration = int(at) if isinstance(at, (int, float)) and 0 <= at <= LATEST else None
    held = {
        key: (_whole(pair[0]), _whole(pair[1]))
        for key, pair in _mapping(value.get("held")).items()
        if isinstance(pair, list) and len(pair) == 2
    }
    return ViewState(iteration, hidden, value.get("same") is True, held)


def held_snapshots(space: Any, key: str) -> Mapping[str, tuple[int, int]]:
    """`ViewState.held` of the stage of that key, before `live_stage` is called in this run of the page."""
    return _view(_mapping(st.session_state.get(key)).get("view"), space.shown.version).held


def _act(value: Any, on_action: Callable[[str, str, int], None] | None) -> None:
    value = _mapping(value)
    panel, what, iteration = value.get("panel"), value.get("what"), value.get("iteration")
    if on_action is None or not isinstance(panel, str) or what not in ACTIONS:
        return
    if isinstance(iteration, (int, float)) and 0 <= iteration <= LATEST:
        on_action(panel, what, int(iteration))


def _shown(space: Any, rows: Sequence[int]) -> list[int]:
    """Indices of the rows among those shown."""
    return np.flatnonzero(np.isin(space.shown.rows, np.asarray(rows, dtype=int))).tolist()
