"""The questions of Understand: K, the metric, other optima, an A moved by hand, and noise added while it trains."""

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
from nca_core.training.gate import GATE
from pages.controls.long_work import POLL, start_button, watched
from pages.controls.point import trained_moment
from pages.controls.recipe_widgets import chart, in_address, is_dark, kept_number, select_key
from pages.controls.results import weights_of_a
from pages.controls.settings import MOST_COLUMNS_LISTED, column_name
from pages.controls.shell import attempt, show_failure
from pages.server import trainings
from pages.server.jobs import Job
from pages.server.session import ASK
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from pages.views import figures
from pages.views.tables import COLUMN_FORMATS, coping_table
from stage.plain_text import as_text
from stage.streamlit_host import StageState
from study import coping
from study.compare import Comparison
from study.learnt import k_curve, metric_history
from study.optima import AS_GOOD, Optima, line_between, many_starts, plane_through
from study.panel_changes import without_names

QUESTIONS = {
    "point": "Why is this point here?",
    "metric": "What is the metric?",
    "k": "Where does K come from?",
    "optima": "Is this the only answer?",
    "grab": "Does it come back?",
    "cope": "Does it cope with noise?",
}
_K_EXPLAINED = (
    "Each row picks its neighbours with probabilities p_ij. The exponential of their entropy is the row's own K: "
    "how many rows influence it. K̂ averages the entropies (a geometric mean) or the rows' own K."
)
# Of a training that continued from an A moved by hand: its panel, the run's number and the snapshot before.
_MOVED = "understand.moved"
_TAKEN = "understand.taken"
_JOB = "optima"
_SHOWN, _PRESSED = "understand.optimum_shown", "understand.optimum_pressed"
_LAST, _FAILED = "understand.perturbation", "understand.perturbation_failed"
_RETRAINED = "retrained"
_PATIENCE = 2.0  # seconds


def choose_question() -> str:
    pills = partial(st.pills, required=True, label_visibility="collapsed")
    return in_address(pills, "Question", QUESTIONS, ASK, "understand.ask")


def where_k_comes_from(space: Workspace, comparison: Comparison) -> None:
    st.markdown("**Where does K come from, and is the estimate good here?**", help=_K_EXPLAINED)
    moment = trained_moment(space, comparison, "k")
    if moment is None:
        return
    key, snapshot = moment
    with st.spinner("Testing every K …"):
        measure = partial(k_curve, comparison, key, snapshot)
        found = space.document.cached(f"k curve {key}", measure, comparison, snapshot)
    st.markdown(as_text(found.sentence))
    left, right = st.columns(2)
    with left:
        chart(figures.local_k_figure(found, is_dark()), "understand.local_k")
    with right:
        chart(figures.k_accuracy_figure(found, is_dark()), "understand.k_accuracy")


def metric(space: Workspace, comparison: Comparison) -> None:
    panels = [panel for panel in comparison.panels if panel.trains and panel.recipe.method.linear]
    trained = [panel for panel in panels if space.latest(panel.key) is not None]
    st.markdown("**How does A grow?**")
    if not trained:
        st.caption("Press Train or Step to see the singular values of A over the iterations.")
    for panel in trained:
        history = metric_history(panel.recipe.shown_title, space.runs[panel.key].run.trajectory)
        st.markdown(as_text(history.sentence))
        chart(figures.metric_figure(history, is_dark()), f"understand.grown.{panel.key}")
    st.markdown("**Which features matter?**")
    weights_of_a(comparison, *trainings.first_shown(space))


def grab(space: Workspace, comparison: Comparison, stage: StageState) -> None:
    """Continue the training from the A that was moved on the stage, and report whether it returned."""
    dataset = comparison.dataset
    # Each move is taken once, also if the page reruns before the stage has cleared it.
    if stage.grabbed != st.session_state.get(_TAKEN):
        st.session_state[_TAKEN] = stage.grabbed
        key, values = stage.grabbed or ("", ())
        before = space.latest(key)
        start = None if before is None else comparison.panel(key).transformation
        if before is not None and start is not None and start.size == len(values):
            trainings.train(space, dataset, key, np.reshape(values, start.shape))
            st.session_state[_MOVED] = key, space.runs[key].number, before
            st.rerun()  # the stage needs the new run
    key, number, before = st.session_state.get(_MOVED, ("", 0, None))
    held = space.runs.get(key)
    if held is None or held.number != number or before is None:
        first = "Move" if space.runs else "Train first, then move"
        st.caption(f"{first} an arrow or a class; the training continues from there. Does it come back?")
        return
    if snapshots := held.run.trajectory.snapshots:
        panel, ended = comparison.panel(key), held.run.state == "ended"
        rows = panel.X[comparison.prepared.train]
        said = coping.recovery(panel.recipe.shown_title, before, snapshots[0], snapshots[-1], ended, rows)
        st.markdown(as_text(said))

    def undo() -> None:
        trainings.train(space, dataset, key, before.transformation)
        st.session_state.pop(_MOVED, None)

    about = "Trains again from the A before your move."
    st.button("Restore the previous view", key="understand.grab_undo", on_click=undo, help=about)


