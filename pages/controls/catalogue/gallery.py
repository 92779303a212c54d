"""The gallery: the catalogue, one's folder, what was brought along, and what can be downloaded."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from datasets.base.entry import Entry
from datasets.catalogue import DATASETS
from datasets.local_folder import VARIABLE, local_entries
from datasets.previews import Preview, Previews, preview
from pages.controls.catalogue.card import card, explore_button, gallery_row
from pages.controls.catalogue.downloads import download_section, fetched
from pages.server.workspace import Workspace

PREVIEWS = Previews()
_POLL = 1.0


def catalogue(space: Workspace) -> None:
    """All groups; a button of a card leads to the Explore page."""
    _ready_group(space, "Comes with the app", "bundled")
    _ready_group(space, "Generated, with sliders and a seed", "generator")
    _own_group(space)
    folder = local_entries()
    waiting = [entry for entry in folder.values() if PREVIEWS.ask(entry) is None]
    # The timer runs only while pictures are being made.
    st.fragment(_folder_group, run_every=_POLL if waiting else None)(space, folder, bool(waiting))
    download_section(space)


def _ready_group(space: Workspace, title: str, kind: str) -> None:
    st.subheader(title, anchor=False)
    with gallery_row(f"data.{kind}"):
        for entry in DATASETS.values():
            if entry.kind == kind:
                with card(entry.key, entry.title, entry.description, entry.source, PREVIEWS.now(entry)):
                    explore_button(space, entry.key)


def _own_group(space: Workspace) -> None:
    """Tables and drawings of this session."""
    own = {key: dataset for key, dataset in space.belongings.own_data.items() if not fetched(key)}
    if not own:
        return
    st.subheader("Brought along or drawn", anchor=False)
    with gallery_row("data.own"):
        for key, dataset in own.items():
            with card(key, dataset.name, "", dataset.source, preview(dataset)):
                explore_button(space, key)


def _folder_group(space: Workspace, folder: Mapping[str, Entry], waited: bool) -> None:
    st.subheader("Your folder", anchor=False)
    if not folder:
        st.caption("Tables of your own stand here when the app is started with the folder they are in:")
        st.code(f"{VARIABLE}=~/my-tables streamlit run app.py", language=None)
        return
    with gallery_row("data.folder"):
        for entry in folder.values():
            shown = PREVIEWS.ask(entry)
            with card(entry.key, entry.title, entry.description, entry.source, shown or Preview()):
                explore_button(space, entry.key, disabled=shown is not None and bool(shown.error))
    if waited and all(PREVIEWS.known(entry) for entry in folder.values()):
        st.rerun()  # without the timer
