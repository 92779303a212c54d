"""One row: pinned on the stage, found by a search, and classified by each rule."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from datasets.base.dataset import Dataset
from nca_core.snapshot import Snapshot
from pages.controls.recipe_widgets import select_key
from pages.controls.shell import screen
from pages.server.session import POINT
from pages.server.workspace import Workspace
from pages.views import tables
from stage.plain_text import as_text, visible
from stage.streamlit_host import StageState
from study.compare import Comparison
from study.one_point import doubtful_rows, doubtful_sentence, matching_cells, matching_rows, predicted_classes

_PINNED = "stage.pinned"  # how often a row was to be pinned; the data and the number of the row in them
_MOST_FOUND = 50
_WHY_HERE = "compare.why_here"


def pin_request(space: Workspace, raw: Dataset) -> tuple[int, int | None]:
    """The `point` of `live_stage`."""
    if _PINNED not in st.session_state:
        named = st.query_params.get(POINT, "")
        st.session_state[_PINNED] = 0, None, None
        if named.isdecimal():
            pin(space, int(named[:18]))
    requests, data, number = st.session_state[_PINNED]
    found: Any = np.flatnonzero(raw.row_numbers == number) if data == space.document.recipe.data else ()
    return requests, int(found[0]) if len(found) else None


def pin(space: Workspace, row_number: int | None) -> None:
    requests = st.session_state.get(_PINNED, (0,))[0] + 1
    st.session_state[_PINNED] = requests, space.document.recipe.data, row_number


def pinned_row(space: Workspace, raw: Dataset, stage: StageState) -> int | None:
    """The index of the pinned row, None without one; written to the address."""
    if stage.point is not None:
        number = int(raw.row_numbers[stage.point]) if stage.point >= 0 else None
        st.session_state[_PINNED] = st.session_state[_PINNED][0], space.document.recipe.data, number
    row = pin_request(space, raw)[1]
    if row is None:
        st.query_params.pop(POINT, None)
    elif st.query_params.get(POINT) != str(raw.row_numbers[row]):
        st.query_params[POINT] = str(raw.row_numbers[row])
    return row


def why_here_link(space: Workspace, raw: Dataset, stage: StageState) -> None:
    if (row := pinned_row(space, raw, stage)) is not None:
        st.page_link(screen("Understand"), label=as_text(f"Why is {raw.row_title(row)} here? →"))


def one_point(space: Workspace, comparison: Comparison, row: int | None) -> None:
    _search(space, comparison)
    left, right = st.columns([5, 4])
    with left:
        at = _doubtful(space, comparison)
    with right:
        predictions_of_row(space, comparison, row, at)


def _search(space: Workspace, comparison: Comparison) -> None:
    raw, upload = comparison.prepared.raw, space.document.upload
    about = f"A {raw.row_word} number, a name, a class, or text in a cell of your own table."
    look: Any = {"placeholder": "number, class or text", "width": 320, "help": about, "persist_state": "session"}
    text = st.text_input("Find a row", key="understand.find", **look).strip()
    if not text:
        return
    cells = None
    if upload is not None and upload.table and space.document.own_data.get(upload.key) is comparison.dataset:
        cells = dict(zip(upload.table.line_numbers.tolist(), upload.table.rows, strict=True))
    found = matching_rows(raw, text, cells)
    if not len(found):
        st.caption(as_text(f"No row matches {text!r}."))
        return
    if len(found) > _MOST_FOUND:
        st.caption(f"{len(found):,} rows; the first {_MOST_FOUND} are listed. Press one to pin it on the stage.")
    shown = found[:_MOST_FOUND]
    height = 38 + 35 * min(5, len(shown))
    frame = tables.selected_rows(raw, shown.tolist())
    if cells and any(holds := matching_cells(raw, shown, text, cells)):
        frame.insert(len(tables.visible_row_columns(raw, shown)), "found in ", [visible(cell) for cell in holds])
    _rows_to_pin(space, raw, shown, frame, "understand.found", height=height)


def _rows_to_pin(space: Workspace, raw: Dataset, rows: np.ndarray, frame: pd.DataFrame, key: str, **look: Any) -> None:
    """A table of these rows; a press on one pins it."""

    def pressed() -> None:
        chosen = st.session_state[key].selection.rows
        pin(space, int(raw.row_numbers[rows[chosen[0]]]) if chosen else None)

    st.dataframe(frame, hide_index=True, key=key, on_select=pressed, selection_mode="single-row", **look)


def _doubtful(space: Workspace, comparison: Comparison) -> int | None:
    """List the doubtful rows; returns the iteration, None before any training."""
    st.markdown("**Which rows lie among other classes?**")
    moment = trained_moment(space, comparison, "doubtful")
    if moment is None:
        return None
    key, snapshot = moment
    find = partial(doubtful_rows, comparison, key, snapshot)
    found, ready = space.document.cached(f"doubtful {key}", find, comparison, snapshot), comparison.prepared
    title = comparison.panel(key).recipe.shown_title
    st.markdown(as_text(doubtful_sentence(found, ready.raw, f"{title}, iteration {snapshot.iteration}")))
    held_out = pd.Series(ready.held_out[found.rows]) if ready.held_out.any() else None
    frame = tables.doubtful_table(found, ready.raw, held_out)
    formats = {"p_i": "%.2f", "with chance": "%.2f", "own K": "%.1f"}
    config = {name: st.column_config.NumberColumn(format=shown) for name, shown in formats.items()}
    _rows_to_pin(space, ready.raw, found.rows, frame, "understand.doubtful", height=320, column_config=config)
    st.caption("Press a row to pin it on the stage. p_i is its chance of picking a training row of its own class.")
    return snapshot.iteration


def predictions_of_row(space: Workspace, comparison: Comparison, row: int | None, at: int | None = None) -> None:
    """The class that each rule predicts for the row, on all features and in every panel.

    At iteration `at`; without it, at one chosen here.
    """
    ready = comparison.prepared
    if row is None:
        st.markdown("**How does each classifier label a row?**")
        st.caption("Press a point on the stage, or a row on the left.")
        return
    st.markdown(f"**How does each classifier label {as_text(ready.raw.row_title(row))}?**")
    snapshots, iteration = _moment_of_all(space, comparison, at)
    spaces: dict[str, str | None] = {"All features": None}
    shown = [each for each in comparison.panels if not each.problem and (not each.trains or each.key in snapshots)]
    spaces |= {panel.recipe.shown_title: panel.key for panel in shown}
    predicted = {}
    for title, key in spaces.items():
        snapshot = None if key is None else snapshots.get(key)
        predict = partial(predicted_classes, comparison, key, row, snapshot)
        predicted[title] = space.document.cached(f"predicted {key}", predict, comparison, snapshot, row)
    own = int(ready.dataset.y[row])
    class_name = None if own < 0 else ready.raw.class_names[own]
    right = tables.right_and_wrong(predicted, own)
    title = ready.raw.row_title(row, capital=True)
    st.markdown(as_text(tables.row_sentence(title, class_name, bool(ready.held_out[row]), iteration, right)))
    st.dataframe(tables.predictions_table(predicted, ready.raw), hide_index=True, key="understand.predictions")


def trained_moment(space: Workspace, comparison: Comparison, name: str) -> tuple[str, Snapshot] | None:
    """A panel and one of its snapshots, the newest unless another is chosen; None, with a hint, before any training."""
    found = _histories(space, comparison)
    if not found:
        st.caption("Press Train or Step first; this needs a training.")
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        titles = {key: comparison.panel(key).recipe.shown_title for key in found}
        key = select_key("Panel", titles, f"understand.{name}.of") if len(found) > 1 else next(iter(found))
        at = _iteration_slider(f"{name}.at.{space.runs[key].number}", len(found[key]) - 1)
    return key, found[key][at]


def _moment_of_all(space: Workspace, comparison: Comparison, at: int | None) -> tuple[dict[str, Snapshot], int | None]:
    """Each training's snapshot at one iteration, or its last before it; and the iteration, None before any training."""
    found = _histories(space, comparison)
    if at is None and found:
        numbers = "-".join(str(space.runs[key].number) for key in found)
        at = _iteration_slider(f"predicted.at.{numbers}", max(map(len, found.values())) - 1)
    if at is None:
        return {}, None
    return {key: snapshots[min(at, len(snapshots) - 1)] for key, snapshots in found.items()}, at


