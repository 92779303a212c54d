"""The data set, and the noise lab that makes it harder."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.catalogue import DATASETS, Parameter
from datasets.noise_lab import MOST_NOISE_COLUMNS
from pages.controls.messages import show_error
from pages.controls.recipe_widgets import bind, change, percent_field, recipe_field
from pages.controls.shell import go_to_page, screen
from pages.server.data import choices, choose_data, chosen_dataset, chosen_key, settle_downloads
from pages.server.workspace import Workspace
from pages.views.recipe import kept_with_data
from stage.plain_text import as_text, visible
from study.recipe import is_seed

_SHOWN, _CHANGED = "explore.data_shown", "explore.data_changed"


def choose_dataset(space: Workspace) -> Dataset | None:
    """The chosen data set; None after an error message."""
    settle_downloads(space.document)
    labels = choices(space)
    key = chosen_key(space)
    st.selectbox(
        "Data set",
        list(labels),
        format_func=lambda key: labels.get(key, str(key)),
        placeholder="Choose a data set",
        filter_mode=None,
        **bind("explore.data", key, lambda key: choose_data(space, key)),
        help="The catalogue, tables in your folder, and data you uploaded, drew or downloaded.",
    )
    st.page_link(screen("Data"), label="All data sets, with pictures →", query_params={"tab": "Catalogue"})
    parameters = [each for each in (DATASETS[key].parameters if key in DATASETS else ()) if not is_seed(each.name)]
    if parameters:
        with st.expander("Shape of the data", key="explore.shape"):
            for parameter in parameters:
                _slider(space, parameter)
    _kept_settings(space)
    return dataset_or_error(space)


def dataset_or_error(space: Workspace) -> Dataset | None:
    """The data set that the recipe names; None after an error message."""
    try:
        return chosen_dataset(space)
    except (DataError, ValueError) as error:
        show_error(error)
        return None


def _kept_settings(space: Workspace) -> None:
    """Name the settings kept from the previous data set, until the next change."""
    recipe = space.document.recipe
    before = st.session_state.get(_SHOWN, recipe.data)
    if (before.key, before.content) != (recipe.data.key, recipe.data.content):
        st.session_state[_CHANGED] = recipe
    st.session_state[_SHOWN] = recipe.data
    kept = kept_with_data(recipe)
    if kept and st.session_state.get(_CHANGED) == recipe:
        st.caption(as_text(f"Kept from the previous data: {'; '.join(kept)}."))


def _slider(space: Workspace, parameter: Parameter) -> None:
    data = space.document.recipe.data
    values = dict(data.parameters)

    def put(value: float) -> None:
        now = space.document.recipe.data
        parameters = {**dict(now.parameters), parameter.name: value}
        change(space, lambda recipe: replace(recipe, data=replace(now, parameters=tuple(parameters.items()))))

    st.slider(
        parameter.label,
        parameter.minimum,
        parameter.maximum,
        step=parameter.step,
        **bind(f"explore.{data.key}.{parameter.name}", values.get(parameter.name, parameter.default), put),
        help=parameter.help or None,
    )


def explore_data(space: Workspace, key: str) -> None:
    """Choose the data set and open Explore; for callbacks."""
    if key in choices(space):
        choose_data(space, key)
        go_to_page("Explore")


MOST_COLUMNS_LISTED = 500
MOST_UNFILTERED = 40  # with more columns, typing filters the list
_FIRST_FACTOR = 100.0


def choose_noise(space: Workspace, dataset: Dataset) -> None:
    """The noise lab, and a button that removes its noise."""
    with st.expander("Noise lab", key="explore.noise_lab", on_change="rerun") as place:
        if place.open:
            _choose_noise(space, dataset)
    if not space.document.recipe.noise.idle:  # below the expander, so that it shows while that is closed
        st.button(
            "No noise",
            key="explore.no_noise",
            on_click=_no_noise,
            args=(space,),
            help="Back to the original data; spread, factor and seed keep their values.",
        )


def _choose_noise(space: Workspace, dataset: Dataset) -> None:
    noise = space.document.recipe.noise
    st.number_input(
        "Noise columns",
        0,
        MOST_NOISE_COLUMNS,
        **recipe_field(space, "noise.columns"),
        help="Columns of pure noise next to the features. PCA follows them; NCA learns to ignore them.",
    )
    st.slider(
        "Spread of the noise columns",
        0.1,
        10.0,
        step=0.1,
        **recipe_field(space, "noise.spread"),
        disabled=noise.noise_columns == 0,
        help="As a multiple of the features' median standard deviation. *Scale features* undoes it.",
    )
    _choose_rescaling(space, dataset)
    st.slider(
        "Labels flipped (%)",
        0,
        100,
        step=1,
        **percent_field(space, "noise.flipped"),
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
    chosen = space.document.recipe.noise.rescaled_column
    if chosen not in listed:
        listed.append(chosen)  # by a link
    st.selectbox(
        "Rescale a column",
        listed,
        placeholder="none",
        filter_mode="fuzzy" if len(listed) > MOST_UNFILTERED else None,
        format_func=lambda k: column_name(dataset, k),
        **bind("explore.noise.rescaled", chosen, lambda column: _rescale(space, column)),
        help="As if the feature were measured in other units. *Scale features* undoes it."
        + (f" The first {MOST_COLUMNS_LISTED} columns are listed." if dataset.n_features > MOST_COLUMNS_LISTED else ""),
    )
    st.number_input(
        "Times",
        -1e6,
        1e6,
        format="%g",
        **recipe_field(space, "noise.factor"),
        disabled=chosen is None,
        help="What the chosen column is multiplied by.",
    )
    if chosen is not None and space.document.recipe.preparation.step != "none":
        st.caption("Scaling undoes this. Choose *as they are* under *Scale features* to see the effect.")


def _rescale(space: Workspace, column: int | None) -> None:
    """Rescale that column, by a factor that has an effect."""
    noise = space.document.recipe.noise
    factor = _FIRST_FACTOR if column is not None and noise.factor == 1.0 else noise.factor
    change(space, lambda now: replace(now, noise=replace(now.noise, rescaled_column=column, factor=factor)))


def column_name(dataset: Dataset, k: int | None) -> str:
    """Number and name: two columns may look the same."""
    if k is None:
        return "none"
    name = visible(dataset.feature_names[k]) if k < dataset.n_features else "not in these data"
    return f"{k + 1}: {name}"
