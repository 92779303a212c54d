"""Does it come back? The training goes on from where a hand has put A, with a way back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from datasets.base.dataset import Dataset
from nca_core.snapshot import Snapshot
from pages.server import trainings
from pages.server.workspace import Workspace
from pages.stage.component import StageState
from pages.text.plain_text import as_text
from study.came_back import came_back
from study.compare import Comparison

_MOVED, _TAKEN = "understand.moved", "understand.taken"


@dataclass(frozen=True)
class _Moved:
    """A training that went on from where a hand had put A: its panel, the run's number, and where it was before."""

    key: str
    run: int
    before: Snapshot


def grab(space: Workspace, comparison: Comparison, dataset: Dataset, stage: StageState) -> None:
    """Take what the stage tells, and say what became of it."""
    # What is told once is taken once, also where the page runs again before the stage tells that it told.
    if stage.grabbed is not None and stage.grabbed != st.session_state.get(_TAKEN):
        st.session_state[_TAKEN] = stage.grabbed
        if _go_on(space, comparison, dataset, *stage.grabbed):
            st.rerun()  # so that the stage knows of the new run
    elif stage.grabbed is None:
        st.session_state.pop(_TAKEN, None)
    moved: _Moved | None = st.session_state.get(_MOVED)
    held = None if moved is None else space.runs.get(moved.key)
    if moved is None or held is None or held.number != moved.run:
        first = "Move" if space.runs else "Train first, then move"
        st.caption(f"{first} an arrow or a class, and let the training go on: does it come back?")
        return
    snapshots = held.run.trajectory.snapshots
    if snapshots:
        panel, ended = comparison.panel(moved.key), held.run.state == "ended"
        rows = panel.X[comparison.prepared.train]
        said = came_back(panel.recipe.shown_title, moved.before, snapshots[0], snapshots[-1], ended, rows)
        st.markdown(as_text(said))
    st.button(
        "Back to the view before",
        key="understand.grab_undo",
        on_click=_undo,
        args=(space, dataset, moved),
        help="The training starts at the A that it had before you took hold of it.",
    )


def _go_on(space: Workspace, comparison: Comparison, dataset: Dataset, key: str, values: tuple[float, ...]) -> bool:
    """Whether it is an A of a panel that trains; then its training goes on from there."""
    before = trainings.latest(space, key)  # None for what is no panel that trains
    start = None if before is None else comparison.panel(key).transformation
    if before is None or start is None or start.size != len(values):
        return False
    trainings.train_from(space, dataset, key, np.reshape(values, start.shape))
    st.session_state[_MOVED] = _Moved(key, space.runs[key].number, before)
    return True


def _undo(space: Workspace, dataset: Dataset, moved: _Moved) -> None:
    trainings.train_from(space, dataset, moved.key, moved.before.transformation)
    st.session_state.pop(_MOVED, None)
