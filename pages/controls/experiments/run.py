"""Carrying out an experiment beside the page, as far as it is not stored yet."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from functools import partial

import streamlit as st

from nca_core.run import Slot
from pages.controls.base.long_work import start_button
from pages.server.job import Job
from pages.server.jobs import job_of
from pages.server.workers import WORKERS
from pages.server.workspace import Workspace
from study.experiments.base.data import Data
from study.experiments.base.experiment import Experiment
from study.experiments.base.run import Progress, tasks_of
from study.experiments.base.store import Store, store_folder

_JOB = "experiment"
_AT_FIRST = 2  # splits that are proposed: a look at it, in seconds or minutes


def run_controls(space: Workspace, experiment: Experiment) -> Job | None:
    """How many splits, and the button that begins; the work there is on this experiment."""
    data = Data(on_page=True)
    can_fetch = any(data.could_fetch(line.cell) for line in experiment.lines)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        splits = st.number_input(
            "Splits",
            1,
            experiment.splits,
            value=min(_AT_FIRST, experiment.splits),
            key=f"experiments.splits.{experiment.key}",
            width=140,
            help=f"Of each line; all are {experiment.splits}. What was carried out before is not repeated.",
        )
        if can_fetch:
            data = replace(data, fetch=st.toggle("Download what is missing", key="experiments.fetch"))
        work = partial(_carried_out, experiment, int(splits), data)
        start_button("Run", "experiments.run", space, _JOB, experiment.key, work)
    return job_of(space, _JOB, experiment.key)


def _carried_out(experiment: Experiment, splits: int, data: Data, slot: Slot) -> Generator[Progress, None, None]:
    tasks, missing = tasks_of([experiment], Store(store_folder()), data, splits)
    yield from WORKERS.cells(tasks, missing, slot)
