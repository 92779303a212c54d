"""Long work on a page: start, progress, cancel, result."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.controls.shell import show_error
from pages.server.jobs import Job, Work
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from stage.plain_text import as_text

Far = Callable[[Any], tuple[int, int, str]]
POLL = 0.5  # seconds between two looks at what runs


def start_button(label: str, key: str, space: Workspace, name: str, of: object, work: Work) -> Job | None:
    """A button that starts `work` under that name; returns the current job on `of`."""
    jobs = space.document.jobs
    job, about = jobs.find(name, of), "Runs in the background."
    busy = job is not None and job.state == "running"
    st.button(label, key=key, disabled=busy, on_click=jobs.start, args=(name, of, work), help=about)
    return job


def _done_of_wanted(result: Any) -> tuple[int, int, str]:
    return (0, 0, "") if result is None else (result.done, result.wanted, "")


def watched(job: Job | None, draw: Callable[[], None], words: str, key: str, far: Far = _done_of_wanted) -> None:
    """Show the progress of a job and call `draw()`, twice a second while it runs; rerun the page once it has ended.

    `words` name what is counted; `far` gives (done, wanted, more words) of a result, which is None at first.
    """
    running = job is not None and job.state == "running"

    def shown() -> None:
        if job is not None:
            if running and job.state != "running":
                st.rerun()
            done, wanted, more = far(job.result)
            _progress(job, done, wanted, words + more, key)
        draw()

    st.fragment(shown, run_every=POLL if running else None)()


def _progress(job: Job, done: int, wanted: int, words: str, key: str) -> None:
    if job.state == "running":
        with st.container(horizontal=True, vertical_alignment="center"):
            counted = f"{done} of {wanted}" if wanted else "starting"
            st.progress(done / max(1, wanted), text=as_text(f"{words}: {counted}"))
            st.button("Cancel", key=f"{key}.cancel", on_click=job.cancel)
        if WORKERS.problem:
            st.caption(as_text(WORKERS.problem))
    elif job.state == "failed":
        show_error(ValueError(job.error))
    elif job.state == "interrupted":
        so_far = f"after {done} of {wanted}; the numbers are of these" if done else "before this was done"
        st.caption(f"The server restarted {so_far}. Start again for all.")
    elif job.state == "cancelled":
        st.caption(f"Cancelled after {done} of {wanted}; the numbers are of these." if done else "Cancelled.")
