"""What is still being computed, and the rerun when it is there; what was broken off may be tried again."""

from __future__ import annotations

import streamlit as st

from pages.server.embeddings import asked_for, try_again
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text

_POLL = 0.5


def embeddings(space: Workspace) -> None:
    """A line for each embedding under way, a button for each that was broken off; the timer runs only while there is
    one under way."""
    comparison = space.belongings.comparison
    for panel in comparison.panels if comparison is not None else ():
        if panel.broken_off:
            label = f"Try {as_text(panel.recipe.shown_title)} again"
            st.button(label, key=f"embeddings.again.{panel.key}", on_click=try_again, args=(space, panel))
    waits = bool(asked_for(space))
    st.fragment(_lines, run_every=_POLL if waits else None)(space, waits)


def _lines(space: Workspace, waited: bool) -> None:
    jobs = asked_for(space)
    if waited and any(job.done is not None for job in jobs):
        st.rerun()  # one is there
    for job in jobs:
        title = as_text(job.panel.recipe.shown_title)
        st.caption(f"{title} is being computed: {job.seconds:.0f} s. Take its panel away to stop it.")
