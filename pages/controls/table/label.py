"""Which column is the label, proposed large with its classes and the runners-up; and how its values are taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from datasets.columns import LABEL_MODES
from datasets.proposals import classes_line
from pages.controls.table.upload_state import change, choose, current_upload
from pages.server.upload import Upload
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text, visible
from pages.views.answers import answer_words

_MODES = {"classes": "classes", "bins": "numbers, cut into classes", "continuous": "numbers, trained on as they are"}


def label_proposal(space: Workspace, upload: Upload, key: str) -> None:
    """The label in large letters with its classes and why it was proposed; one press takes another column."""
    plan = upload.plan
    if plan is None:
        return
    if plan.label is None:
        st.warning("No column looks like a label: choose the one that tells the classes apart.")
        return
    label = plan.label
    name, reason = as_text(label.name), as_text(label.candidate.reason)
    st.subheader(f"Label: {name}" if label.sure else f"Is {name} the label?", anchor=False)
    why = "Chosen by you." if label.said else f"Proposed: {reason}."
    cut = f", cut into {plan.columns.n_bins} classes" if plan.columns.label_mode == "bins" else ""
    st.markdown(as_text(classes_line(label.candidate) + cut))
    st.caption(why)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if not label.sure:
            _take(space, label.name, f"**Yes, {name}**", f"{key}.yes", primary=True)
        for place, other in enumerate(label.runners_up):
            words = answer_words(f"No, {other.name}" if not label.sure else other.name, classes_line(other))
            _take(space, other.name, words, f"{key}.instead.{place}")


def _take(space: Workspace, name: str, words: str, key: str, *, primary: bool = False) -> None:
    take = change(space, lambda now: now.with_label(name))
    st.button(words, key=key, type="primary" if primary else "secondary", on_click=take)


def label_select(space: Workspace, upload: Upload, key: str) -> None:
    """Any column; nothing is chosen where nothing could be proposed."""
    plan = upload.plan
    if plan is None:
        return
    label = plan.columns.label
    st.session_state[key] = label
    st.selectbox(
        "Label column",
        list(plan.table.columns),
        index=None if label is None else 0,
        placeholder="Choose the label column",
        format_func=visible,
        key=key,
        on_change=change(space, lambda now: now.with_label(st.session_state[key])),
        help=as_text(plan.columns.label_reason),
    )


def label_values(space: Workspace, upload: Upload, key: str) -> None:
    """Whether a column of numbers is taken as classes or as numbers, and into how many ranges it is cut."""
    plan = upload.plan
    if plan is None or plan.label is None or not _holds_numbers(upload):
        return
    mode = f"{key}.mode"
    st.session_state[mode] = plan.columns.label_mode
    st.radio(
        "Its values are",
        list(LABEL_MODES),
        format_func=lambda name: _MODES[name],
        horizontal=True,
        key=mode,
        on_change=_of_the_label(space, lambda: st.session_state[mode]),
    )
    if plan.columns.label_mode == "classes":
        return
    bins = f"{key}.bins"
    st.session_state[bins] = plan.columns.n_bins
    what_for = ", for the colours and for LDA" if plan.columns.label_mode == "continuous" else ""
    st.slider(
        f"Ranges of about equal frequency{what_for}",
        2,
        12,
        key=bins,
        on_change=change(space, lambda now: replace(now, n_bins=st.session_state[bins])),
    )


def treat_as_number_button(space: Workspace, upload: Upload, key: str) -> None:
    """The way out where a column of numbers makes classes that cannot be trained on."""
    plan = upload.plan
    if not upload.error or plan is None or plan.label is None:
        return
    if plan.columns.label_mode != "classes" or not _holds_numbers(upload):
        return
    st.button("Treat the label as a number", key=f"{key}.as_number", on_click=_of_the_label(space, lambda: "bins"))


def _of_the_label(space: Workspace, mode: Callable[[], str]) -> Callable[[], None]:
    """A callback that says it of the column that is the label by then: another may have been picked just before."""

    def said() -> None:
        upload = current_upload(space)
        name = upload.plan.columns.label if upload is not None and upload.plan is not None else None
        if upload is not None and name is not None:
            choose(space, upload.choices.with_label_mode(name, mode()))

    return said


def _holds_numbers(upload: Upload) -> bool:
    plan = upload.plan
    facts = plan.proposal.facts if plan is not None else ()
    return plan is not None and any(f.name == plan.columns.label and f.kind == "numbers" for f in facts)
