"""The sidebar of a teacher's lesson: each part as on Explore, or locked, which is said in words, or not at all."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from lessons.base.own import PARTS, OwnLesson
from pages.controls.base.messages import show_error
from pages.controls.recipe.advanced import advanced
from pages.controls.recipe.data_choice import choose_dataset
from pages.controls.recipe.noise import choose_noise
from pages.controls.recipe.panels import choose_panels
from pages.controls.recipe.preparation import choose_preparation
from pages.controls.recipe.training import choose_training
from pages.server.data import chosen_dataset
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from pages.views.parts_said import part_said


def parts(space: Workspace, lesson: OwnLesson) -> Dataset | None:
    """Draw them; gives the chosen data set, None after saying why there is none."""
    free = [part for part in PARTS if part not in lesson.hidden | lesson.locked]
    with st.sidebar if lesson.hidden != PARTS.keys() else st.container():
        dataset = choose_dataset(space) if "data" in free else _dataset(space)
        panel = None
        draw: dict[str, Callable[[], object]] = {
            "noise": lambda: choose_noise(space, dataset) if dataset is not None else None,
            "preparation": lambda: choose_preparation(space, dataset),
            "panels": lambda: choose_panels(space),
        }
        for part in PARTS:
            if part in lesson.locked:
                name = "" if dataset is None else dataset.name
                st.caption(f"🔒 {as_text(part_said(part, space.belongings.recipe, name))}")
            elif part in free and part in draw:
                draw[part]()
            elif part in free and part == "training":
                panel = choose_training(space, numeric_label=dataset is not None and dataset.target is not None)
            elif part in free and part == "advanced":
                advanced(space, dataset, panel)
    return dataset


def _dataset(space: Workspace) -> Dataset | None:
    try:
        return chosen_dataset(space)
    except (DataError, ValueError) as error:
        show_error(error)
        return None
