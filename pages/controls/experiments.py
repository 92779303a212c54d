"""The papers' tables and figures: choose one, run it, compare it with what was published, open a cell."""

import math
from collections.abc import Generator
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.base.words import duration
from nca_core.training.run import Slot
from pages.controls.long_work import start_button, watched
from pages.controls.recipe_widgets import in_address, save_file
from pages.controls.shell import go_to_page
from pages.server.jobs import Job
from pages.server.session import EXPERIMENT, second_workspace
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from stage.plain_text import as_text
from study.experiments import EXPERIMENTS
from study.experiments.base import report
from study.experiments.base.experiment import Experiment, cells_of_row, side_by_side
from study.experiments.base.results import results_of
from study.experiments.base.run import RunStatus, run_tasks, tasks_of
from study.experiments.base.store import Data, OutcomeStore, kept_run, store_folder
from study.recipe import Recipe

_FIRST = "nca-fig1-rank2"  # of the paper on NCA
_JOB = "experiment"
_FIRST_SPLITS = 2  # takes seconds or minutes


def choose_experiment() -> Experiment:
    order = sorted(EXPERIMENTS.items(), key=lambda one: one[0] != _FIRST)
    titles = {key: f"{experiment.title} ({key})" for key, experiment in order}
    return EXPERIMENTS[in_address(st.selectbox, "Table or figure", titles, EXPERIMENT, "experiments.which")]


def results_of_experiment(space: Workspace, experiment: Experiment) -> None:
    """Chart and tables; below them a row to open, and folded away how it was computed and how to run it again."""
    shown = st.container()
    open_cell(space, experiment)
    with st.expander("How it was computed, and run it again"):
        details = st.empty()  # filled anew by each run of the fragment that polls
        job = _run_again(space, experiment)
    with shown:
        watched(job, partial(_results, experiment, job, details), "Cells", "experiments", _far)


def _run_again(space: Workspace, experiment: Experiment) -> Job | None:
    data = Data(on_page=True)
    st.caption("On the command line `python -m study.experiments run all` runs all of them.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        most = experiment.splits
        about = f"Of each line, at most {most}. Finished cells are not run again."
        look: Any = {"key": f"experiments.splits.{experiment.key}", "width": 140, "help": about}
        splits = int(st.number_input("Splits to run", 1, most, min(_FIRST_SPLITS, most), **look))
        if any(data.can_fetch(line.cell) for line in experiment.lines):
            data = replace(data, fetch=st.toggle("Download what is missing", key="experiments.fetch"))

        def work(slot: Slot) -> Generator[RunStatus, None, None]:
            tasks, _ = tasks_of([experiment], OutcomeStore(store_folder()), data, splits)
            yield from run_tasks(tasks, slot, WORKERS.spread)

        return start_button("Run again", "experiments.run", space, _JOB, experiment.key, work)


def _far(at: RunStatus | None) -> tuple[int, int, str]:
    if at is None:
        return 0, 1, ""
    return at.done + at.found, at.wanted, "" if math.isnan(at.left) else f" ({duration(at.left)} left)"


def _results(experiment: Experiment, job: Job | None, details: DeltaGenerator) -> None:
    at: RunStatus | None = None if job is None else job.result
    if at is not None and at.failed:
        st.caption(f"{at.failed} cells failed. The last error: {as_text(at.outcome.problem if at.outcome else '')}")
    store = st.session_state.setdefault("experiments.store", OutcomeStore(store_folder()))  # reads a file once
    found = results_of(experiment, store, Data(on_page=True), kept=True)
    lacking = dict.fromkeys(filter(None, (Data(on_page=True).why_missing(line.cell) for line in experiment.lines)))
    blocks = list(enumerate(report.of_experiment(found)))
    place = {report.Figure: 1, report.TextTable: 2}  # after the heading and sentences
    for k, block in sorted(blocks, key=lambda one: place.get(type(one[1]), 0)):
        if not isinstance(block, report.Detail):
            _draw(block, f"experiments.{experiment.key}.{k}")
    with details.container():
        for _, block in blocks:
            if isinstance(block, report.Detail):
                st.markdown(as_text(block))
        if found.from_kept:
            kept = f"{found.from_kept:,} of {found.done:,} numbers are from the kept run. {kept_run().provenance}"
            st.caption(as_text(kept))
        if found.from_kept and lacking:
            st.caption(as_text(f"To run it again: {' '.join(lacking)}"))
    if found.done:
        content = lambda: report.as_html(report.report_blocks([found]), report.TITLE)  # noqa: E731
        save_file("Download as a report", content, f"{experiment.key}.html", "text/html", "experiments.report")


def _draw(block: report.Block, key: str) -> None:
    if isinstance(block, str):
        st.markdown(as_text(block))
    elif isinstance(block, report.TextTable):
        st.dataframe(pd.DataFrame(block.rows, columns=list(block.header)), hide_index=True, key=key)
    elif isinstance(block, report.Figure):
        st.plotly_chart(block.figure, key=key)
        st.caption(as_text(block.caption))
    elif isinstance(block, report.Heading):
        st.subheader(as_text(block.words), anchor=False)


def open_cell(space: Workspace, experiment: Experiment) -> None:
    rows = list(dict.fromkeys(line.row for line in experiment.lines))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        row = st.selectbox("Look at", rows, key=f"experiments.row.{experiment.key}", width=280)
        seed = st.number_input("Split", 0, experiment.splits - 1, key=f"experiments.split.{experiment.key}", width=120)
        cells = cells_of_row(experiment, row, int(seed))
        method = st.selectbox("Method", list(cells), key=f"experiments.method.{experiment.key}.{row}", width=220)
        one, together = (cells[str(method)].recipe, side_by_side(cells)) if cells else (None, None)
        _open_button("Open on Explore", space, one, "Explore")
        _open_button("Compare the row", second_workspace(), together, "Compare")
    if not cells:
        st.caption("This cell cannot be opened: its rows are only a part of a table, or it is not a projection.")
    elif any(cell.dimensions not in (None, 2, 3) for cell in cells.values()):
        st.caption("The number needs more than three dimensions; the page shows the same rows and split in 2-D.")


def _open_button(label: str, space: Workspace, recipe: Recipe | None, page: str) -> None:
    def open_it() -> None:
        if recipe is not None:
            space.document.change(recipe)
            go_to_page(page)

    st.button(label, key=f"experiments.{page.lower()}", disabled=recipe is None, on_click=open_it)
