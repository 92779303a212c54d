"""Long work on the page: a button that begins it, how far it is, and a button that ends it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.controls.base.messages import show_error
from pages.server.job import Job, Work
from pages.server.jobs import job_of, start_job
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text

_POLL = 0.5


def start_button(label: str, key: str, space: Workspace, name: str, of: object, work: Work) -> Job | None:
    """A button that begins `work` under that name; gives the work there is about `of`."""
    job = job_of(space, name, of)
    st.button(
        label,
        key=key,
        disabled=job is not None and job.state == "running",
        on_click=start_job,
        args=(space, name, of, work),
        help="In the background; the stage goes on meanwhile.",
    )
    return job


def watched(draw: Callable[[bool], None], job: Job | None) -> None:
    """Call `draw`, again and again while the work goes on, with whether it did when the page was drawn."""
    running = job is not None and job.state == "running"
    # The timer runs only while there is something to wait for.
    st.fragment(draw, run_every=_POLL if running else None)(running)


def progress(job: Job, was_running: bool, done: int, wanted: int, words: str, key: str) -> None:
    """A bar and Cancel while it goes on, a sentence where it failed; the page is drawn anew once it has ended.

    `wanted` is 0 before the first result, which says how many there are to be.
    """
    if job.state == "running":
        with st.container(horizontal=True, vertical_alignment="center"):
            far = f"{done} of {wanted}" if wanted else "the first is under way"
            st.progress(done / max(1, wanted), text=as_text(f"{words}: {far}"))
            st.button("Cancel", key=f"{key}.cancel", on_click=job.cancel)
        if WORKERS.problem:
            st.caption(as_text(WORKERS.problem))
        return
    if was_running:
        st.rerun()
    if job.state == "failed":
        show_error(ValueError(job.error))
    if job.state == "interrupted":
        so_far = f"after {done} of {wanted}; the numbers are of these" if done else "before this was done"
        st.caption(f"The server was started again {so_far}. Begin it anew for all.")
    if job.state == "cancelled":
        st.caption(f"Cancelled after {done} of {wanted}; the numbers are of these." if done else "Cancelled.")
