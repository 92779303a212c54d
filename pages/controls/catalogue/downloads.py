"""Downloads on the page: a card for each, with progress, cancel and one sentence where it failed."""

from __future__ import annotations

import streamlit as st

from datasets.base.entry import Entry
from datasets.base.errors import DataError
from datasets.catalogue import DATASETS
from datasets.downloads.entries import openml_entry
from datasets.downloads.job import DownloadJob
from datasets.previews import preview
from pages.controls.base.messages import show_error
from pages.controls.catalogue.card import WIDTH, card, explore_button, gallery_row
from pages.controls.catalogue.to_table import columns_button
from pages.server.downloads import cancel_job, job_of, jobs, opened, settle, start_job
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text

_POLL = 0.5
_OPENML, _NAME = "openml:", "data.openml_name"


def fetched(key: str) -> bool:
    """Whether a data set of the session's own came by a download."""
    return key in DATASETS or key.startswith(_OPENML)


def download_section(space: Workspace) -> None:
    """The sets of the catalogue that are fetched when asked for, and any other one of OpenML."""
    settle(space)
    st.subheader("Downloaded when you ask for them", anchor=False)
    _openml_field(space)
    # What was asked for by name stands first, right below the field.
    entries = {key: job.entry for key, job in jobs(space).items() if key.startswith(_OPENML)}
    entries |= {
        key: openml_entry(key.removeprefix(_OPENML)) for key in space.belongings.own_data if key.startswith(_OPENML)
    }
    entries |= {key: entry for key, entry in DATASETS.items() if entry.kind == "download"}
    with gallery_row("data.downloads"):
        for entry in entries.values():
            job = job_of(space, entry.key)
            running = job is not None and job.state == "running"
            # The timer runs only while something is on its way.
            with st.container(width=WIDTH, height="stretch", key=f"data.cardplace.{entry.key}"):
                st.fragment(_download_card, run_every=_POLL if running else None)(space, entry, running)


def _openml_field(space: Workspace) -> None:
    with st.form("data.openml", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        asked = st.text_input(
            "OpenML name or id",
            key=_NAME,
            max_chars=200,
            width=320,
            placeholder="ionosphere, or 59",
            help="Any labelled set of openml.org: its name, its number or the address of its page.",
        )
        pressed = st.form_submit_button("Download", key="data.openml_download", on_click=_download, args=(space,))
    if pressed and not asked.strip():
        show_error(DataError("Give the name of an OpenML data set, such as ionosphere, or its id, such as 59."))


def _download(space: Workspace) -> None:
    asked = st.session_state[_NAME]
    if asked.strip():
        start_job(space, openml_entry(asked))


def _download_card(space: Workspace, entry: Entry, was_running: bool) -> None:
    job = job_of(space, entry.key)
    running = job is not None and job.state == "running"
    if was_running != running:
        st.rerun()  # with the timer; or without it and with the data set in its place
    dataset = space.belongings.own_data.get(entry.key)
    source = entry.source if dataset is None else dataset.source
    shown = None if dataset is None else preview(dataset)
    with card(entry.key, entry.title, entry.description, source, shown, width="stretch"):
        if dataset is not None:
            explore_button(space, entry.key)
            table = opened(space, entry.key)
            if table is not None:
                columns_button(space, table, key=f"data.columns_of.{entry.key}")
        elif job is not None and running:
            _progress(space, job)
        else:
            if job is not None and job.state == "failed":
                show_error(DataError(job.error))
            st.button(
                "Download" if job is None or job.state == "cancelled" else "Try again",
                key=f"data.download.{entry.key}",
                width="stretch",
                on_click=start_job,
                args=(space, entry),
            )


def _progress(space: Workspace, job: DownloadJob) -> None:
    progress = job.progress
    sentence = f"{progress.sentence} {_megabytes(progress.n_bytes, progress.total)}"
    st.progress(progress.share or 0.0, text=as_text(sentence.strip()))
    st.button(
        "Cancel",
        key=f"data.cancel.{job.entry.key}",
        width="stretch",
        on_click=cancel_job,
        args=(space, job.entry.key),
    )


def _megabytes(n_bytes: int, total: int | None) -> str:
    if not n_bytes:
        return ""
    return f"{n_bytes / 1e6:.1f} MB" + (f" of {total / 1e6:.1f} MB" if total else "")
