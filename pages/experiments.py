"""Experiments: tables and figures of papers, computed again; run one, and open what is behind a number."""

import streamlit as st

from pages.controls.experiments import choose_experiment, open_cell, run_experiment
from pages.controls.shell import present, view_buttons
from pages.server.session import workspace, write_link

space = workspace()
write_link(space)
if present():
    view_buttons()
st.caption("Published tables and figures, computed again. To run all of them: `python -m study.experiments run all`.")
experiment = choose_experiment()
run_experiment(space, experiment)
open_cell(space, experiment)
