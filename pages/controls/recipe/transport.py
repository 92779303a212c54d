"""Train, Pause, Step, Reset: the buttons of all trainings of a comparison."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from datasets.base.dataset import Dataset
from pages.controls.base.asked import asked_here, asks, forget_asked
from pages.controls.recipe.keep import keep_button
from pages.controls.recipe.present import view_buttons
from pages.server import trainings
from pages.server.front import why_not_train
from pages.server.session import train_asked
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text

_BEGIN: dict[str, Callable[[Workspace, Dataset], None]] = {"train": trainings.train, "step": trainings.step}
_ACTS = _BEGIN | {"hold": lambda space, _: trainings.hold(space), "go on": lambda space, _: trainings.go_on(space)}


def transport(space: Workspace, dataset: Dataset, asked: bool = True) -> None:
    """Draw the buttons and carry out what is pressed, so that what follows on the page shows the new state.

    No tooltips here: they would cover the name of the data and the way to the other page. Whether the settings differ
    from those of the trainings is said with the first lines, where there is room for it. Train stands out where it is
    `asked` for.
    """
    comparison = space.belongings.comparison
    waits = why_not_train(space)
    trains = not waits and comparison is not None and any(panel.trains for panel in comparison.panels)
    for act in asked_here(*_ACTS):
        if trains or act not in _BEGIN:
            _ACTS[act](space, dataset)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="explore.transport"):
        st.button(
            "Train",
            key="explore.train",
            type="primary" if asked else "secondary",
            icon="▶",
            shortcut="t",
            disabled=not trains,
            **asks("train"),
        )
        _pause_button(space)
        st.button("Step", key="explore.step", shortcut="s", disabled=not trains, **asks("step"))
        st.button(
            "Reset",
            key="explore.reset",
            shortcut="x",
            disabled=not space.runs,
            on_click=_reset,
            args=(space,),
        )
        if space.first is space:
            keep_button(space)
        if waits:
            st.caption(as_text(waits), width="stretch")
        elif not trains:
            st.caption("Nothing trains here: add NCA.", width="stretch")
        else:
            st.space("stretch")
        view_buttons()


def train_if_asked(space: Workspace, dataset: Dataset) -> None:
    """Begin to train where the link says so, once, and where nothing trains or waits for an answer."""
    if train_asked() and not space.runs and not why_not_train(space):
        trainings.train(space, dataset)


def _reset(space: Workspace) -> None:
    forget_asked(*_ACTS)
    trainings.reset(space)


def _pause_button(space: Workspace) -> None:
    states = {held.run.state for held in space.runs.values()}
    held = "paused" in states and not states & {"running", "waiting"}
    st.button(
        "Resume" if held else "Pause",
        key="explore.pause",
        shortcut="p",
        disabled=not states - {"ended", "ready"},
        **asks("go on" if held else "hold"),
    )
