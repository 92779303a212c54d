"""Widgets for preprocessing, split and sampling -> PreparationConfig."""

from __future__ import annotations

import streamlit as st

from datasets.preparation import PREPROCESSING, PreparationConfig
from pages.shared import wording

URL = "query-params"


def choose_preparation() -> PreparationConfig:
    step = st.selectbox(
        "Features",
        list(PREPROCESSING),
        format_func=wording.labelled(wording.PREPROCESSING),
        key="explore.features",
        bind=URL,
        persist_state="session",
    )
    with st.expander("Held-out rows and sampling"):
        held_out = st.slider(
            "Held out for testing (%)",
            0,
            90,
            0,
            5,
            key="explore.held_out",
            bind=URL,
            persist_state="session",
            help="These rows are drawn hollow and never trained on.",
        )
        max_rows = st.number_input(
            "At most this many rows", 10, 1_000_000, 100_000, key="explore.max_rows", bind=URL, persist_state="session"
        )
        seed = st.number_input(
            "Seed of split and sample", 0, 2**31 - 1, 0, key="explore.split_seed", bind=URL, persist_state="session"
        )
    return PreparationConfig(
        step=step, held_out_fraction=held_out / 100, max_rows=int(max_rows), random_state=int(seed)
    )
