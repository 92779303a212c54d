"""The comparison that a recipe asks for, with what stands above its stage on every page."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from pages.controls.base.messages import show_error
from pages.controls.base.page_end import end_page
from pages.controls.recipe.another_tab import another_tab
from pages.controls.recipe.head import head
from pages.controls.recipe.preparation import steps_line
from pages.controls.recipe.transport import train_if_asked, transport
from pages.server import trainings
from pages.server.brought_back import bring_back
from pages.server.saver import SAVER
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from study.compare import Comparison


def show_comparison(space: Workspace, dataset: Dataset, steps: DeltaGenerator) -> Comparison:
    """Put it on the stage, with its name and its buttons; where the data do not allow it, say why and end the page.

    `steps` is the place in the sidebar for the steps of the preparation.
    """
    try:
        comparison = put_on_stage(space, dataset)
    except (DataError, ValueError) as error:
        show_error(error)
        end_page()
    with steps:
        steps_line(comparison.prepared)
    head(comparison)
    not_kept()
    train_if_asked(space, dataset)
    transport(space, dataset)
    another_tab(space)
    return trainings.show(space, dataset)  # as it is after what was pressed


def put_on_stage(space: Workspace, dataset: Dataset) -> Comparison:
    """`trainings.show`, with the trainings of before a restart of the server; what came back is said.

    Raises
    ------
    DataError, ValueError
        As `trainings.show`.
    """
    own = space.belongings
    with space.coming_back:  # a page that is asked for again while it is run is run a second time at once
        comparison = trainings.show(space, dataset)
        if words := bring_back(space, comparison):
            own.came_back = f"{words} {own.came_back}".rstrip()
            comparison = trainings.show(space, dataset)
    if own.came_back:
        st.toast(as_text(own.came_back), duration="long")  # here the first of two runs ends
        own.came_back = ""
    return comparison


def not_kept() -> None:
    """Say so where a restart of the server would lose what one has."""
    if SAVER.problem:
        why = f"⚠ This server cannot keep your work on disk ({SAVER.problem})"
        st.caption(as_text(f"{why}: it is in its memory only, and a restart would lose it."))
