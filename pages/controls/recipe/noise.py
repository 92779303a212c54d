"""The noise lab: widgets that make the chosen data harder."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from datasets.base.dataset import Dataset
from datasets.noise_lab import MOST_NOISE_COLUMNS
from pages.controls.base.bound import bound, change, field_of, percent_of
from pages.controls.base.folded import folded
from pages.server.workspace import Workspace
from pages.text.plain_text import visible

MOST_COLUMNS_LISTED = 500
MOST_UNFILTERED = 40  # columns that are found without typing, so that a letter is a shortcut as elsewhere
_AT_FIRST = 100.0


def choose_noise(space: Workspace, dataset: Dataset) -> None:
    """The expander of the noise lab, and a way back to the data as they came."""
    noise = space.belongings.recipe.noise
    if (place := folded("Noise lab", "explore.noise_lab")) is not None:
        with place:
            _choose_noise(space, dataset)
    if not noise.idle:  # outside the expander: it is to be seen while that is closed
        st.button(
            "No noise",
            key="explore.no_noise",
            on_click=_no_noise,
            args=(space,),
            help="Back to the data as they came; spread, factor and seed stay as they are set.",
        )


def _choose_noise(space: Workspace, dataset: Dataset) -> None:
    noise = space.belongings.recipe.noise
    st.number_input(
        "Noise columns",
        0,
        MOST_NOISE_COLUMNS,
        **field_of(space, "noise.columns"),
        help="Columns of pure noise beside the features: PCA follows them, NCA learns to leave them out.",
    )
    st.slider(
        "Spread of the noise columns",
        0.1,
        10.0,
        step=0.1,
        **field_of(space, "noise.spread"),
        disabled=noise.noise_columns == 0,
        help="As a multiple of the features' median standard deviation. *Scale features* takes it out again.",
    )
    _choose_rescaling(space, dataset)
    st.slider(
        "Labels flipped (%)",
        0,
        100,
        step=1,
        **percent_of(space, "noise.flipped"),
        help="This share of the labelled rows gets the label of another class.",
    )


def _no_noise(space: Workspace) -> None:
    change(
        space,
        lambda recipe: replace(
            recipe, noise=replace(recipe.noise, noise_columns=0, flipped_share=0.0, rescaled_column=None)
        ),
    )


def _choose_rescaling(space: Workspace, dataset: Dataset) -> None:
    listed = [None, *range(min(dataset.n_features, MOST_COLUMNS_LISTED))]
    chosen = space.belongings.recipe.noise.rescaled_column
    if chosen not in listed:
        listed.append(chosen)  # of a link: what it does to these data is said where they are prepared
    st.selectbox(
        "Rescale a column",
        listed,
        placeholder="none",
        filter_mode="fuzzy" if len(listed) > MOST_UNFILTERED else None,
        # With its number, as two columns may look the same.
        format_func=lambda k: column_name(dataset, k),
        **bound("explore.noise.rescaled", chosen, lambda said: _rescale(space, said)),
        help="As if this feature had been measured in other units. *Scale features* takes it out again."
        + (f" The first {MOST_COLUMNS_LISTED} columns are listed." if dataset.n_features > MOST_COLUMNS_LISTED else ""),
    )
    st.number_input(
        "Times",
        -1e6,
        1e6,
        format="%g",
        **field_of(space, "noise.factor"),
        disabled=chosen is None,
        help="What the chosen column is multiplied by.",
    )
    if chosen is not None and space.belongings.recipe.preparation.step != "none":
        st.caption("Scaling takes this out again: choose *as they are* under *Scale features* to see what it does.")


def _rescale(space: Workspace, column: int | None) -> None:
    """A column that is chosen is multiplied by something, or choosing it would do nothing."""
    noise = space.belongings.recipe.noise
    factor = _AT_FIRST if column is not None and noise.factor == 1.0 else noise.factor
    change(space, lambda now: replace(now, noise=replace(now.noise, rescaled_column=column, factor=factor)))


def column_name(dataset: Dataset, k: int | None) -> str:
    if k is None:
        return "none"
    name = visible(dataset.feature_names[k]) if k < dataset.n_features else "not in these data"
    return f"{k + 1}: {name}"
