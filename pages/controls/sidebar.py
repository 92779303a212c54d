"""The sidebars of Explore, Understand and Compare."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.base.dataset import Dataset
from pages.controls import settings
from pages.controls.own_lessons import make_lesson
from pages.controls.panel_cards import choose_preset
from pages.controls.shell import screen
from pages.controls.table import label_select
from pages.controls.upload import drop_field
from pages.server.data import table_in_front
from pages.server.session import write_link
from pages.server.workspace import Workspace
from study.panel import PanelRecipe


def sidebar(space: Workspace) -> tuple[Dataset | None, DeltaGenerator]:
    """Returns the data set, None without one, and the place for the preparation in one line."""
    with st.sidebar:
        st.subheader("Data", anchor=False)
        drop_field(space, "explore.upload")
        upload = table_in_front(space)
        if upload is not None and upload.plan is not None:
            label_select(space, upload.plan, "explore.upload.label")
        if space.document.upload is not None:
            st.page_link(screen("Data"), label="All about this table →")
        dataset = settings.choose_dataset(space)
        if dataset is not None:
            settings.choose_noise(space, dataset)
        st.subheader("Prepare", anchor=False)
        settings.choose_preparation(space, dataset)
        steps = st.empty()
        st.subheader("Train", anchor=False)
        settings.choose_panels(space)
        panel = settings.choose_training(space, dataset)
    _last_parts(space, dataset, panel)
    return dataset, steps


def compare_sidebar(space: Workspace) -> tuple[Dataset | None, DeltaGenerator, DeltaGenerator]:
    """Returns the data set or None, and the places of the preparation in one line and of the cards."""
    with st.sidebar:
        st.subheader("Compare", anchor=False)
        dataset = settings.choose_dataset(space)
        choose_preset(space)
        cards = st.container(gap="xsmall")
        panel = settings.choose_training(space, dataset)
        if dataset is not None:
            settings.choose_noise(space, dataset)
        settings.choose_preparation(space, dataset)
        steps = st.empty()
    _last_parts(space, dataset, panel)
    return dataset, steps, cards


def _last_parts(space: Workspace, dataset: Dataset | None, panel: PanelRecipe | None) -> None:
    """End the sidebar, write the address, and show what in the opened address was not understood."""
    with st.sidebar:
        settings.advanced(space, dataset, panel)
        settings.share(space)
        make_lesson(space)
    write_link(space)
    settings.problems(space)
