"""Which table or figure is looked at."""

from __future__ import annotations

import streamlit as st

from pages.controls.base.persistence import IN_SESSION
from pages.server.session import EXPERIMENT
from study.experiments import EXPERIMENTS
from study.experiments.base.experiment import Experiment

_KEY = "experiments.which"


def choose_experiment() -> Experiment:
    """The experiment; the address names it, so that a link shows the same."""
    named = st.query_params.get(EXPERIMENT)
    if _KEY not in st.session_state:
        st.session_state[_KEY] = named if named in EXPERIMENTS else next(iter(EXPERIMENTS))
    key = st.selectbox(
        "Table or figure",
        list(EXPERIMENTS),
        format_func=lambda key: f"{EXPERIMENTS[key].title} ({key})",
        key=_KEY,
        **IN_SESSION,
    )
    if named != key:
        st.query_params[EXPERIMENT] = key
    return EXPERIMENTS[key]
