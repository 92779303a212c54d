"""Which column is the label, why it was proposed, and whether its values are classes or numbers."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from datasets.columns import LABEL_MODES, ColumnPlan
from pages.controls.table.upload_state import BY_HAND, use_label, use_plan
from pages.server.upload import Upload
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text, visible

_MODES = {"classes": "classes", "bins": "numbers, cut into classes", "continuous": "numbers, trained on as they are"}
_COLOURS = 6  # of a number that is trained on as it is, unless more were asked for


def label_select(space: Workspace, upload: Upload, key: str) -> None:
    """Nothing is chosen where nothing could be proposed."""
    if upload.table is None or upload.plan is None:
        return
    st.session_state[key] = upload.plan.label
    st.selectbox(
        "Label column",
        list(upload.table.columns),
        index=None if upload.plan.label is None else 0,
        placeholder="Choose the label column",
        format_func=visible,
        key=key,
        on_change=lambda: use_label(space, upload, st.session_state[key]),
        help=as_text(upload.plan.label_reason),
    )


def label_controls(space: Workspace, upload: Upload, key: str) -> None:
    """The column with the reason for it, and how its values are taken."""
    label_select(space, upload, f"{key}.label")
    plan = upload.plan
    if plan is None or plan.label is None:
        st.caption("No column looks like a label: choose the one that tells the classes apart.")
        return
    said = "Chosen by you." if plan.label_reason.startswith(BY_HAND) else f"Proposed: {plan.label_reason}."
    st.caption(as_text(said))
    if not _holds_numbers(upload):
        return
    mode = f"{key}.mode"
    st.session_state[mode] = plan.label_mode
    st.radio(
        "Its values are",
        list(LABEL_MODES),
        format_func=lambda name: _MODES[name],
        horizontal=True,
        key=mode,
        on_change=lambda: use_plan(space, upload, _in_mode(plan, st.session_state[mode])),
    )
    if plan.label_mode == "classes":
        return
    bins = f"{key}.bins"
    st.session_state[bins] = plan.n_bins
    what_for = ", for the colours and for LDA" if plan.label_mode == "continuous" else ""
    st.slider(
        f"Ranges of about equal frequency{what_for}",
        2,
        12,
        key=bins,
        on_change=lambda: use_plan(space, upload, replace(plan, n_bins=st.session_state[bins])),
    )


def _in_mode(plan: ColumnPlan, mode: str) -> ColumnPlan:
    n_bins = max(plan.n_bins, _COLOURS) if mode == "continuous" else plan.n_bins
    return replace(plan, label_mode=mode, n_bins=n_bins)


def treat_as_number_button(space: Workspace, upload: Upload, key: str) -> None:
    """The way out where a column of numbers makes classes that cannot be trained on."""
    plan = upload.plan
    if not upload.error or plan is None or plan.label_mode != "classes" or not _holds_numbers(upload):
        return
    st.button(
        "Treat the label as a number",
        key=f"{key}.as_number",
        on_click=lambda: use_plan(space, upload, replace(plan, label_mode="bins")),
    )


def _holds_numbers(upload: Upload) -> bool:
    plan = upload.plan
    return plan is not None and any(f.name == plan.label and f.kind == "numbers" for f in upload.facts)
