"""Is this the only answer? Many starts in the background, what they reach, and what lies between."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from datasets.base.dataset import Dataset
from nca_core.gate import GATE
from pages.controls.base.figure_config import figure_config
from pages.controls.base.long_work import progress, start_button, watched
from pages.controls.base.persistence import IN_SESSION
from pages.server import trainings
from pages.server.job import Job
from pages.server.jobs import panel_asked
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
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
    """Which panel, how many starts, and what came of them."""
    st.markdown("**Is this the only answer?**")
    titles = {p.key: p.recipe.shown_title for p in comparison.panels if p.trains and p.recipe.gives_frames}
    if not titles:
        st.caption("Nothing here learns a matrix from a start: add NCA.")
        return
    if st.session_state.get(_OF) not in titles:
        st.session_state[_OF] = asked if (asked := panel_asked(space, _JOB)) in titles else next(iter(titles))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = st.selectbox("Panel", list(titles), format_func=lambda key: titles.get(key, key), key=_OF, width=240)
        n = st.number_input(
            "Starts",
            2,
            MOST_STARTS,
            value=64,
            step=16,
            key="understand.n_starts",
            **IN_SESSION,
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
        st.rerun(scope="app")  # the stage stands outside this part of the page
    if job is None:
        st.caption("NCA climbs to the nearest top. Whether other starts reach a better one has not been tried yet.")
        return
    found: Optima | None = job.result
    done, wanted = (0, 0) if found is None else (found.done, found.wanted)
    progress(job, was_running, done, wanted, "Starts", "understand.optima")
    if found is None:
        return
    st.markdown(as_text(" ".join(said for said in (found.sentence, found.worth, found.unfinished) if said)))
    # Plotly takes long to import, and nothing needs it before.
    from pages.views.optima_figures import optima_bars, optima_map, start_words

    def pressed(chart: str) -> None:
        points = st.session_state[chart].selection.points
        if points:
            number = int(np.ravel(points[0]["customdata"])[0])
            trainings.train_from(space, dataset, key, found.reached[number].initial)
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
        st.caption(
            as_text(
                f"On the stage: {found.title} from start {shown[1] + 1} ({start_words(one)}), f/n = {one.mean_p:.3f}. "
                "Train goes back to the start of the settings, which the link names."
            )
        )
    else:
        st.caption(
            as_text(
                f"Start {found.best + 1} is {start_words(found.reached[found.best])}. Press a bar or a mark: the stage "
                f"trains from that start. One colour is one answer: on the way between two f/n falls by {AS_GOOD} at "
                "most. Grey stands alone."
            )
        )
    if job.state != "running":
        _between(space, comparison, key, found)


def _between(space: Workspace, comparison: Comparison, key: str, found: Optima) -> None:
    """The line through two answers, or the plane through three: the best start of each."""
    best = found.best_of_groups
    if len(best) < 2:
        return
    st.markdown("**What lies between the answers?**")
    names = {number: f"start {number + 1} (f/n {found.reached[number].mean_p:.3f})" for number in best}
    chosen = st.multiselect(
        "Answers, two or three",
        best,
        default=best[: min(3, len(best))],
        format_func=lambda number: names.get(number, str(number)),
        max_selections=3,
        key="understand.between",
    )
    chosen = [number for number in chosen if number in names]
    if len(chosen) < 2:
        st.caption("Choose two for the line between them, or three for the plane through them.")
        return
    from pages.views.optima_figures import line_figure, plane_figure

    A, B, *rest = (found.reached[number].transformation for number in chosen)
    words = tuple(f"start {number + 1}" for number in chosen)
    remembered = partial(space.belongings.remembered, key=(id(found), key, tuple(chosen)))
    with st.spinner("Walking between them …"):
        _, line = remembered("line between", make=lambda: (found, line_between(comparison, key, A, B, slot=GATE.step)))
    st.markdown(as_text(line.sentence))
    left, right = st.columns(2)
    config = figure_config("optima")
    left.plotly_chart(
        line_figure(line, (words[0], words[1]), st.context.theme.type == "dark"), key="understand.line", config=config
    )
    if rest:
        with st.spinner("Walking over the plane …"):
            plane = remembered(
                "plane through",
                make=lambda: (found, *plane_through(comparison, key, A, B, rest[0], slot=GATE.step)),
            )
        plane_shown = plane_figure(plane[1], plane[2], (words[0], words[1], words[2]))
        right.plotly_chart(plane_shown, key="understand.plane", config=config)
