"""The papers' tables and figures: choose one, run it, compare it with what was published, open a cell."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from nca_core.training.run import Slot
from pages.controls.long_work import progress, start_button
from pages.controls.shell import go_to_page
from pages.server.jobs import Job
from pages.server.session import EXPERIMENT, second_workspace
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from stage.plain_text import as_text
from study.experiments import EXPERIMENTS
from study.experiments.base.command import duration
from study.experiments.base.data import Data
from study.experiments.base.experiment import Experiment, cells_of_row, side_by_side
from study.experiments.base.report import (
    TITLE,
    Block,
    Figure,
    Heading,
    Paragraph,
    TextTable,
    as_html,
    of_experiment,
    report_blocks,
)
from study.experiments.base.results import Results, results_of
from study.experiments.base.run import RunStatus, tasks_of
from study.experiments.base.store import OutcomeStore, kept_run, store_folder
from study.recipe import Recipe

_KEY = "experiments.which"


def choose_experiment() -> Experiment:
    """The chosen experiment; written to the address."""
    named = st.query_params.get(EXPERIMENT)
    if _KEY not in st.session_state:
        st.session_state[_KEY] = named if named in EXPERIMENTS else next(iter(EXPERIMENTS))
    key = st.selectbox(
        "Table or figure",
        list(EXPERIMENTS),
        format_func=lambda key: f"{EXPERIMENTS[key].title} ({key})",
        key=_KEY,
        persist_state="session",
    )
    if named != key:
        st.query_params[EXPERIMENT] = key
    return EXPERIMENTS[key]


_JOB = "experiment"
_FIRST_SPLITS = 2  # takes seconds or minutes


def run_controls(space: Workspace, experiment: Experiment) -> Job | None:
    """The number of splits and Run; returns the current job on this experiment."""
    data = Data(on_page=True)
    can_fetch = any(data.could_fetch(line.cell) for line in experiment.lines)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        splits = st.number_input(
            "Splits",
            1,
            experiment.splits,
            value=min(_FIRST_SPLITS, experiment.splits),
            key=f"experiments.splits.{experiment.key}",
            width=140,
            help=f"Splits of each line, at most {experiment.splits}. Finished cells are not run again.",
        )
        if can_fetch:
            data = replace(data, fetch=st.toggle("Download what is missing", key="experiments.fetch"))
        work = partial(_run, experiment, int(splits), data)
        start_button("Run again", "experiments.run", space, _JOB, experiment.key, work)
    return space.document.jobs.find(_JOB, experiment.key)


def _run(experiment: Experiment, splits: int, data: Data, slot: Slot) -> Generator[RunStatus, None, None]:
    tasks, missing = tasks_of([experiment], OutcomeStore(store_folder()), data, splits)
    yield from WORKERS.cells(tasks, missing, slot)


def results(experiment: Experiment, job: Job | None, was_running: bool) -> None:
    """The progress, and the section of the report on this experiment."""
    at = None
    if job is not None:
        at = job.result or RunStatus(0, 0, 1)
        left = "" if math.isnan(at.left) else f" ({duration(at.left)} left)"
        progress(job, was_running, at.done + at.found, at.wanted, f"Cells{left}", "experiments")
        if at.failed:
            st.caption(f"{at.failed} cells failed. The last error: {as_text(at.outcome.problem if at.outcome else '')}")
    found = results_so_far(experiment, at if job is not None and job.state == "running" else None)
    lacking = dict.fromkeys(filter(None, (Data(on_page=True).lacks(line.cell) for line in experiment.lines)))
    if found.from_kept and lacking:
        st.caption(as_text(f"To run it again: {' '.join(lacking)}"))
    if found.from_kept:
        st.caption(
            as_text(f"{found.from_kept:,} of {found.done:,} numbers are from the kept run. {kept_run().provenance}")
        )
    for k, block in enumerate(of_experiment(found)):
        _draw(block, f"experiments.{experiment.key}.{k}")
    if found.done:
        st.download_button(
            "Download as a report",
            data=lambda: as_html(report_blocks([found]), TITLE),
            file_name=f"{experiment.key}.html",
            mime="text/html",
            key="experiments.report",
            on_click="ignore",
        )


_READ = "experiments.read"  # (key of an experiment, progress of its job, results read then)


def results_so_far(experiment: Experiment, at: RunStatus | None) -> Results:
    """The stored results; during a job they are read again only after another cell, at another `at`."""
    last = st.session_state.get(_READ)
    if at is None or last is None or last[:2] != (experiment.key, at):
        read = results_of(experiment, OutcomeStore(store_folder()), Data(on_page=True), kept=True)
        last = st.session_state[_READ] = experiment.key, at, read
    found: Results = last[2]
    return found


def _draw(block: Block, key: str) -> None:
    if isinstance(block, Paragraph):
        st.markdown(as_text(block.words))
    elif isinstance(block, TextTable):
        st.dataframe(pd.DataFrame(block.rows, columns=list(block.header)), hide_index=True, key=key)
    elif isinstance(block, Figure):
        st.plotly_chart(block.figure, key=key)
        st.caption(as_text(block.caption))
    elif isinstance(block, Heading):
        st.subheader(as_text(block.words), anchor=False)


def open_cell(space: Workspace, experiment: Experiment) -> None:
    """Open one row and split on Explore or on Compare."""
    rows = list(dict.fromkeys(line.row for line in experiment.lines))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        row = st.selectbox("Look at", rows, key=f"experiments.row.{experiment.key}", width=280)
        seed = st.number_input("Split", 0, experiment.splits - 1, key=f"experiments.split.{experiment.key}", width=120)
        cells = cells_of_row(experiment, row, int(seed))
        method = st.selectbox("Method", list(cells), key=f"experiments.method.{experiment.key}.{row}", width=220)
        one = cells[str(method)].recipe if cells else None
        st.button(
            "Open on Explore",
            key="experiments.explore",
            disabled=one is None,
            on_click=_open_recipe,
            args=(space, one, "Explore"),
        )
        together = side_by_side(cells) if cells else None
        st.button(
            "Compare the row",
            key="experiments.compare",
            disabled=together is None,
            on_click=_open_recipe,
            args=(second_workspace(), together, "Compare"),
        )
    if not cells:
        st.caption("This cell cannot be opened: its rows are only a part of a table, or it is not a projection.")
    elif any(cell.dimensions not in (None, 2, 3) for cell in cells.values()):
        st.caption("The number needs more than three dimensions; the page shows the same rows and split in 2-D.")


def _open_recipe(space: Workspace, recipe: Recipe, title: str) -> None:
    space.document.change(recipe)
    go_to_page(title)
