"""Are these clusters real? A panel against the same method with permuted labels."""

from __future__ import annotations

from functools import partial

import streamlit as st

from datasets.base.dataset import Dataset
from pages.controls.base.figure_config import figure_config
from pages.controls.base.long_work import progress, start_button, watched
from pages.controls.base.persistence import IN_SESSION
from pages.server.job import Job
from pages.server.jobs import panel_asked
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from study.chance import Chance, permutation_test
from study.compare import Comparison
from study.panel_changes import unnamed

_JOB = "chance"
_OF = "compare.chance_of"
MOST_PERMUTATIONS = 1_999


def against_chance(space: Workspace, comparison: Comparison, dataset: Dataset) -> None:
    """Which panel, how many permutations, and the sentence that follows."""
    titles = {p.key: p.recipe.shown_title for p in comparison.panels if not p.problem and p.recipe.labels != "none"}
    if not titles:
        st.caption("No panel here sees labels.")
        return
    if st.session_state.get(_OF) not in titles:
        trained = [panel.key for panel in comparison.panels if panel.trains and panel.key in titles]
        asked = panel_asked(space, _JOB)
        st.session_state[_OF] = asked if asked in titles else next(iter([*trained, *titles]))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = st.selectbox("Panel", list(titles), format_func=lambda key: titles.get(key, key), key=_OF, width=260)
        many = st.number_input(
            "Permutations",
            19,
            MOST_PERMUTATIONS,
            value=199,
            step=20,
            key="compare.n_permutations",
            **IN_SESSION,
            width=160,
            help="The labels are dealt to the rows at random so many times, and the method is trained on each.",
        )
        of = unnamed(comparison.recipe), key
        work = partial(permutation_test, comparison.recipe, dataset, key, int(many), spread=WORKERS.spread)
        job = start_button("Test against shuffled labels", "compare.test", space, _JOB, of, work)
    watched(partial(_verdict, job), job)


def _verdict(job: Job | None, was_running: bool) -> None:
    if job is None:
        st.caption("Would the same method do as well with labels that mean nothing? Nothing has been asked yet.")
        return
    found: Chance | None = job.result
    done, wanted = (0, 0) if found is None else (found.done, found.wanted)
    progress(job, was_running, done, wanted, "Permutations", "compare.chance")
    if found is None:
        return
    st.markdown(f"{'✓' if found.better else '⚠'} {as_text(found.sentence)}")
    if found.of_own_rows:
        st.caption(found.of_own_rows)
    # Plotly takes long to import, and the page does not need it before.
    from pages.views.chance_figure import chance_figure

    st.plotly_chart(chance_figure(found), key="compare.chance_figure", config=figure_config("chance"))
