"""Train, Pause, Step, Reset: the buttons of a run."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from nca_core.run import TrainingRun
from pages.server.workspace import Workspace
from pages.shared.session import StartedRun, set_started_run, started_run


def transport(space: Workspace, new_run: Callable[[], StartedRun], differs: Callable[[], bool]) -> None:
    """Draw the buttons and carry out what is pressed, so that what follows on the page shows the new state.

    Whether the settings differ from those of the run is said beside the buttons, where nothing below has to move.
    """
    with st.container(horizontal=True, vertical_alignment="center", key="explore.transport"):
        train = st.button(
            "Train",
            key="explore.train",
            type="primary",
            icon="▶",
            shortcut="t",
            help="Start a new training with the settings on the left.",
        )
        pause_slot = st.empty()
        step = st.button(
            "Step",
            key="explore.step",
            shortcut="s",
            help="One iteration, then wait.",
        )
        reset_slot = st.empty()
        started = started_run(space)
        if train:
            started = new_run()
            set_started_run(space, started)
            started.run.start()
        elif step:
            if started is None or started.run.state == "ended":
                started = new_run()
                set_started_run(space, started)
            started.run.step()
        _pause_button(pause_slot, None if started is None else started.run)
        reset_slot.button(
            "Reset",
            key="explore.reset",
            shortcut="x",
            disabled=started is None,
            on_click=set_started_run,
            args=(space, None),
            help="Back to the start, before the first iteration.",
        )
        if differs():
            st.caption("The settings have changed since this training began: press Train to use them.", width="stretch")


def _pause_button(slot, run: TrainingRun | None) -> None:
    paused = run is not None and run.state == "paused"
    slot.button(
        "Resume" if paused else "Pause",
        key="explore.pause",
        shortcut="p",
        disabled=run is None or run.state in ("ended", "ready"),
        on_click=_toggle,
        args=(run,),
        help="Hold the training where it is; nothing is lost.",
    )


def _toggle(run: TrainingRun) -> None:
    if run.state == "paused":
        run.resume()
    else:
        run.pause()