def _histories(space: Workspace, comparison: Comparison) -> dict[str, Sequence[Snapshot]]:
    histories = {panel.key: space.history(panel.key) for panel in comparison.panels if panel.trains}
    return {key: history for key, history in histories.items() if history}


def _iteration_slider(name: str, last: int) -> int:
    """An iteration from 0 to `last`; a new widget for each `last`, so that it starts at the newest iteration."""
    if not last:
        return 0
    key = f"understand.{name}.{last}"
    return st.slider("Iteration", 0, last, value=last, key=key, persist_state="session", width=420)


def question_of(point: tuple[int, int | None]) -> str:
    """The question that the stage answers: "point" while the switch of `why_here` is on, else none."""
    return "point" if point[1] is not None and st.session_state.get(_WHY_HERE) else ""


def why_here(space: Workspace, comparison: Comparison, row: int | None) -> None:
    """A switch while a point is pinned; on, it shows the neighbours on the stage and the predictions here."""
    if row is None:
        return
    label = as_text(f"Why is {comparison.prepared.raw.row_title(row)} here?")
    about = "Shows its neighbours in every panel and how each classifier labels it. Switch off to see the charts again."
    if st.toggle(label, key=_WHY_HERE, help=about, persist_state="session"):
        predictions_of_row(space, comparison, row)
