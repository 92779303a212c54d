"""Does it cope with noise? Change the data while the trainings continue from their current A; undo."""

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
from pages.controls.data_choice import MOST_COLUMNS_LISTED, column_name
from pages.controls.long_work import progress, watched
from pages.controls.messages import show_error
from pages.server import trainings
from pages.server.jobs import Job
from pages.server.workspace import Workspace
from pages.views.tables import COLUMN_FORMATS, coping_table
from stage.plain_text import as_text
from study.compare import Comparison
from study.coping import (
    NoiseResponse,
    compared_weights,
    coping_sentence,
    noise_response,
    retrained,
    what_changed,
)

_LAST, _FAILED = "understand.perturbation", "understand.perturbation_failed"
_COLUMNS, _COLUMN, _FACTOR, _FLIPPED = (
    f"understand.cope_{name}" for name in ("columns", "column", "factor", "flipped")
)
_KEPT: dict[str, Any] = {"persist_state": "session"}
_RETRAINED = "retrained"
_POLL, _PATIENCE = 0.5, 2.0  # seconds
_NOT_YET = "Press Train first, then change the data while it trains."
_READY = "Change the data: the training continues from its current A."
_UNDONE = "The last change is undone; the training continues from the A before it."
_EXPLAINED = (
    "Trainings continue from their current A on the changed data; PCA, LDA and other direct solutions are computed "
    "again. New features start with weight zero, so nothing moves at first. A rescaled feature keeps its weight in "
    "its own units, so the picture stretches along it. The held-out rows stay the same and keep their original labels."
)


@dataclass(frozen=True)
class _Perturbation:
    """A change of the data during training.

    Attributes
    ----------
    noise, before : NoiseConfig
        After and before the change.
    places, starts : mapping of panel to A
        Before the change, and what the trainings continued from.
    numbers : mapping of panel to NoiseResponse
        Before the change.
    runs : mapping of panel to int
        The numbers of the runs that continue from it.
    earlier : _Perturbation or None
        The change before it, for Undo.
    restored : bool
        A later change was undone: the numbers are not those of these trainings.
    """

    noise: NoiseConfig
    before: NoiseConfig
    places: trainings.Starts
    starts: trainings.Starts
    numbers: Mapping[str, NoiseResponse]
    runs: Mapping[str, int]
    earlier: _Perturbation | None = None
    restored: bool = False


def perturbation_controls(space: Workspace, comparison: Comparison, dataset: Dataset) -> None:
    """Three changes of the data, Undo, and how the trainings respond."""
    st.markdown("**Does it cope with noise?**", help=_EXPLAINED)
    noise, done = space.document.recipe.noise, _last(space)

    def act(label: str, key: str, **fields: Any) -> None:
        changed = replace(noise, **fields)
        st.button(
            label,
            key=f"understand.cope_{key}",
            disabled=not space.runs or not what_changed(noise, changed, dataset),
            on_click=_change,
            args=(space, dataset, fields),
        )

    row = partial(st.container, horizontal=True, vertical_alignment="bottom", gap="xsmall")
    with row(gap="medium"):
        with row(width="content"):
            n = st.number_input("Noise columns", 0, MOST_NOISE_COLUMNS, value=5, key=_COLUMNS, width=120, **_KEPT)
            more = n >= noise.noise_columns
            act("Add noise" if more else "Take noise away", "add", noise_columns=int(n))
        with row(width="content"):
            listed = range(min(dataset.n_features, MOST_COLUMNS_LISTED))
            name = partial(column_name, dataset)
            column = st.selectbox("Column", listed, format_func=name, key=_COLUMN, width=150, **_KEPT)
            factor = st.number_input("Times", -1e6, 1e6, value=10.0, format="%g", key=_FACTOR, width=80, **_KEPT)
            act("Rescale", "rescale", rescaled_column=column, factor=float(factor))
        with row(width="content"):
            flipped = st.number_input("Flipped (%)", 0, 100, value=20, step=5, key=_FLIPPED, width=120, **_KEPT)
            act("Flip labels", "flip", flipped_share=flipped / 100)
            st.button(
                "Undo",
                key="understand.cope_undo",
                disabled=done is None,
                on_click=_undo,
                args=(space, dataset),
                help="Restores the data and A before the last change; press again for the change before it.",
            )
    if _FAILED in st.session_state:
        show_error(st.session_state.pop(_FAILED))
    elif done is None or done.restored:
        st.caption(_NOT_YET if not space.runs else _READY if done is None else _UNDONE)
    else:
        job = _retraining(space, comparison, done)
        draw = partial(_response, space, comparison, dataset, done, job)
        watched(draw, job) if job is not None else st.fragment(draw, run_every=_POLL if _trains(space) else None)(False)


def perturbation_numbers(space: Workspace, comparison: Comparison) -> None:
    """The numbers of every panel before, at once and now, once the trainings have stopped."""
    done = _last(space)
    if done is not None and not done.restored and not _trains(space):
        job = _retraining(space, comparison, done)
        anew = (job.result or {}) if job is not None else {}
        table = coping_table(done.numbers, *_since(space, comparison, done), anew)
        formats = {name: st.column_config.NumberColumn(format=shown) for name, shown in COLUMN_FORMATS.items()}
        st.dataframe(table, hide_index=True, key="understand.coping", column_config=formats, placeholder="")
        st.caption("Held-out rows keep their original labels; f/n and K̂ are of the training rows.")


