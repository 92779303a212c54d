"""Experiments: tables and figures of papers, computed again; run one, and open what is behind a number."""

import streamlit as st

from pages.controls.experiments import choose_experiment, results_of_experiment
from pages.controls.shell import present, view_buttons
from pages.server.session import workspace, write_link

space = workspace()
write_link(space)
if present():
    view_buttons()
st.caption("Tables and figures of papers on NCA and its relatives, computed again here, beside the published numbers.")
results_of_experiment(space, choose_experiment())
