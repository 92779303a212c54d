"""Is this the only answer? Many starts in the background, the optima they reach, and f between them."""

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from nca_core.training.gate import GATE
from pages.controls.long_work import start_button, watched
from pages.controls.recipe_widgets import chart, is_dark, kept_number, select_key
from pages.server import trainings
from pages.server.jobs import Job
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from stage.plain_text import as_text
from study.compare import Comparison
from study.optima import AS_GOOD, Optima, line_between, many_starts, plane_through
from study.panel_changes import without_names

_JOB = "optima"
_SHOWN, _PRESSED = "understand.optimum_shown", "understand.optimum_pressed"


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
    # Plotly takes long to import.
    from pages.views.figures import optima_bars, optima_map, start_words

    def pressed(name: str) -> None:
        if points := st.session_state[name].selection.points:
            number = int(np.ravel(points[0]["customdata"])[0])
            trainings.train(space, comparison.dataset, key, found.reached[number].initial)
            st.session_state[_SHOWN] = job, number
            st.session_state[_PRESSED] = True

    over = job.state != "running"
    for place, kind, figure in zip(st.columns(2), ("bars", "map"), (optima_bars, optima_map), strict=True):
        name = f"understand.optima_{kind}"
        press = partial(pressed, name) if over else "ignore"
        with place:
            chart(figure(found, is_dark()), name, on_select=press, selection_mode="points")
    shown_job, number = st.session_state.get(_SHOWN, (None, 0))
    if shown_job is job and key in space.runs:
        one = found.reached[number]
        start = f"{found.title} from start {number + 1} ({start_words(one)}), f/n = {one.mean_p:.3f}"
        caption = f"On the stage: {start}. Train returns to the start in the settings."
    else:
        caption = (
            f"Start {found.best + 1} is {start_words(found.reached[found.best])}. Press a bar or a mark to train from "
            f"that start. Starts of one colour reach the same optimum: between them f/n falls by at most {AS_GOOD}. "
            "A grey start shares its optimum with no other."
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
    from pages.views.figures import line_figure, plane_figure

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
        chart(line_figure(line, names[:2], is_dark()), "understand.line")
    if rest:
        with right:
            chart(plane_figure(t, mean_p, names), "understand.plane")
