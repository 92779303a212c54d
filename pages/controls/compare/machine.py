"""The time machine: what is asked for at the iteration that a panel of the stage shows."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from datasets.base.dataset import Dataset
from pages.controls.compare.panel_change import new_panels
from pages.controls.recipe.training import SETTINGS_OF
from pages.server import trainings
from pages.server.workspace import Workspace
from study.panel_changes import branched, duplicated, with_other_seed


def time_machine(space: Workspace, dataset: Dataset) -> Callable[[str, str, int], None]:
    """For `live_stage`: another panel from this one.

    A branch and one from the same start wait for other settings, which stand on the left; another seed trains at once.
    """

    def ask(key: str, what: str, iteration: int) -> None:
        if key not in {panel.key for panel in space.belongings.recipe.panels}:
            return  # it was removed meanwhile
        if what == "branch":
            made = new_panels(space, lambda now: branched(now, key, iteration))
        elif what == "again":
            made = new_panels(space, lambda now: duplicated(now, key))
        else:
            made = new_panels(space, lambda now: with_other_seed(now, key))
            for new in made:
                trainings.train(space, dataset, new)
        for new in made:
            st.session_state[SETTINGS_OF] = new

    return ask