def _trains(space: Workspace) -> bool:
    return any(held.run.state in ("running", "waiting") for held in space.runs.values())


def _retraining(space: Workspace, comparison: Comparison, done: _Perturbation) -> Job | None:
    """The job that trains anew on the changed data, started once the trainings that continue have ended."""
    jobs, of = space.document.jobs, (done.noise, tuple(done.runs.items()))
    job = jobs.find(_RETRAINED, of)
    if job is None and all(held.run.state == "ended" for held in space.runs.values()):
        jobs.start(_RETRAINED, of, partial(retrained, comparison, tuple(done.starts)))
        job = jobs.find(_RETRAINED, of)
    return job


def _response(
    space: Workspace,
    comparison: Comparison,
    dataset: Dataset,
    done: _Perturbation,
    job: Job | None,
    was_running: bool,
) -> None:
    if job is not None:
        found = job.result or {}
        progress(job, was_running, len(found), len(done.starts), "Training anew", "understand.retrained")
    if _last(space) is not done:  # other trainings have started
        return
    first, now = _since(space, comparison, done)
    lines = [what_changed(done.before, done.noise, dataset)]
    for key, start in done.starts.items():
        if key in now:
            run = space.runs[key].run
            there = run.trajectory.snapshots[0].transformation
            kept = start is not None and start.shape == there.shape and np.allclose(start, there, rtol=1e-9, atol=0)
            anew = (job.result or {}).get(key) if job is not None else None
            ended = run.state == "ended"
            lines.append(coping_sentence(done.numbers[key], first[key], now[key], ended, kept, anew))
    lines.append(compared_weights(done.noise, dataset, now))
    st.markdown(as_text(" ".join(line for line in lines if line)))


def _since(
    space: Workspace, comparison: Comparison, done: _Perturbation
) -> tuple[dict[str, NoiseResponse], dict[str, NoiseResponse]]:
    """The numbers of each panel right after the change, and now."""
    first: dict[str, NoiseResponse] = {}
    now: dict[str, NoiseResponse] = {}
    for panel in comparison.panels:
        if panel.key in done.runs:
            snapshots = space.runs[panel.key].run.trajectory.snapshots
            if snapshots:
                first[panel.key] = _numbers(space, comparison, panel.key, snapshots[0], "at once")
                now[panel.key] = _numbers(space, comparison, panel.key, snapshots[-1], "now")
        elif not panel.problem and not panel.trains:
            first[panel.key] = now[panel.key] = _numbers(space, comparison, panel.key, None, "now")
    return first, now


def _numbers(space: Workspace, comparison: Comparison, key: str, at: Snapshot | None, when: str) -> NoiseResponse:
    make = partial(noise_response, comparison, key, at)
    return space.document.cached(f"noise response {key} {when}", make, comparison, at)


def _trained(space: Workspace) -> dict[str, Snapshot]:
    found = {key: space.latest(key) for key in space.runs}
    return {key: at for key, at in found.items() if at is not None}


def _last(space: Workspace) -> _Perturbation | None:
    """The last change, while the trainings that continued from it are the current ones."""
    done: _Perturbation | None = st.session_state.get(_LAST)
    if done is None or done.noise != space.document.recipe.noise:
        return None
    return done if {key: held.number for key, held in space.runs.items()} == done.runs else None


def _change(space: Workspace, dataset: Dataset, fields: Mapping[str, Any]) -> None:
    comparison = space.document.comparison  # read here: two buttons may be pressed before a rerun
    if comparison is None:
        return
    before, earlier = space.document.recipe.noise, _last(space)
    noise = replace(before, **fields)
    if noise == before:  # pressed twice
        return
    for held in space.runs.values():
        held.run.wait_for(1, _PATIENCE)
    at = _trained(space)
    if len(at) < len(space.runs):
        st.session_state[_FAILED] = DataError("The training has not started yet: change the data once it runs.")
        return
    shown = [panel.key for panel in comparison.panels if not panel.problem and (panel.key in at or not panel.trains)]
    numbers = {key: noise_response(comparison, key, at.get(key)) for key in shown}
    try:
        starts = trainings.go_on_with(space, dataset, noise)
    except (DataError, ValueError) as error:
        st.session_state[_FAILED] = error
        return
    places = {key: snapshot.transformation for key, snapshot in at.items()}
    runs = {key: held.number for key, held in space.runs.items()}
    st.session_state[_LAST] = _Perturbation(noise, before, places, starts, numbers, runs, earlier)


def _undo(space: Workspace, dataset: Dataset) -> None:
    done = _last(space)
    if done is None:
        return
    trainings.go_on_with(space, dataset, done.before, done.places)
    st.session_state.pop(_LAST, None)
    if done.earlier is not None:
        runs = {key: held.number for key, held in space.runs.items()}
        st.session_state[_LAST] = replace(done.earlier, runs=runs, restored=True)
