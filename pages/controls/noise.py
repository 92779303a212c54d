"""The noise lab: widgets -> NoiseConfig, and the data set made harder as they say."""

from __future__ import annotations

import streamlit as st

from datasets.dataset import Dataset
from datasets.noise_lab import NoiseConfig, add_noise
from pages.controls.kept import IN_ADDRESS, IN_SESSION
from pages.server.workspace import Workspace
from pages.shared.plain_text import visible
from pages.shared.session import remembered

MOST_COLUMNS_LISTED = 500
_COLUMNS, _FLIPPED = "explore.noise_columns", "explore.noise_flipped"
_COLUMN = "explore.noise_rescaled"
_COLUMN_OF = "explore.noise_rescaled_of"


def choose_noise(dataset: Dataset, key: str) -> NoiseConfig:
    """The expander of the noise lab; `key` names the data set, as a column chosen of one means nothing in another."""
    if st.session_state.get(_COLUMN_OF) != key:
        st.session_state[_COLUMN_OF] = key
        st.session_state[_COLUMN] = None
    with st.expander("Noise lab", key="explore.noise_lab"):
        columns = st.number_input(
            "Noise columns",
            0,
            500,
            key=_COLUMNS,
            **IN_ADDRESS,
            help="Columns of pure noise beside the features: PCA follows them, NCA learns to leave them out.",
        )
        scale = st.slider(
            "Spread of the noise columns",
            0.1,
            10.0,
            1.0,
            0.1,
            key="explore.noise_scale",
            **IN_ADDRESS,
            disabled=columns == 0,
            help="As a multiple of the features' median standard deviation. Scaling in Features takes it out again.",
        )
        rescaled, factor = _choose_rescaling(dataset)
        flipped = st.slider(
            "Labels flipped (%)",
            0,
            100,
            step=1,
            key=_FLIPPED,
            **IN_ADDRESS,
            help="So many rows get the label of another class.",
        )
        seed = st.number_input(
            "Seed of the noise lab",
            0,
            2**31 - 1,
            0,
            key="explore.noise_seed",
            **IN_ADDRESS,
            disabled=columns == 0 and flipped == 0,
            help="The same seed draws the same noise and flips the same labels.",
        )
    # Settings without an effect count as their defaults, so that touching them changes nothing.
    config = NoiseConfig(
        noise_columns=int(columns),
        noise_scale=float(scale) if columns else 1.0,
        rescaled_column=rescaled,
        factor=float(factor) if rescaled is not None else 1.0,
        flipped_share=flipped / 100,
        random_state=int(seed) if columns or flipped else 0,
    )
    if not config.idle:  # outside the expander: it is to be seen while that is closed
        st.button(
            "No noise",
            key="explore.no_noise",
            on_click=_no_noise,
            help="Back to the data as they came; spread, factor and seed stay as they are set.",
        )
    return config


def _no_noise() -> None:
    st.session_state[_COLUMNS] = 0
    st.session_state[_FLIPPED] = 0
    st.session_state[_COLUMN] = None


def _choose_rescaling(dataset: Dataset) -> tuple[int | None, float]:
    listed = [None, *range(min(dataset.n_features, MOST_COLUMNS_LISTED))]
    if st.session_state.get(_COLUMN) not in listed:
        st.session_state[_COLUMN] = None
    rescaled = st.selectbox(
        "Rescale a column",
        listed,
        # With its number, as two columns may look the same.
        format_func=lambda k: "none" if k is None else f"{k + 1}: {visible(dataset.feature_names[k])}",
        key=_COLUMN,
        **IN_SESSION,
        help="As if one measure came in other units. Scaling in Features takes it out again."
        + (f" The first {MOST_COLUMNS_LISTED} columns are listed." if dataset.n_features > MOST_COLUMNS_LISTED else ""),
    )
    factor = st.number_input(
        "Times",
        -1e6,
        1e6,
        100.0,
        format="%g",
        key="explore.noise_factor",
        **IN_ADDRESS,
        disabled=rescaled is None,
        help="What the chosen column is multiplied by.",
    )
    return rescaled, factor


def with_noise(space: Workspace, dataset: Dataset, config: NoiseConfig) -> Dataset:
    """The same object for the same data set and config, so that what was prepared from it is found again.

    Raises:
        DataError: where the data set cannot be changed so.
    """
    if config.idle:
        return dataset
    # The original is kept beside the result: its id cannot be given to another one meanwhile.
    return remembered(space, "noise", (id(dataset), config), lambda: (dataset, add_noise(dataset, config)))[1]
