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
from pages.controls.long_work import watched
from pages.controls.messages import attempt, show_failure
from pages.controls.settings import MOST_COLUMNS_LISTED, column_name
from pages.server import trainings
from pages.server.jobs import Job
from pages.server.workspace import Workspace
from pages.views.tables import COLUMN_FORMATS, coping_table
from stage.plain_text import as_text
from study.compare import Comparison
from study.coping import NoiseResponse, compared_weights, coping_sentence, noise_response, retrained, what_changed

_LAST, _FAILED = "understand.perturbation", "understand.perturbation_failed"
_RETRAINED = "retrained"
_POLL, _PATIENCE = 0.5, 2.0  # seconds
_EXPLAINED = (
    "Trainings continue from their current A on the changed data; PCA, LDA and other direct solutions are computed "
    "again. New features start with weight zero, so nothing moves at first. A rescaled feature keeps its weight in "
    "its own units, so the picture stretches along it. The held-out rows stay the same. Only labels of training "
    "rows are flipped, so held-out rows test by their original labels."
)
_Numbers = dict[str, NoiseResponse]  # by panel


@dataclass(frozen=True)
class _Perturbation:
    noise: NoiseConfig
    before: NoiseConfig
    places: trainings.Starts  # A of each panel before the change
    starts: trainings.Starts  # what the trainings continued from
    numbers: _Numbers  # before the change
    runs: Mapping[str, int]  # the numbers of the runs that continue from it
    earlier: _Perturbation | None  # the change before it, for Undo
    restored: bool = False  # a later change was undone: the numbers are not those of these trainings


def perturbation_controls(space: Workspace, comparison: Comparison) -> None:
    st.markdown("**Does it cope with noise?**", help=_EXPLAINED)
    dataset, noise, done = comparison.dataset, space.document.recipe.noise, _last(space)

    def number(label: str, key: str, low: float, high: float, value: float, **look: Any) -> Any:
        key = f"understand.cope_{key}"
        return st.number_input(label, low, high, value, key=key, persist_state="session", **look)

    def act(label: str, key: str, **fields: Any) -> None:
        idle = not space.runs or not what_changed(noise, replace(noise, **fields), dataset)
        change = partial(attempt, _FAILED, _change, space, dataset, fields)
        st.button(label, key=f"understand.cope_{key}", disabled=idle, on_click=change)

    row = partial(st.container, horizontal=True, vertical_alignment="bottom", gap="xsmall")
    with row(gap="medium"):
        with row(width="content"):
            n = number("Noise columns", "columns", 0, MOST_NOISE_COLUMNS, 5, width=120)
            act("Add noise" if n >= noise.noise_columns else "Take noise away", "add", noise_columns=n)
        with row(width="content"):
            listed = range(min(dataset.n_features, MOST_COLUMNS_LISTED))
            look: Any = {"key": "understand.cope_column", "persist_state": "session", "width": 150}
            column = st.selectbox("Column", listed, format_func=partial(column_name, dataset), **look)
            factor = number("Times", "factor", -1e6, 1e6, 10.0, format="%g", width=80)
            act("Rescale", "rescale", rescaled_column=column, factor=factor)
        with row(width="content"):
            flipped = number("Flipped (%)", "flipped", 0, 100, 20, step=5, width=120)
            act("Flip labels", "flip", flipped_share=flipped / 100)
            about = "Restores the data and A before the last change; press again for the change before it."
            undo = partial(_undo, space, dataset)
            st.button("Undo", key="understand.cope_undo", disabled=done is None, on_click=undo, help=about)
    if _FAILED in st.session_state:
        show_failure(_FAILED)
    elif done is None or done.restored:
        undone = "The last change is undone; the training continues from the A before it."
        ready = "Change the data: the training continues from its current A." if done is None else undone
        st.caption(ready if space.runs else "Press Train first, then change the data while it trains.")
    else:
        job = _retraining(space, comparison, done)
        draw = partial(_response, space, comparison, done, job)
        if job is None:
            st.fragment(draw, run_every=_POLL if _trains(space) else None)()
        else:
            far = lambda found: (len(found or ()), len(done.starts), "")  # noqa: E731
            watched(job, draw, "Training anew", "understand.retrained", far)


