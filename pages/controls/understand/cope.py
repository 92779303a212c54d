"""Does it cope? The noise lab changes the data while the trainings go on from the A that they have, with a way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.noise_lab import MOST_NOISE_COLUMNS, NoiseConfig
from nca_core.snapshot import Snapshot
from pages.controls.base.messages import show_error
from pages.controls.base.persistence import IN_SESSION
from pages.controls.recipe.noise import MOST_COLUMNS_LISTED, column_name
from pages.server import trainings
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from pages.views.coping_table import COLUMN_FORMATS, coping_table
from study.compare import Comparison
from study.coping import Numbers, compared_weights, coped, numbers_of, what_changed

_DONE, _FAILED = "understand.disturbed", "understand.not_disturbed"
_COLUMNS, _COLUMN, _FACTOR, _FLIPPED = (
    f"understand.cope_{name}" for name in ("columns", "column", "factor", "flipped")
)
_POLL, _PATIENCE = 0.5, 2.0  # seconds
_NOT_YET = "Press Train first; then change the data here while the training goes on."
_READY = "Change the data: the training goes on from the A that it has. Does it cope?"
_TAKEN_BACK = "The last change was taken back, and the training goes on from the A of before it."
_EXPLAINED = (
    "The data change under the trainings, which go on from the A that they have, while PCA, LDA and whatever is solved "
    "in one go are computed anew. Columns of A for new features begin at zero, so nothing moves at first. A feature "
    "that is multiplied keeps the weight that it had in its own units, so the picture stretches along it, also where "
    "features are scaled. The same rows stay held out, and they are told by their labels as they came, before any were "
    "flipped."
)


@dataclass(frozen=True)
class _Disturbed:
    """What was changed under the trainings: where these were, where they went on from, and the numbers of then."""

    noise: NoiseConfig
    before: NoiseConfig
    places: trainings.Starts
    starts: trainings.Starts
    numbers: Mapping[str, Numbers]
    runs: Mapping[str, int]
    earlier: _Disturbed | None = None  # what was changed before it, which can be taken back after it
    reached_back: bool = False  # what came after it was taken back, so its numbers are not those of these trainings


def disturb(space: Workspace, comparison: Comparison, dataset: Dataset) -> None:
    """The three things to do to the data, the way back, and what became of the trainings."""
    st.markdown("**Does it cope with noise?**", help=_EXPLAINED)
    noise, done = space.belongings.recipe.noise, _done(space)

    def act(label: str, key: str, **said: Any) -> None:
        changed = replace(noise, **said)
        st.button(
            label,
            key=f"understand.cope_{key}",
            disabled=not space.runs or not what_changed(noise, changed, dataset),
            on_click=_change,
            args=(space, dataset, said),
        )

    row = partial(st.container, horizontal=True, vertical_alignment="bottom", gap="xsmall")
    with row(gap="medium"):
        with row(width="content"):
            n = st.number_input("Noise columns", 0, MOST_NOISE_COLUMNS, value=5, key=_COLUMNS, width=120, **IN_SESSION)
            more = n >= noise.noise_columns
            act("Add noise" if more else "Take noise away", "add", noise_columns=int(n))
        with row(width="content"):
            listed = range(min(dataset.n_features, MOST_COLUMNS_LISTED))
            name = partial(column_name, dataset)
            column = st.selectbox("Column", listed, format_func=name, key=_COLUMN, width=150, **IN_SESSION)
            factor = st.number_input("Times", -1e6, 1e6, value=10.0, format="%g", key=_FACTOR, width=80, **IN_SESSION)
            act("Rescale", "rescale", rescaled_column=column, factor=float(factor))
        with row(width="content"):
            flipped = st.number_input("Flipped (%)", 0, 100, value=20, step=5, key=_FLIPPED, width=120, **IN_SESSION)
            act("Flip labels", "flip", flipped_share=flipped / 100)
            st.button(
                "Undo",
                key="understand.cope_undo",
                disabled=done is None,
                on_click=_undo,
                args=(space, dataset),
                help="The data and the A of before the last change; again, those of before the one before it.",
            )
    if _FAILED in st.session_state:
        show_error(st.session_state.pop(_FAILED))
    elif done is None or done.reached_back:
        st.caption(_NOT_YET if not space.runs else _READY if done is None else _TAKEN_BACK)
    else:
        # Drawn again while it goes on; the stage tells the page when it has ended.
        draw = partial(_said, space, comparison, dataset, done)
        st.fragment(draw, run_every=_POLL if _goes_on(space) else None)()


def cope(space: Workspace, comparison: Comparison) -> None:
    """The numbers of every panel before, at once and now, once the trainings rest."""
    done = _done(space)
    if done is not None and not done.reached_back and not _goes_on(space):
        _listed(space, comparison, done)


def _goes_on(space: Workspace) -> bool:
    return any(held.run.state in ("running", "waiting") for held in space.runs.values())


def _said(space: Workspace, comparison: Comparison, dataset: Dataset, done: _Disturbed) -> None:
    if _done(space) is not done:  # other trainings began since the page was drawn
        return
    first, now = _since(space, comparison, done)
    lines = [what_changed(done.before, done.noise, dataset)]
    for key, start in done.starts.items():
        if key in now:
            run = space.runs[key].run
            there = run.trajectory.snapshots[0].transformation
            kept = start is not None and start.shape == there.shape and np.allclose(start, there, rtol=1e-9, atol=0)
            lines.append(coped(done.numbers[key], first[key], now[key], run.state == "ended", kept))
    lines.append(compared_weights(done.noise, dataset, now))
    st.markdown(as_text(" ".join(line for line in lines if line)))


def _listed(space: Workspace, comparison: Comparison, done: _Disturbed) -> None:
    table = coping_table(done.numbers, *_since(space, comparison, done))
    formats = {name: st.column_config.NumberColumn(format=shown) for name, shown in COLUMN_FORMATS.items()}
    st.dataframe(table, hide_index=True, key="understand.coping", column_config=formats, placeholder="")
    st.caption("Held-out rows are told by the labels that they came with; f/n and K̂ are of the training rows.")


def _since(space: Workspace, comparison: Comparison, done: _Disturbed) -> tuple[dict[str, Numbers], dict[str, Numbers]]:
    """The numbers by panel right after the change, and now."""
    first: dict[str, Numbers] = {}
    now: dict[str, Numbers] = {}
    for panel in comparison.panels:
        if panel.key in done.runs:
            snapshots = space.runs[panel.key].run.trajectory.snapshots
            if snapshots:
                first[panel.key] = _numbers(space, comparison, panel.key, snapshots[0], "at once")
                now[panel.key] = _numbers(space, comparison, panel.key, snapshots[-1], "now")
        elif not panel.problem and not panel.trains:
            first[panel.key] = now[panel.key] = _numbers(space, comparison, panel.key, None, "now")
    return first, now


def _numbers(space: Workspace, comparison: Comparison, key: str, at: Snapshot | None, when: str) -> Numbers:
    make = partial(_asked, comparison, key, at)
    return space.belongings.remembered(f"coping {key} {when}", (id(comparison), id(at)), make)[2]


def _asked(comparison: Comparison, key: str, at: Snapshot | None) -> tuple[Comparison, Snapshot | None, Numbers]:
    """The answer, beside what was asked, whose ids nothing else can take meanwhile."""
    return comparison, at, numbers_of(comparison, key, at)


def _trained(space: Workspace) -> dict[str, Snapshot]:
    found = {key: trainings.latest(space, key) for key in space.runs}
    return {key: at for key, at in found.items() if at is not None}


def _done(space: Workspace) -> _Disturbed | None:
    """What was done last, while the trainings are those that went on from it."""
    done: _Disturbed | None = st.session_state.get(_DONE)
    if done is None or done.noise != space.belongings.recipe.noise:
        return None
    return done if {key: held.number for key, held in space.runs.items()} == done.runs else None


def _change(space: Workspace, dataset: Dataset, said: Mapping[str, Any]) -> None:
    comparison = space.belongings.comparison  # as it is by now: two may be pressed in quick succession
    if comparison is None:
        return
    before, earlier = space.belongings.recipe.noise, _done(space)
    noise = replace(before, **said)
    if noise == before:  # pressed twice
        return
    for held in space.runs.values():
        held.run.wait_for(1, _PATIENCE)  # for somebody quicker than the first iteration
    at = _trained(space)
    if len(at) < len(space.runs):
        st.session_state[_FAILED] = DataError("The training waits for its turn: change the data once it has begun.")
        return
    shown = [panel.key for panel in comparison.panels if not panel.problem and (panel.key in at or not panel.trains)]
    numbers = {key: numbers_of(comparison, key, at.get(key)) for key in shown}
    try:
        starts = trainings.go_on_with(space, dataset, noise)
    except (DataError, ValueError) as error:
        st.session_state[_FAILED] = error
        return
    places = {key: snapshot.transformation for key, snapshot in at.items()}
    runs = {key: held.number for key, held in space.runs.items()}
    st.session_state[_DONE] = _Disturbed(noise, before, places, starts, numbers, runs, earlier)


def _undo(space: Workspace, dataset: Dataset) -> None:
    done = _done(space)
    if done is None:
        return
    trainings.go_on_with(space, dataset, done.before, done.places)
    st.session_state.pop(_DONE, None)
    if done.earlier is not None:
        runs = {key: held.number for key, held in space.runs.items()}
        st.session_state[_DONE] = replace(done.earlier, runs=runs, reached_back=True)
