"""The catalogue: a gallery of cards with a small picture each, and downloads."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import pyarrow.csv
import streamlit as st

from datasets.base.dataset import Dataset
from datasets.base.entry import Entry
from datasets.base.errors import DataError
from datasets.base.words import counted
from datasets.catalogue import DATASETS
from datasets.columns import ColumnPlan
from datasets.downloads.entries import openml_entry
from datasets.downloads.openml import Opened
from datasets.local_folder import VARIABLE, local_entries
from datasets.previews import Preview, Previews, preview
from datasets.proposals import Choices, Plan, apply, propose
from datasets.reading import Table
from pages.controls.long_work import POLL
from pages.controls.settings import explore_data
from pages.controls.shell import show_error, switch_page_if_chosen
from pages.controls.upload import TAB, use_table
from pages.server.data import downloads, settle_downloads, start_download
from pages.server.document import Upload
from pages.server.workspace import Workspace
from pages.views.thumbnail import thumbnail_image
from stage.plain_text import as_text

PREVIEWS = Previews()
_OPENML, _NAME = "openml:", "data.openml_name"


def catalogue(space: Workspace) -> None:
    for title, kind in (("Included", "bundled"), ("Generated, with sliders and a seed", "generator")):
        _group(space, title, kind, [entry for entry in DATASETS.values() if entry.kind == kind], PREVIEWS.now)
    downloaded = {key for key in space.document.own_data if key in DATASETS or key.startswith(_OPENML)}
    own = {key: dataset for key, dataset in space.document.own_data.items() if key not in downloaded}
    if own:
        entries = [Entry(key, dataset.name, "", "own", dataset.source, Dataset) for key, dataset in own.items()]
        _group(space, "Uploaded or drawn", "own", entries, lambda entry: preview(own[entry.key]))
    folder = local_entries()
    waiting = [entry for entry in folder.values() if PREVIEWS.ask(entry) is None]
    st.fragment(_folder_group, run_every=1.0 if waiting else None)(space, folder, bool(waiting))
    download_section(space)


def _group(
    space: Workspace, title: str, name: str, entries: Iterable[Entry], shown: Callable[[Entry], Preview | None]
) -> None:
    """A gallery of these; `shown` returns None while the picture is being made."""
    st.subheader(title, anchor=False)
    with _gallery(key=f"data.{name}"):
        for entry in entries:
            found = shown(entry)
            with card(entry, found or Preview()):
                explore_button(space, entry.key, disabled=found is not None and bool(found.error))


def _folder_group(space: Workspace, folder: Mapping[str, Entry], waited: bool) -> None:
    _group(space, "Your folder", "folder", folder.values(), PREVIEWS.ask)
    if not folder:
        st.caption("To list your own tables here, start the app with their folder:")
        st.code(f"{VARIABLE}=~/my-tables streamlit run app.py", language=None)
    if waited and all(PREVIEWS.known(entry) for entry in folder.values()):
        st.rerun()  # without the timer


WIDTH = 232  # five in a row of a large window; see main.css for small ones
_gallery = partial(st.container, horizontal=True, gap="small")  # as many cards side by side as fit


@contextmanager
def card(entry: Entry, shown: Preview | None, width: Literal["stretch"] | int = WIDTH) -> Iterator[None]:
    """The card of a data set; the block draws its foot.

    `shown` is None before a download, and an empty Preview while the picture is being made.
    """
    with st.container(border=True, width=width, height="stretch", gap="xsmall", key=f"data.card.{entry.key}"):
        with st.container(height="stretch", gap="xsmall"):
            if shown is not None:
                st.html(thumbnail_image(shown.picture, f"Small picture of {entry.title}", shown.trained))
            st.markdown(f"**{as_text(entry.title)}**  \n{as_text(entry.description)}")
            if shown is not None and (shown.picture or shown.error):
                rows = f"{shown.n_samples:,} rows x {counted(shown.n_features, 'feature')}"
                st.caption(as_text(shown.error or f"{rows}, {shown.n_classes:,} classes"))
            used = f"Paper: {entry.source.paper}" if entry.source.paper else ""
            if facts := ". ".join(filter(None, (entry.source.licence, used))):
                st.caption(as_text(f"{facts}."))
        yield


def explore_button(space: Workspace, key: str, *, disabled: bool = False) -> None:
    look: Any = {"key": f"data.explore.{key}", "width": "stretch", "disabled": disabled}
    st.button("Explore", on_click=explore_data, args=(space, key), **look)
    switch_page_if_chosen()  # a fragment reruns alone


def download_section(space: Workspace) -> None:
    settle_downloads(space.document)
    st.subheader("Available for download", anchor=False)
    _openml_field(space)
    # Sets entered in the field come first.
    entries = {key: job.entry for key, job in downloads(space.document).items() if key.startswith(_OPENML)}
    there = [key for key in space.document.own_data if key.startswith(_OPENML)]
    entries |= {key: openml_entry(key.removeprefix(_OPENML)) for key in there}
    entries |= {key: entry for key, entry in DATASETS.items() if entry.kind == "download"}
    with _gallery(key="data.downloads"):
        for entry in entries.values():
            job = downloads(space.document).get(entry.key)
            running = job is not None and job.state == "running"
            with st.container(width=WIDTH, height="stretch", key=f"data.cardplace.{entry.key}"):
                st.fragment(_download_card, run_every=POLL if running else None)(space, entry, running)


def _openml_field(space: Workspace) -> None:
    def download() -> None:
        if (entered := st.session_state[_NAME]).strip():
            start_download(space.document, openml_entry(entered))

    with st.form("data.openml", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        about = "Any labelled set of openml.org: its name, its number or the address of its page."
        look: Any = {"max_chars": 200, "width": 320, "placeholder": "ionosphere, or 59", "help": about}
        name = st.text_input("OpenML name or id", key=_NAME, **look)
        pressed = st.form_submit_button("Download", key="data.openml_download", on_click=download)
    if pressed and not name.strip():
        show_error(DataError("Enter the name of an OpenML data set, such as ionosphere, or its id, such as 59."))


def _download_card(space: Workspace, entry: Entry, was_running: bool) -> None:
    job = downloads(space.document).get(entry.key)
    running = job is not None and job.state == "running"
    if was_running != running:
        st.rerun()  # starts or ends the timer
    dataset = space.document.own_data.get(entry.key)
    if dataset is not None:
        entry = replace(entry, source=dataset.source)
    with card(entry, None if dataset is None else preview(dataset), width="stretch"):
        if dataset is not None:
            explore_button(space, entry.key)
            opened, key = space.document.opened.get(entry.key), f"data.columns_of.{entry.key}"
            if (  # images have no table
                opened is not None
                and opened.table is not None
                and st.button("Its columns", key=key, width="stretch", on_click=_edit_columns, args=(space, opened))
            ):
                st.rerun()  # the whole page, which opens another tab
        elif job is not None and running:
            sentence, n_bytes, total = job.progress
            size = f" {n_bytes / 1e6:.1f} MB" + (f" of {total / 1e6:.1f} MB" if total else "") if n_bytes else ""
            st.progress(min(1.0, n_bytes / total) if total else 0.0, text=as_text(sentence + size))
            st.button("Cancel", key=f"data.cancel.{entry.key}", width="stretch", on_click=job.cancel)
        else:
            if job is not None and job.state == "failed":
                show_error(DataError(job.error))
            label = "Download" if job is None or job.state == "cancelled" else "Try again"
            start = partial(start_download, space.document, entry)
            st.button(label, key=f"data.download.{entry.key}", width="stretch", on_click=start)


def _edit_columns(space: Workspace, opened: Opened) -> None:
    table = opened.table
    if table is None or opened.plan is None:
        return
    named = replace(table, name=f"{opened.dataset.name}.csv")
    plan = _plan_as_built(named, opened.plan)
    file, shape = io.BytesIO(), opened.dataset.image_shape
    pyarrow.csv.write_csv(table.cells, file)  # other reading options read it again
    content = file.getvalue()
    use_table(space, Upload(named.name, content, choices=plan.choices, table=named, plan=plan, image_shape=shape))
    st.session_state["data.tab"] = TAB


def _plan_as_built(table: Table, built: ColumnPlan) -> Plan:
    """The plan that uses the table as the downloaded data set does, with as few choices as possible."""
    proposed = apply(propose(table))
    choices = Choices(missing=built.missing, category_gaps=built.category_gaps)
    if proposed.label is None or proposed.label.name != built.label or not proposed.label.sure:
        choices = choices.with_label(built.label)
    if built.label is not None:
        choices = choices.saying("label_modes", built.label, built.label_mode)
    plan = apply(proposed.proposal, choices)
    used, categories = set(built.features), set(built.categories)
    for column in plan.planned:
        role = "categories" if column.name in categories else "number" if column.name in used else "left_out"
        if role != column.role:
            choices = choices.saying("roles", column.name, role)
    return apply(plan.proposal, choices)
