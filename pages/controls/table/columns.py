"""Which columns are features: a table of ticks in which what was left out can be put back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from datasets.columns import ColumnPlan
from pages.controls.table.upload_state import use_plan
from pages.server.upload import Upload
from pages.server.workspace import Workspace
from pages.views.column_choice import AS_CATEGORIES, USE, columns_frame, plan_with_ticks


def column_editor(space: Workspace, upload: Upload, key: str) -> None:
    """The editor keeps ticks as differences to the plan with which it was opened: that plan is remembered."""
    plan, table = upload.plan, upload.table
    if plan is None or table is None:
        return
    # A new table, label or reading gives another editor; so does what was proposed, when one goes back to it.
    widget = f"{key}.{id(table)}.{plan.label}.{space.belongings.undone}"
    base = space.belongings.ticks
    if base is None or base[0] != widget or widget not in st.session_state:
        space.belongings.ticks = base = (widget, plan)

    def ticked() -> None:
        ticks = st.session_state[widget]["edited_rows"]
        use_plan(space, upload, plan_with_ticks(upload.facts, replace(plan, **_columns(base[1])), ticks))

    frame = columns_frame(upload.facts, base[1])
    st.data_editor(
        frame,
        key=widget,
        on_change=ticked,
        hide_index=True,
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


def _columns(plan: ColumnPlan) -> dict[str, Any]:
    return {"features": plan.features, "categories": plan.categories, "left_out": plan.left_out}
