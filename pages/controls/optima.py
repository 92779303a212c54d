"""Is this the only answer? Many starts in the background, the optima they reach, and f between them."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from datasets.base.dataset import Dataset
from nca_core.training.gate import GATE
from pages.controls.long_work import progress, start_button, watched
from pages.controls.recipe_widgets import select_key
from pages.controls.results import figure_config
from pages.server import trainings
from pages.server.jobs import Job
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from stage.plain_text import as_text
from study.compare import Comparison
from study.landscape import AS_GOOD, line_between, plane_through
from study.optima import Optima, many_starts
from study.panel_changes import unnamed

_JOB = "optima"
_OF = "understand.optima_of"
_SHOWN, _PRESSED = "understand.optimum_shown", "understand.optimum_pressed"
_BARS, _MAP = "understand.optima_bars", "understand.optima_map"
MOST_STARTS = 256


def many_optima(space: Workspace, comparison: Comparison, dataset: Dataset) -> None:
    """The panel, the number of starts, and the optima reached."""
    st.markdown("**Is this the only answer?**")
    titles = {p.key: p.recipe.shown_title for p in comparison.panels if p.trains and p.recipe.gives_frames}
    if not titles:
        st.caption("No panel here learns a matrix from a start: add NCA.")
        return
    searched = space.document.jobs.panel(_JOB)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = select_key("Panel", titles, _OF, searched if searched in titles else None)
        n = st.number_input(
            "Starts",
            2,
            MOST_STARTS,
            value=64,
            step=16,
            key="understand.n_starts",
            persist_state="session",
            width=140,
            help="PCA, LDA, whitening and others at three sizes first, then random ones, each with a seed of its own.",
        )
        of = unnamed(comparison.recipe), key
        work = partial(many_starts, comparison, key, int(n), spread=WORKERS.spread)
        job = start_button("Try them all", "understand.try", space, _JOB, of, work)
    watched(partial(_reached, space, comparison, dataset, key, job), job)


def _reached(
    space: Workspace, comparison: Comparison, dataset: Dataset, key: str, job: Job | None, was_running: bool
) -> None:
    if st.session_state.pop(_PRESSED, False):
        st.rerun(scope="app")  # the stage is outside this fragment
    if job is None:
        st.caption("NCA climbs to a nearby maximum. Try other starts to see whether one reaches a better maximum.")
        return
    found: Optima | None = job.result
    done, wanted = (0, 0) if found is None else (found.done, found.wanted)
    progress(job, was_running, done, wanted, "Starts", "understand.optima")
    if found is None:
        return
    st.markdown(as_text(" ".join(filter(None, (found.sentence, found.worth, found.unfinished)))))
    # Plotly takes long to import.
    from pages.views.figures import optima_bars, optima_map, start_words

    def pressed(chart: str) -> None:
        points = st.session_state[chart].selection.points
        if points:
            number = int(np.ravel(points[0]["customdata"])[0])
            trainings.train(space, dataset, key, found.reached[number].initial)
            st.session_state[_SHOWN] = job, number
            st.session_state[_PRESSED] = True

    config = figure_config("optima")
    left, right = st.columns(2)
    dark = st.context.theme.type == "dark"
    for place, name, figure in ((left, _BARS, optima_bars(found, dark)), (right, _MAP, optima_map(found, dark))):
        place.plotly_chart(
            figure,
            key=name,
            on_select=partial(pressed, name) if job.state != "running" else "ignore",
            selection_mode="points",
            config=config,
        )
    shown = st.session_state.get(_SHOWN)
    if shown is not None and shown[0] is job and key in space.runs:
        one = found.reached[shown[1]]
        caption = (
            f"On the stage: {found.title} from start {shown[1] + 1} ({start_words(one)}), f/n = {one.mean_p:.3f}. "
            "Train returns to the start in the settings."
        )
    else:
        caption = (
            f"Start {found.best + 1} is {start_words(found.reached[found.best])}. Press a bar or a mark to train from "
            f"that start. Starts of one colour reach the same optimum: between them f/n falls by at most {AS_GOOD}. "
            "A grey start shares its optimum with no other."
        )
    st.caption(as_text(caption))
    if job.state != "running":
        _between(space, comparison, key, found)


def _between(space: Workspace, comparison: Comparison, key: str, found: Optima) -> None:
    """f on the line through two optima, and on the plane through three; each by its best start."""
    best = found.best_of_groups
    if len(best) < 2:
        return
    st.markdown("**What lies between the answers?**")
    titles = {number: f"start {number + 1} (f/n {found.reached[number].mean_p:.3f})" for number in best}
    chosen = st.multiselect(
        "Answers, two or three",
        best,
        default=best[: min(3, len(best))],
        format_func=lambda number: titles.get(number, str(number)),
        max_selections=3,
        key="understand.between",
    )
    chosen = [number for number in chosen if number in titles]
    if len(chosen) < 2:
        st.caption("Choose two for the line between them, or three for the plane through them.")
        return
    from pages.views.figures import line_figure, plane_figure

    A, B, *rest = (found.reached[number].transformation for number in chosen)
    names = tuple(f"start {number + 1}" for number in chosen)
    numbers = tuple(chosen)
    with st.spinner("Computing f along the line …"):
        make_line = partial(line_between, comparison, key, A, B, slot=GATE.step)
        line = space.document.cached("line between", make_line, found, key, numbers)
    st.markdown(as_text(line.sentence))
    left, right = st.columns(2)
    config = figure_config("optima")
    figure = line_figure(line, names[:2], st.context.theme.type == "dark")
    left.plotly_chart(figure, key="understand.line", config=config)
    if rest:
        with st.spinner("Computing f on the plane …"):
            make_plane = partial(plane_through, comparison, key, A, B, rest[0], slot=GATE.step)
            t, mean_p = space.document.cached("plane through", make_plane, found, key, numbers)
        right.plotly_chart(plane_figure(t, mean_p, names), key="understand.plane", config=config)
