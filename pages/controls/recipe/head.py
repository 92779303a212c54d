"""What stands above the stage: which data these are, and what the training has shown so far."""

from __future__ import annotations

import math
from collections.abc import Sequence

import streamlit as st

from pages.controls.base.bound import change_panel
from pages.server import trainings
from pages.server.workspace import Workspace
from pages.text import wording
from pages.text.plain_text import as_text
from pages.views.data_line import data_line
from study.compare import Comparison
from study.measure import Measurement
from study.verdict import on_k, scale_runs_away, verdict

_PENALTY, USUAL_PENALTY = "regularisation", 0.1

_CHANGED = "The settings have changed since this training began: press Train to use them."
_CHANGED_SOME = "Some panels are not trained with the settings that they have: Train starts all, ▶ on a card one."


def head(comparison: Comparison) -> None:
    """Name, rows and classes."""
    st.markdown(f"**NCA Explorer**: {as_text(data_line(comparison.prepared, comparison.dataset.n_samples))}")


def first_lines(space: Workspace, comparison: Comparison, measurements: Sequence[Measurement]) -> None:
    """Before anything trains what this is and what to press; then a sentence for each training that has ended."""
    with st.container(key="explore.verdict"):  # as high before there is something to say as after: nothing moves
        if trainings.differs(space):
            st.caption(_CHANGED if space.first is space else _CHANGED_SOME)
        else:
            _verdicts(space, comparison, measurements)


def _verdicts(space: Workspace, comparison: Comparison, measurements: Sequence[Measurement]) -> None:
    at_rest = [one for one in measurements if one.iteration and space.runs[one.key].run.state in ("ended", "paused")]
    if not at_rest:
        st.caption(_meanwhile(bool(space.runs), bool(comparison.prepared.held_out.any())))
        return
    said = [verdict(comparison, one) for one in at_rest]
    lines = [f"{'⚠' if one.warns else '✓'} {as_text(one.sentence)}" for one in said]
    if beside := _beside(measurements):
        lines[-1] += f" Beside {'it' if len(lines) == 1 else 'them'}: {beside}."
    st.markdown("  \n".join(lines), help="  \n".join(as_text(one.uncertainty) for one in said if one.uncertainty))


def _beside(measurements: Sequence[Measurement]) -> str:
    """The same number of what was solved in one go; empty without held-out rows."""
    solved = [one for one in measurements if one.iteration is None and not math.isnan(one.accuracies.held_out_1nn)]
    return ", ".join(f"{as_text(one.title)} {one.accuracies.held_out_1nn:.2f}" for one in solved)


def _meanwhile(trains: bool, held_out: bool) -> str:
    """What to press or to wait for; of held-out rows only where there are some."""
    if trains:
        return wording.WHILE_TRAINING if held_out else ""
    said = f"{wording.WHAT_IT_IS} {wording.BEFORE_TRAINING}"
    return f"{said} {wording.HOLLOW_POINTS}" if held_out else said


def k_lines(space: Workspace, measurements: Sequence[Measurement]) -> None:
    """What K̂ says of each training; where the scale of A runs away, a penalty at one press."""
    for measured in measurements:
        line = on_k(measured)
        if line:
            st.caption(as_text(line), help=wording.WHY_K_FALLS)
        if line and scale_runs_away(measured):
            _offer_penalty(space, measured.key)


def _offer_penalty(space: Workspace, key: str) -> None:
    panel = next((panel for panel in space.belongings.recipe.panels if panel.key == key), None)
    if panel is None or panel.all_settings().get(_PENALTY) != 0.0:
        return

    def put() -> None:
        change_panel(space, key, lambda now: now.with_setting(_PENALTY, USUAL_PENALTY))

    st.button(
        f"Set the penalty of {as_text(panel.shown_title)} to λ = {USUAL_PENALTY:g}",
        key=f"explore.{key}.tame",
        on_click=put,
    )
