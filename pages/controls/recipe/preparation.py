"""Widgets for preprocessing, split and sampling -> PreparationConfig."""

from __future__ import annotations

import streamlit as st

from datasets.dataset import Dataset
from datasets.preparation import PREPROCESSING, SAMPLING, PreparationConfig, Prepared
from pages.controls.base.persistence import IN_ADDRESS
from pages.shared import wording
from pages.views.plain_text import as_text
from pages.views.preparation_steps import preparation_steps

MOST_DIMENSIONS = 1_000
# Of a label of numbers every pair of rows is compared, in each iteration.
MOST_ROWS, MOST_ROWS_OF_NUMBERS = 100_000, 5_000


def choose_preparation(dataset: Dataset | None) -> PreparationConfig:
    """What the widgets say; PCA goes to no more dimensions than `dataset` has, whatever was chosen for another one."""
    step = st.selectbox(
        "Features",
        list(PREPROCESSING),
        format_func=wording.labelled(wording.PREPROCESSING),
        key="explore.features",
        **IN_ADDRESS,
        help="What is done to each feature first. Standardise: mean 0 and standard deviation 1, so that no unit counts "
        "more than another. Learned on the training rows only.",
    )
    components = _choose_components(dataset)
    with st.expander("Held-out rows and sampling"):
        held_out = st.slider(
            "Held out for testing (%)",
            0,
            90,
            0,
            5,
            key="explore.held_out",
            **IN_ADDRESS,
            help="These rows are drawn hollow and never trained on.",
        )
        max_rows = _choose_max_rows(dataset)
        sampling = "stratified"
        if dataset is not None and dataset.n_samples > max_rows:
            sampling = st.selectbox(
                "Of more rows, a sample",
                list(SAMPLING),
                format_func=wording.labelled(wording.SAMPLING),
                key="explore.sampling",
                **IN_ADDRESS,
                help="The same share of each class, or all rows alike.",
            )
        seed = st.number_input(
            "Seed of split and sample",
            0,
            2**31 - 1,
            0,
            key="explore.split_seed",
            **IN_ADDRESS,
            help="The same seed holds out and samples the same rows.",
        )
    return PreparationConfig(
        step=step,
        held_out_fraction=held_out / 100,
        max_rows=max_rows,
        sampling=sampling,
        random_state=int(seed),
        components=components,
    )


def most_rows(dataset: Dataset | None) -> tuple[str, int]:
    """(key of the widget that says how many rows of such a data set are trained on, what it says at first)."""
    if dataset is not None and dataset.target is not None:
        return "explore.max_rows_of_numbers", MOST_ROWS_OF_NUMBERS
    return "explore.max_rows", MOST_ROWS


def _choose_max_rows(dataset: Dataset | None) -> int:
    key, at_first = most_rows(dataset)
    chosen = st.number_input(
        "At most this many rows",
        10,
        1_000_000,
        at_first,
        key=key,
        **IN_ADDRESS,
        help="Of more rows, a sample is trained on and drawn.",
    )
    return int(chosen)


def steps_line(ready: Prepared) -> None:
    """Which rows went through which steps, and on hovering what each did."""
    st.caption(as_text(preparation_steps(ready)), help=as_text(" ".join(step.sentence for step in ready.steps)))


def _choose_components(dataset: Dataset | None) -> int | None:
    wanted = st.toggle(
        "PCA first",
        key="explore.pca_first",
        **IN_ADDRESS,
        help="Train on the first principal components only: quicker with many features, and less to overfit with few "
        "rows. Neighbours change where directions are left out.",
    )
    if not wanted:
        return None
    dimensions = st.number_input(
        "Principal components",
        2,
        MOST_DIMENSIONS,
        30,
        key="explore.pca_dimensions",
        **IN_ADDRESS,
        help="Where there are fewer, all are kept.",
    )
    most = dimensions if dataset is None else min(dataset.n_features, dataset.n_samples)
    return int(min(dimensions, most))
