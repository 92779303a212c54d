"""The sidebar of Explore and Understand: data, preparation, training, and what few people change."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.base.dataset import Dataset
from pages.controls.learn.make import make_lesson
from pages.controls.recipe.advanced import advanced
from pages.controls.recipe.data_choice import choose_dataset
from pages.controls.recipe.noise import choose_noise
from pages.controls.recipe.panels import choose_panels
from pages.controls.recipe.preparation import choose_preparation
from pages.controls.recipe.share import share
from pages.controls.recipe.training import choose_training
from pages.controls.table.upload import upload_field
from pages.server.workspace import Workspace


def sidebar(space: Workspace) -> tuple[Dataset | None, DeltaGenerator]:
    """Draw it; gives the chosen data set, None where there is none, and the place for the steps of its preparation."""
    with st.sidebar:
        st.subheader("Data", anchor=False)
        upload_field(space, key="explore.upload")
        dataset = choose_dataset(space)
        if dataset is not None:
            choose_noise(space, dataset)
        st.subheader("Prepare", anchor=False)
        choose_preparation(space, dataset)
        steps = st.empty()
        st.subheader("Train", anchor=False)
        choose_panels(space)
        panel = choose_training(space, numeric_label=dataset is not None and dataset.target is not None)
        advanced(space, dataset, panel)
        share(space)
        make_lesson(space)
    return dataset, steps
