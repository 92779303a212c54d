"""Which panel, and which iteration of its training, a question is asked of."""

from __future__ import annotations

import streamlit as st

from nca_core.snapshot import Snapshot
from pages.controls.base.persistence import IN_SESSION
from pages.server.workspace import Workspace
from study.compare import Comparison

NOT_YET = "Press Train or Step first: this is asked of a training, once it rests."


def trained_moment(space: Workspace, comparison: Comparison, name: str) -> tuple[str, Snapshot] | None:
    """The panel and its snapshot, the newest one until another is chosen; None, said, where nothing was trained."""
    titles = {p.key: p.recipe.shown_title for p in comparison.panels if p.trains and p.key in space.runs}
    found = {key: space.runs[key].run.trajectory.snapshots for key in titles}
    found = {key: snapshots for key, snapshots in found.items() if snapshots}
    if not found:
        st.caption(NOT_YET)
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = next(iter(found))
        if len(found) > 1:
            of = f"understand.{name}.of"
            if st.session_state.get(of) not in found:
                st.session_state[of] = key
            key = st.selectbox("Panel", list(found), format_func=lambda k: titles.get(k, k), key=of, width=240)
        snapshots = found[key]
        last = len(snapshots) - 1
        at = last
        if last:
            # Another widget for each run and length, so that it begins at the newest iteration again.
            widget = f"understand.{name}.at.{space.runs[key].number}.{last}"
            at = st.slider("Iteration", 0, last, value=last, key=widget, **IN_SESSION, width=420)
    return key, snapshots[at]


def trained_at(
    space: Workspace, comparison: Comparison, name: str, at: int | None = None
) -> tuple[dict[str, Snapshot], int | None]:
    """Every training's snapshot at one iteration, or where it ended before, and which that is; None before any.

    It is `at`, or without it the newest one until another is chosen here.
    """
    runs = {p.key: space.runs[p.key] for p in comparison.panels if p.trains and p.key in space.runs}
    found = {key: held.run.trajectory.snapshots for key, held in runs.items()}
    found = {key: snapshots for key, snapshots in found.items() if snapshots}
    if not found:
        return {}, None
    last = max(len(snapshots) - 1 for snapshots in found.values())
    if at is None:
        at = last
        if last:
            numbers = "-".join(str(held.number) for held in runs.values())
            widget = f"understand.{name}.at.{numbers}.{last}"
            at = st.slider("Iteration", 0, last, value=last, key=widget, **IN_SESSION, width=420)
    return {key: snapshots[min(at, len(snapshots) - 1)] for key, snapshots in found.items()}, at
