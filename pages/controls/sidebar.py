"""The sidebars of Explore, Understand and Compare."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.base.dataset import Dataset
from pages.controls.data_choice import choose_dataset, choose_noise
from pages.controls.own_lessons import make_lesson
from pages.controls.panel_cards import choose_preset
from pages.controls.preparation import choose_preparation
from pages.controls.share import share
from pages.controls.shell import screen
from pages.controls.table import label_select
from pages.controls.training import advanced, choose_panels, choose_training
from pages.controls.upload import drop_field
from pages.server.data import table_in_front
from pages.server.workspace import Workspace
from study.panel import PanelRecipe


def _upload_field(space: Workspace) -> None:
    key = "explore.upload"
    drop_field(space, key)
    upload = table_in_front(space)
    if upload is not None and upload.plan is not None:
        label_select(space, upload.plan, f"{key}.label")
    if space.document.upload is not None:
        st.page_link(screen("Data"), label="All about this table →")


def sidebar(space: Workspace) -> tuple[Dataset | None, DeltaGenerator]:
    """Returns the data set, None without one, and the place for the preparation in one line."""
    with st.sidebar:
        st.subheader("Data", anchor=False)
        _upload_field(space)
        dataset = choose_dataset(space)
        if dataset is not None:
            choose_noise(space, dataset)
        st.subheader("Prepare", anchor=False)
        choose_preparation(space, dataset)
        steps = st.empty()
        st.subheader("Train", anchor=False)
        choose_panels(space)
        _last_parts(space, dataset, choose_training(space, dataset))
    return dataset, steps


def compare_sidebar(space: Workspace) -> tuple[Dataset | None, DeltaGenerator, DeltaGenerator]:
    """Returns the data set or None, and the places of the preparation in one line and of the cards."""
    with st.sidebar:
        st.subheader("Compare", anchor=False)
        dataset = choose_dataset(space)
        choose_preset(space)
        cards = st.container(gap="xsmall")
        panel = choose_training(space, dataset)
        if dataset is not None:
            choose_noise(space, dataset)
        choose_preparation(space, dataset)
        steps = st.empty()
        _last_parts(space, dataset, panel)
    return dataset, steps, cards


def _last_parts(space: Workspace, dataset: Dataset | None, panel: PanelRecipe | None) -> None:
    advanced(space, dataset, panel)
    share(space)
    make_lesson(space)