# -- other optima


def many_optima(space: Workspace, comparison: Comparison) -> None:
    st.markdown("**Is this the only answer?**")
    titles = {p.key: p.recipe.shown_title for p in comparison.panels if p.trains and p.recipe.gives_frames}
    if not titles:
        st.caption("No panel here learns a matrix from a start: add NCA.")
        return
    searched = space.document.jobs.panel(_JOB)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = select_key("Panel", titles, "understand.optima_of", searched if searched in titles else None)
        about = "PCA, LDA, whitening and others at three sizes first, then random ones, each with a seed of its own."
        n = kept_number("Starts", 2, 256, 64, "understand.n_starts", step=16, width=140, help=about)
        of = without_names(comparison.recipe), key
        work = partial(many_starts, comparison, key, n, spread=WORKERS.spread)
        job = start_button("Try them all", "understand.try", space, _JOB, of, work)
    watched(job, partial(_reached, space, comparison, key, job), "Starts", "understand.optima")


def _reached(space: Workspace, comparison: Comparison, key: str, job: Job | None) -> None:
    if st.session_state.pop(_PRESSED, False):
        st.rerun(scope="app")  # the stage is outside this fragment
    if job is None:
        st.caption("NCA climbs to a nearby maximum. Try other starts to see whether one reaches a better maximum.")
        return
    if job.result is None:
        return
    found: Optima = job.result
    st.markdown(as_text(" ".join(filter(None, (found.sentence, found.worth, found.unfinished)))))

    def pressed(name: str) -> None:
        if points := st.session_state[name].selection.points:
            number = int(np.ravel(points[0]["customdata"])[0])
            trainings.train(space, comparison.dataset, key, found.reached[number].initial)
            st.session_state[_SHOWN] = job, number
            st.session_state[_PRESSED] = True

    over = job.state != "running"
    drawn = {"understand.optima_bars": figures.optima_bars, "understand.optima_map": figures.optima_map}
    for place, (name, figure) in zip(st.columns(2), drawn.items(), strict=True):
        press = partial(pressed, name) if over else "ignore"
        with place:
            chart(figure(found, is_dark()), name, on_select=press, selection_mode="points")
    shown_job, number = st.session_state.get(_SHOWN, (None, 0))
    if shown_job is job and key in space.runs:
        one = found.reached[number]
        start = f"{found.title} from start {number + 1} ({figures.start_words(one)}), f/n = {one.mean_p:.3f}"
        caption = f"On the stage: {start}. Train returns to the start in the settings."
    else:
        caption = (
            f"Start {found.best + 1} is {figures.start_words(found.reached[found.best])}. Press a bar or a mark to "
            "train from that start. Starts of one colour reach the same optimum: between them f/n falls by at most "
            f"{AS_GOOD}. A grey start shares its optimum with no other."
        )
    st.caption(as_text(caption))
    if over:
        _between(space, comparison, key, found)


def _between(space: Workspace, comparison: Comparison, key: str, found: Optima) -> None:
    """f on the line through two optima, and on the plane through three; each by its best start."""
    best = found.best_of_groups
    if len(best) < 2:
        return
    st.markdown("**What lies between the answers?**")
    titles = {number: f"start {number + 1} (f/n {found.reached[number].mean_p:.3f})" for number in best}
    look: Any = {"format_func": lambda number: titles.get(number, str(number)), "key": "understand.between"}
    chosen = st.multiselect("Answers, two or three", best, default=best[:3], max_selections=3, **look)
    chosen = [number for number in chosen if number in titles]
    if len(chosen) < 2:
        st.caption("Choose two for the line between them, or three for the plane through them.")
        return
    names = tuple(f"start {number + 1}" for number in chosen)
    of = found, key, tuple(chosen)
    A, B, *rest = (found.reached[number].transformation for number in chosen)
    left, right = st.columns(2)
    with st.spinner("Computing f between them …"):
        make = partial(line_between, comparison, key, A, B, slot=GATE.step)
        line = space.document.cached("line between", make, *of)
        if rest:
            make_plane = partial(plane_through, comparison, key, A, B, rest[0], slot=GATE.step)
            t, mean_p = space.document.cached("plane through", make_plane, *of)
    with left:
        st.markdown(as_text(line.sentence))
        chart(figures.line_figure(line, names[:2], is_dark()), "understand.line")
    if rest:
        with right:
            chart(figures.plane_figure(t, mean_p, names), "understand.plane")


