"""What was published beside what was found, as in the report."""

from __future__ import annotations

import math

import streamlit as st

from pages.controls.base.long_work import progress
from pages.server.job import Job
from pages.text.plain_text import as_text
from pages.views.experiment_parts import frame_of, svg_in
from study.experiments.base.command import spoken
from study.experiments.base.data import Data
from study.experiments.base.document import Block, Figure, Heading, Paragraph, Table, as_html
from study.experiments.base.experiment import Experiment
from study.experiments.base.found import Found, found_of
from study.experiments.base.machine import made
from study.experiments.base.report import TITLE, blocks, of_experiment
from study.experiments.base.run import Progress
from study.experiments.base.store import Store, store_folder

_READ = "experiments.read"  # (key of an experiment, how far its work was, what was stored of it then)


def results(experiment: Experiment, job: Job | None, was_running: bool) -> None:
    """The section of the report on it, and how far its work is."""
    at = None
    if job is not None:
        at = job.result or Progress(0, 0, 1)
        left = "" if math.isnan(at.left) else f" ({spoken(at.left)} left)"
        progress(job, was_running, at.done + at.found, at.wanted, f"Cells{left}", "experiments")
        if at.failed:
            st.caption(
                f"{at.failed} cells failed; the last that is known: {as_text(at.outcome.problem if at.outcome else '')}"
            )
    found = found_so_far(experiment, at if job is not None and job.state == "running" else None)
    for k, block in enumerate(of_experiment(found)):
        _draw(block, f"experiments.{experiment.key}.{k}")
    if found.done:
        st.download_button(
            "Download as a report",
            data=lambda: _report(found),
            file_name=f"{experiment.key}.html",
            mime="text/html",
            key="experiments.report",
            on_click="ignore",
        )


def found_so_far(experiment: Experiment, at: Progress | None) -> Found:
    """What is stored of it; while work goes on, at `at`, read once a cell and not each time that the page comes by."""
    last = st.session_state.get(_READ)
    if at is None or last is None or last[:2] != (experiment.key, at):
        read = found_of(experiment, Store(store_folder()), Data(on_page=True))
        last = st.session_state[_READ] = experiment.key, at, read
    found: Found = last[2]
    return found


def _draw(block: Block, key: str) -> None:
    if isinstance(block, Paragraph):
        st.markdown(as_text(block.words))
    elif isinstance(block, Table):
        st.dataframe(frame_of(block), hide_index=True, key=key)
    elif isinstance(block, Figure):
        st.image(
            svg_in(block.svg, dark=st.context.theme.type == "dark"),
            caption=as_text(block.caption),
            alt="Figure of the numbers above",
            width="content",
        )
    elif isinstance(block, Heading):
        st.subheader(as_text(block.words), anchor=False)


def _report(found: Found) -> str:
    return as_html(blocks([found], made([found])), TITLE)
