"""The sidebar of the Compare page: data, what to begin with, a card for each panel, and the settings of one of them."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.base.dataset import Dataset
from pages.controls.compare.presets import choose_preset
from pages.controls.learn.make import make_lesson
from pages.controls.recipe.advanced import advanced
from pages.controls.recipe.data_choice import choose_dataset
from pages.controls.recipe.noise import choose_noise
from pages.controls.recipe.preparation import choose_preparation
from pages.controls.recipe.share import share
from pages.controls.recipe.training import choose_training
from pages.server.workspace import Workspace


def sidebar(space: Workspace) -> tuple[Dataset | None, DeltaGenerator, DeltaGenerator]:
    """Draw it; gives the chosen data set or None, and the places of the cards and of the steps of the preparation."""
    with st.sidebar:
        st.subheader("Compare", anchor=False)
        dataset = choose_dataset(space)
        choose_preset(space)
        cards = st.container(gap="xsmall")
        panel = choose_training(space, numeric_label=dataset is not None and dataset.target is not None)
        if dataset is not None:
            choose_noise(space, dataset)
        choose_preparation(space, dataset)
        steps = st.empty()
        advanced(space, dataset, panel)
        share(space)
        make_lesson(space)
    return dataset, cards, steps