# -- noise

_EXPLAINED = (
    "Trainings continue from their current A on the changed data; PCA, LDA and other direct solutions are computed "
    "again. New features start with weight zero, so nothing moves at first. A rescaled feature keeps its weight in "
    "its own units, so the picture stretches along it. The held-out rows stay the same. Only labels of training "
    "rows are flipped, so held-out rows test by their original labels."
)
_Numbers = dict[str, coping.NoiseResponse]  # by panel


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

    def act(label: str, key: str, **fields: Any) -> None:
        idle = not space.runs or not coping.what_changed(noise, replace(noise, **fields), dataset)
        change = partial(attempt, _FAILED, _change, space, dataset, fields)
        st.button(label, key=f"understand.cope_{key}", disabled=idle, on_click=change)

    def undo() -> None:
        if (last := _last(space)) is not None:
            trainings.continue_with(space, dataset, last.before, last.places)
            st.session_state[_LAST] = last.earlier and replace(last.earlier, runs=space.run_numbers, restored=True)

    row = partial(st.container, horizontal=True, vertical_alignment="bottom", gap="xsmall")
    with row(gap="medium"):
        with row(width="content"):
            n = kept_number("Noise columns", 0, MOST_NOISE_COLUMNS, 5, "understand.cope_columns", width=120)
            act("Add noise" if n >= noise.noise_columns else "Take noise away", "add", noise_columns=n)
        with row(width="content"):
            listed = range(min(dataset.n_features, MOST_COLUMNS_LISTED))
            look: Any = {"key": "understand.cope_column", "persist_state": "session", "width": 150}
            column = st.selectbox("Column", listed, format_func=partial(column_name, dataset), **look)
            look = {"key": "understand.cope_factor", "persist_state": "session", "width": 80}
            factor = st.number_input("Times", -1e6, 1e6, 10.0, format="%g", **look)
            act("Rescale", "rescale", rescaled_column=column, factor=factor)
        with row(width="content"):
            flipped = kept_number("Flipped (%)", 0, 100, 20, "understand.cope_flipped", step=5, width=120)
            act("Flip labels", "flip", flipped_share=flipped / 100)
            about = "Restores the data and A before the last change; press again for the change before it."
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
            st.fragment(draw, run_every=POLL if _trains(space) else None)()
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
        jobs.start(_RETRAINED, of, partial(coping.retrained, comparison, tuple(done.starts)))
        job = jobs.find(_RETRAINED, of)
    return job


def _response(space: Workspace, comparison: Comparison, done: _Perturbation, job: Job | None) -> None:
    if _last(space) is not done:  # other trainings have started
        return
    retrained_to: _Numbers = (job.result or {}) if job is not None else {}
    first, now = _since(space, comparison, done)
    lines = [coping.what_changed(done.before, done.noise, comparison.dataset)]
    for key, start in done.starts.items():
        if key in now:
            there = space.history(key)[0].transformation
            kept = start is not None and start.shape == there.shape and np.allclose(start, there, rtol=1e-9, atol=0)
            numbers, ended = (done.numbers[key], first[key], now[key]), space.runs[key].run.state == "ended"
            lines.append(coping.coping_sentence(*numbers, ended, kept, retrained_to.get(key)))
    lines.append(coping.compared_weights(done.noise, comparison.dataset, now))
    st.markdown(as_text(" ".join(line for line in lines if line)))


def _since(space: Workspace, comparison: Comparison, done: _Perturbation) -> tuple[_Numbers, _Numbers]:
    """The numbers of each panel right after the change, and now."""

    def numbers(key: str, at: Snapshot | None, when: str) -> coping.NoiseResponse:
        make = partial(coping.noise_response, comparison, key, at)
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
    numbers = {key: coping.noise_response(comparison, key, at.get(key)) for key in shown}
    starts = trainings.continue_with(space, dataset, noise)
    places, runs = {key: snapshot.transformation for key, snapshot in at.items()}, space.run_numbers
    st.session_state[_LAST] = _Perturbation(noise, before, places, starts, numbers, runs, earlier)
