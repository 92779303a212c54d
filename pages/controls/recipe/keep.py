"""Keep this run: Explore's trainings stand on Compare from then on, while Explore trains others."""

from __future__ import annotations

import streamlit as st

from pages.server.keep import keep_runs
from pages.server.workspace import Workspace

_SAID = "explore.kept"


def keep_button(space: Workspace) -> None:
    """The button, and in passing what came of it; the way there stands at the top of the page."""
    st.button(
        "Keep this run" if len(space.runs) < 2 else "Keep these runs",
        key="explore.keep",
        disabled=not space.runs,
        on_click=_keep,
        args=(space,),
        help="Put it on Compare, as far as it has come; it stays there while you train another one here.",
    )
    if said := st.session_state.pop(_SAID, ""):
        st.toast(said)


def _keep(space: Workspace) -> None:
    try:
        fits = keep_runs(space)
    except ValueError as error:
        st.session_state[_SAID] = str(error)
        return
    there = "" if fits else " It held other rows, which stand in its Undo."
    st.session_state[_SAID] = f"Kept on Compare.{there}"
