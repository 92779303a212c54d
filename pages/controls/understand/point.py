"""Why is this point here? A row is looked for, doubtful ones are listed, and every rule says what it takes it for."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from nca_core.snapshot import Snapshot
from pages.controls.base.persistence import IN_SESSION
from pages.controls.recipe.pinned import pin
from pages.controls.understand.moment import trained_at, trained_moment
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from pages.views.one_point_tables import doubtful_table, right_and_wrong, told_sentence, told_table
from pages.views.selected_rows import selected_rows
from study.compare import Comparison
from study.one_point import doubtful_rows, doubtful_sentence, matching_rows, told_of_row

MOST_FOUND = 50
_FIND, _FOUND, _DOUBTFUL = "understand.find", "understand.found", "understand.doubtful"


def one_point(space: Workspace, comparison: Comparison, row: int | None) -> None:
    """Below the stage, which shows the neighbours of the pinned row by itself."""
    _search(space, comparison)
    left, right = st.columns([5, 4])
    with left:
        at = _doubtful(space, comparison)
    with right:
        told_by_rules(space, comparison, row, at)


def _search(space: Workspace, comparison: Comparison) -> None:
    raw, upload = comparison.prepared.raw, space.belongings.upload
    text = st.text_input(
        "Find a row",
        key=_FIND,
        placeholder="number, class or text",
        width=320,
        help="The number of a row, the name of a class, or what stands in a cell of your own table.",
        **IN_SESSION,
    )
    if not text.strip():
        return
    cells = None
    if upload is not None and upload.table and space.belongings.own_data.get(upload.key) is comparison.dataset:
        cells = dict(zip(upload.table.line_numbers, upload.table.rows, strict=True))
    found = matching_rows(raw, text, cells)
    if not len(found):
        st.caption(as_text(f"No row has the number, a class or a cell with {text.strip()!r}."))
        return
    if len(found) > MOST_FOUND:
        st.caption(f"{len(found):,} rows; the first {MOST_FOUND} are listed. Press one to pin it on the stage.")
    shown = found[:MOST_FOUND]
    numbers = raw.row_numbers[shown].tolist()
    frame = selected_rows(raw, shown.tolist())
    pressed = partial(_pin_pressed, space, numbers, _FOUND)
    height = 38 + 35 * min(5, len(shown))
    st.dataframe(frame, hide_index=True, key=_FOUND, on_select=pressed, selection_mode="single-row", height=height)


def _pin_pressed(space: Workspace, numbers: list[int], key: str) -> None:
    rows = st.session_state[key].selection.rows
    pin(space, numbers[rows[0]] if rows else None)


def _doubtful(space: Workspace, comparison: Comparison) -> int | None:
    """The list, and at which iteration it is; None before any."""
    st.markdown("**Which rows lie among other classes?**")
    moment = trained_moment(space, comparison, "doubtful")
    if moment is None:
        return None
    key, snapshot = moment
    kept = space.belongings.remembered(
        f"doubtful {key}",
        (id(comparison), id(snapshot)),
        lambda: (comparison, snapshot, doubtful_rows(comparison, key, snapshot)),
    )
    found, ready = kept[2], comparison.prepared
    title = comparison.panel(key).recipe.shown_title
    st.markdown(as_text(doubtful_sentence(found, ready.raw, f"{title}, iteration {snapshot.iteration}")))
    held_out = pd.Series(ready.held_out[found.rows]) if ready.held_out.any() else None
    numbers = ready.raw.row_numbers[found.rows].tolist()
    two = st.column_config.NumberColumn(format="%.2f")
    config = {"p_i": two, "with chance": two, "own K": st.column_config.NumberColumn(format="%.1f")}
    st.dataframe(
        doubtful_table(found, ready.raw, held_out),
        hide_index=True,
        key=_DOUBTFUL,
        on_select=partial(_pin_pressed, space, numbers, _DOUBTFUL),
        selection_mode="single-row",
        height=320,
        column_config=config,
    )
    st.caption("Press a row: it is pinned on the stage. p_i is its chance of picking a training row of its class.")
    return snapshot.iteration


def _asked(
    comparison: Comparison, key: str | None, row: int, at: Snapshot | None
) -> tuple[Comparison, Snapshot | None, dict[str, int | None]]:
    """What the rules say, beside what they were asked of, whose ids nothing else can take meanwhile."""
    return comparison, at, told_of_row(comparison, key, row, at)


def told_by_rules(space: Workspace, comparison: Comparison, row: int | None, at: int | None = None) -> None:
    """What each rule takes the row for, among all features and in every panel, at iteration `at` or one chosen here."""
    ready = comparison.prepared
    if row is None:
        st.markdown("**What does each rule take a row for?**")
        st.caption("Press a point on the stage, or a row at the left.")
        return
    number = ready.raw.row_numbers[row]
    st.markdown(f"**What does each rule take row {number} for?**")
    snapshots, iteration = trained_at(space, comparison, "told", at)
    spaces: dict[str, str | None] = {"All features": None}
    for panel in comparison.panels:
        if not panel.problem and (not panel.trains or panel.key in snapshots):
            spaces[panel.recipe.shown_title] = panel.key
    told = {}
    for title, key in spaces.items():
        snapshot = None if key is None else snapshots.get(key)
        asked = partial(_asked, comparison, key, row, snapshot)
        told[title] = space.belongings.remembered(f"told {key}", (id(comparison), row, id(snapshot)), asked)[2]
    own = int(ready.dataset.y[row])
    class_name = None if own < 0 else ready.raw.class_names[own]
    counted = right_and_wrong(told, own)
    said = told_sentence(int(number), class_name, bool(ready.held_out[row]), iteration, counted)
    st.markdown(as_text(said))
    st.dataframe(told_table(told, ready.raw), hide_index=True, key="understand.told")
