"""Which columns are features: a table of ticks in which what was left out can be put back."""

from __future__ import annotations

import streamlit as st

from pages.controls.table.upload_state import choose, current_upload
from pages.server.upload import Upload
from pages.server.workspace import Workspace
from pages.views.column_choice import AS_CATEGORIES, USE, Ticks, choices_with_ticks, columns_frame


def column_editor(space: Workspace, upload: Upload, key: str) -> None:
    """The editor keeps ticks as differences to the plan with which it was opened: that plan is remembered."""
    plan = upload.plan
    if plan is None:
        return
    widget = f"{key}.{upload.edition}"  # whatever else is said gives another editor
    opened = space.belongings.ticks
    if opened is None or opened.widget != widget or widget not in st.session_state:
        space.belongings.ticks = opened = Ticks(widget, plan.planned, upload.choices)
    frame = columns_frame(opened.planned)
    st.data_editor(
        frame,
        key=widget,
        on_change=_ticked,
        args=(space, widget),
        hide_index=True,
        height=280,
        disabled=[name for name in frame.columns if name not in (USE, AS_CATEGORIES)],
        column_config={
            USE: st.column_config.CheckboxColumn(width="small"),
            "Column": st.column_config.TextColumn(width="medium"),
            AS_CATEGORIES: st.column_config.CheckboxColumn(
                width=130,
                help="Each different value becomes a column of 0 and 1. Words can be used in no other way.",
            ),
            "Examples": st.column_config.TextColumn(width="medium"),
            "Why left out": st.column_config.TextColumn(width="large"),
        },
    )


def _ticked(space: Workspace, widget: str) -> None:
    upload, opened = current_upload(space), space.belongings.ticks
    if upload is not None and opened is not None and opened.widget == widget:
        edited = st.session_state[widget]["edited_rows"]
        choose(space, choices_with_ticks(upload.choices, opened, edited), in_columns=True)
