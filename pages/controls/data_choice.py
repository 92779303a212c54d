"""Pick a data set: one of the catalogue (with its sliders), or one of the session's own -> Dataset."""

from __future__ import annotations

import streamlit as st

from datasets.catalogue import DATASETS, Parameter, load_dataset
from datasets.dataset import Dataset
from datasets.errors import DataError
from pages.shared.messages import show_error
from pages.shared.session import own_data
from pages.stage.hub import Workspace

URL = "query-params"
CHOICE = "explore.data"


def choose_dataset(space: Workspace) -> Dataset | None:
    """The chosen data set; None after saying why there is none."""
    own = own_data(space)
    catalogue = [key for key, entry in DATASETS.items() if entry.kind in ("bundled", "generator")]
    options = [*catalogue, *own]  # the first one is there on first open
    if st.session_state.get(CHOICE, options[0]) not in options:
        st.session_state[CHOICE] = options[0]
    key = st.selectbox(
        "Data set",
        options,
        format_func=lambda key: own[key].name if key in own else DATASETS[key].title,
        key=CHOICE,
        bind=URL,
        persist_state="session",
    )
    if key in own:
        return own[key]
    entry = DATASETS[key]
    parameters = {parameter.name: _slider(key, parameter) for parameter in entry.parameters}
    try:
        return load_dataset(key, **parameters)
    except (DataError, ValueError) as error:
        show_error(error)
        return None


def _slider(dataset: str, parameter: Parameter) -> float | int:
    return st.slider(
        parameter.label,
        parameter.minimum,
        parameter.maximum,
        parameter.default,
        parameter.step,
        key=f"explore.{dataset}.{parameter.name}",
        bind=URL,
        help=parameter.help or None,
    )
