"""Experiments: the papers' tables and figures beside ours; run one, and open what stands behind a number."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.controls.base.long_work import watched
from pages.controls.experiments.choose import choose_experiment
from pages.controls.experiments.open_cell import open_cell
from pages.controls.experiments.results import results
from pages.controls.experiments.run import run_controls
from pages.controls.recipe.present import present, view_buttons
from pages.server.session import workspace, write_link

space = workspace()
write_link(space)
if present():
    view_buttons()
st.caption(
    "What papers printed, computed again by this program. All of them by one command: `python -m study.experiments "
    "run all`."
)
experiment = choose_experiment()
job = run_controls(space, experiment)
watched(partial(results, experiment, job), job)
open_cell(space, experiment)
