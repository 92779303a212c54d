"""Pick a data set of the catalogue (with its sliders), of one's folder or of one's own."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.catalogue import DATASETS, Parameter
from pages.controls.base.bound import bound, change
from pages.controls.base.messages import show_error
from pages.controls.base.screens import screen
from pages.server.data import choices, choose_data, chosen_dataset, chosen_key
from pages.server.downloads import settle
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from pages.views.differences import kept_with_data
from study.recipe import DataRecipe
from study.seed import is_seed

_SHOWN, _CHANGED = "explore.data_shown", "explore.data_changed"


def choose_dataset(space: Workspace) -> Dataset | None:
    """The chosen data set; None after saying why there is none."""
    settle(space)  # what was downloaded meanwhile
    labels = choices(space)
    key = chosen_key(space)
    st.selectbox(
        "Data set",
        list(labels),
        format_func=lambda key: labels.get(key, str(key)),
        placeholder="Choose a data set",
        filter_mode=None,
        **bound("explore.data", key, lambda said: choose_data(space, said)),
        help="The catalogue, the tables of your folder, and what you brought along, drew or downloaded.",
    )
    st.page_link(screen("Data"), label="All data sets, with pictures →", query_params={"tab": "Catalogue"})
    parameters = [each for each in (DATASETS[key].parameters if key in DATASETS else ()) if not is_seed(each.name)]
    if parameters:
        with st.expander("Shape of these data", key="explore.shape"):
            for parameter in parameters:
                _slider(space, parameter)
    _say_what_is_kept(space)
    try:
        return chosen_dataset(space)
    except (DataError, ValueError) as error:
        show_error(error)
        return None


def _say_what_is_kept(space: Workspace) -> None:
    """Of the settings that were made for other data: said from the change of the data to the next change."""
    recipe = space.belongings.recipe
    before = st.session_state.get(_SHOWN, recipe.data)
    if (before.key, before.content) != (recipe.data.key, recipe.data.content):
        st.session_state[_CHANGED] = recipe
    st.session_state[_SHOWN] = recipe.data
    kept = kept_with_data(recipe)
    if kept and st.session_state.get(_CHANGED) == recipe:
        st.caption(as_text(f"Kept from the data before: {'; '.join(kept)}."))


def _with_parameter(data: DataRecipe, name: str, value: float) -> DataRecipe:
    return replace(data, parameters=tuple({**dict(data.parameters), name: value}.items()))


def _slider(space: Workspace, parameter: Parameter) -> None:
    data = space.belongings.recipe.data
    said = dict(data.parameters)

    def put(value: float) -> None:
        change(space, lambda recipe: replace(recipe, data=_with_parameter(recipe.data, parameter.name, value)))

    st.slider(
        parameter.label,
        parameter.minimum,
        parameter.maximum,
        step=parameter.step,
        **bound(f"explore.{data.key}.{parameter.name}", said.get(parameter.name, parameter.default), put),
        help=parameter.help or None,
    )