def perturbation_numbers(space: Workspace, comparison: Comparison) -> None:
    """The numbers of every panel before, at once and now, once the trainings have stopped."""
    done = _last(space)
    if done is not None and not done.restored and not _trains(space):
        job = _retraining(space, comparison, done)
        anew = (job.result or {}) if job is not None else {}
        table = coping_table(done.numbers, *_since(space, comparison, done), anew)
        formats = {name: st.column_config.NumberColumn(format=shown) for name, shown in COLUMN_FORMATS.items()}
        st.dataframe(table, hide_index=True, key="understand.coping", column_config=formats, placeholder="")
        st.caption("f/n and K̂ are of the training rows.")


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


def _response(space: Workspace, comparison: Comparison, done: _Perturbation, job: Job | None) -> None:
    if _last(space) is not done:  # other trainings have started
        return
    retrained_to: _Numbers = (job.result or {}) if job is not None else {}
    first, now = _since(space, comparison, done)
    lines = [what_changed(done.before, done.noise, comparison.dataset)]
    for key, start in done.starts.items():
        if key in now:
            there = space.history(key)[0].transformation
            kept = start is not None and start.shape == there.shape and np.allclose(start, there, rtol=1e-9, atol=0)
            numbers = done.numbers[key], first[key], now[key]
            lines.append(coping_sentence(*numbers, space.runs[key].run.state == "ended", kept, retrained_to.get(key)))
    lines.append(compared_weights(done.noise, comparison.dataset, now))
    st.markdown(as_text(" ".join(line for line in lines if line)))


def _since(space: Workspace, comparison: Comparison, done: _Perturbation) -> tuple[_Numbers, _Numbers]:
    """The numbers of each panel right after the change, and now."""

    def numbers(key: str, at: Snapshot | None, when: str) -> NoiseResponse:
        make = partial(noise_response, comparison, key, at)
        return space.document.cached(f"noise response {key} {when}", make, comparison, at)

    first: _Numbers = {}
    now: _Numbers = {}
    for panel in comparison.panels:
        key = panel.key
        if key in done.runs:
            if snapshots := space.history(key):
                first[key], now[key] = numbers(key, snapshots[0], "at once"), numbers(key, snapshots[-1], "now")
        elif not panel.problem and not panel.trains:
            first[key] = now[key] = numbers(key, None, "now")
    return first, now


def _last(space: Workspace) -> _Perturbation | None:
    """The last change, while the trainings that continued from it are the current ones."""
    done: _Perturbation | None = st.session_state.get(_LAST)
    current = done is not None and done.noise == space.document.recipe.noise and done.runs == space.run_numbers
    return done if current else None


def _change(space: Workspace, dataset: Dataset, fields: Mapping[str, Any]) -> None:
    comparison = space.document.comparison  # read here: two buttons may be pressed before a rerun
    before, earlier = space.document.recipe.noise, _last(space)
    noise = replace(before, **fields)
    if comparison is None or noise == before:  # pressed twice
        return
    for held in space.runs.values():
        held.run.wait_for(1, _PATIENCE)
    at = {key: snapshot for key in space.runs if (snapshot := space.latest(key)) is not None}
    if len(at) < len(space.runs):
        raise DataError("The training has not started yet: change the data once it runs.")
    shown = [panel.key for panel in comparison.panels if not panel.problem and (panel.key in at or not panel.trains)]
    numbers = {key: noise_response(comparison, key, at.get(key)) for key in shown}
    starts = trainings.continue_with(space, dataset, noise)
    places, runs = {key: snapshot.transformation for key, snapshot in at.items()}, space.run_numbers
    st.session_state[_LAST] = _Perturbation(noise, before, places, starts, numbers, runs, earlier)


def _undo(space: Workspace, dataset: Dataset) -> None:
    if (done := _last(space)) is not None:
        trainings.continue_with(space, dataset, done.before, done.places)
        before = done.earlier
        if before is not None:
            before = replace(before, runs=space.run_numbers, restored=True)
        st.session_state[_LAST] = before
