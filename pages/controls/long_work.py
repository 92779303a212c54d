"""Long work on a page: start, progress, cancel; and results that are computed once."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.controls.messages import show_error
from pages.server.jobs import Job, Work
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from stage.plain_text import as_text

_POLL = 0.5


def start_button(label: str, key: str, space: Workspace, name: str, of: object, work: Work) -> Job | None:
    """A button that starts `work` under that name; returns the current job on `of`."""
    job = space.document.jobs.find(name, of)
    st.button(
        label,
        key=key,
        disabled=job is not None and job.state == "running",
        on_click=space.document.jobs.start,
        args=(name, of, work),
        help="Runs in the background.",
    )
    return job


def watched(draw: Callable[[bool], None], job: Job | None) -> None:
    """Call `draw(running)`, twice a second while the job runs."""
    running = job is not None and job.state == "running"
    st.fragment(draw, run_every=_POLL if running else None)(running)


def progress(job: Job, was_running: bool, done: int, wanted: int, words: str, key: str) -> None:
    """A bar and Cancel while the job runs, a sentence if it failed; reruns the page once it has ended.

    `wanted` is 0 before the first result.
    """
    if job.state == "running":
        with st.container(horizontal=True, vertical_alignment="center"):
            far = f"{done} of {wanted}" if wanted else "starting"
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
        st.caption(f"The server restarted {so_far}. Start again for all.")
    if job.state == "cancelled":
        st.caption(f"Cancelled after {done} of {wanted}; the numbers are of these." if done else "Cancelled.")
