"""Read the difference: rows whose neighbours change, what a panel confuses, and how far panels agree."""

from __future__ import annotations

import numpy as np
import streamlit as st

from datasets.base.percent import percent
from pages.controls.base.persistence import IN_SESSION
from pages.server.trainings import latest
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from pages.views.difference_tables import agreement_frame, changed_frame, changed_rows, confusion_frame
from study.compare import Comparison
from study.differences import agreement, asked_rows, common_neighbours, confusion, predictions, rows_of_cell

_CONFUSION = "compare.confusion"
SELECT = "compare.select"  # (a number that grows, rows): what the stage is asked to select


def differences(space: Workspace, comparison: Comparison) -> None:
    """Panels as they stand now: trainings at their newest iteration, or at their start."""
    panels = {panel.key: panel.recipe.shown_title for panel in comparison.panels if not panel.problem}
    at = {key: latest(space, key) for key in panels}
    frames = {key: snapshot.transformation if snapshot else None for key, snapshot in at.items()}
    if not panels:
        st.caption("There is no panel to read.")
        return
    if len(panels) > 1:
        _neighbours(comparison, panels, frames)
    predicted = {key: predictions(comparison, key, frames[key]) for key in panels}
    left, right = st.columns(2)
    with left:
        _confusion(comparison, panels, predicted)
    if len(panels) > 1:
        with right:
            st.markdown("**Agreement**", help="The share of rows that two panels give the same class.")
            percent = st.column_config.NumberColumn(format="%.3f")
            frame = agreement_frame(agreement(predicted), list(panels.values()))
            st.dataframe(frame, column_config=dict.fromkeys(frame.columns, percent), key="compare.agreement")


def select_rows(rows: np.ndarray) -> None:
    """Ask the stage to select these rows; the next run of the page hands them over."""
    number = st.session_state.get(SELECT, (0, ()))[0] + 1
    st.session_state[SELECT] = number, tuple(int(row) for row in rows)


def _panel(label: str, panels: dict[str, str], key: str, at_first: int) -> str:
    if st.session_state.get(key) not in panels:
        st.session_state[key] = list(panels)[at_first]
    return st.selectbox(label, list(panels), format_func=lambda panel: panels.get(panel, panel), key=key, width=240)


def _neighbours(comparison: Comparison, panels: dict[str, str], frames: dict[str, np.ndarray | None]) -> None:
    st.markdown("**Rows whose neighbours change most**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = _panel("From", panels, "compare.from_panel", 0)
        second = _panel("to", panels, "compare.to_panel", -1)
        k = st.number_input("Neighbours", 1, 100, 10, key="compare.k", **IN_SESSION, width=130)
        Y, other = (comparison.panel(key).projected(frames[key]) for key in (first, second))
        common = common_neighbours(Y, other, int(k))
        rows = changed_rows(common)
        st.button(
            f"Select these {len(rows)} on the stage",
            key="compare.select_changed",
            disabled=not len(rows),
            on_click=select_rows,
            args=(rows,),
        )
    names = f"{as_text(panels[first])} and {as_text(panels[second])}"
    st.caption(f"{names} have {percent(np.mean(common))} of the {int(k)} nearest neighbours in common, on average.")
    share = st.column_config.NumberColumn(format="%.2f")
    frame = changed_frame(comparison.prepared.raw, common, rows)
    config = {"neighbours in common": share}
    st.dataframe(frame, hide_index=True, height=220, column_config=config, key="compare.changed")


def _confusion(comparison: Comparison, panels: dict[str, str], predicted: dict[str, np.ndarray]) -> None:
    key = _panel("Confusion of", panels, "compare.confusion_of", -1)
    held_out = comparison.prepared.held_out[asked_rows(comparison, predicted[key])].any()
    frame = confusion_frame(confusion(comparison, key, predicted[key]), comparison.prepared.dataset.class_names)

    def pressed() -> None:
        cells = st.session_state[_CONFUSION].selection.cells
        if cells:
            row, column = cells[0]
            place = list(frame.columns).index(column)
            select_rows(rows_of_cell(comparison, key, predicted[key], int(row), place))

    st.dataframe(frame, key=_CONFUSION, on_select=pressed, selection_mode="single-cell")
    rows = "held-out rows" if held_out else "training rows, leave-one-out"
    if comparison.panel(key).recipe.labels == "shuffled":
        rows += ", by the shuffled labels that this panel has"
    st.caption(f"By the nearest neighbour, {rows}. Press a cell: its rows are selected on the stage.")
