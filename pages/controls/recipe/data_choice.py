"""Pick a data set of the catalogue (with its sliders), of one's folder or of one's own."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.catalogue import DATASETS, Parameter
from pages.controls.base.bound import bound, change
from pages.controls.base.messages import show_error
from pages.controls.recipe.screens import CATALOGUE
from pages.server.data import choices, choose_data, chosen_dataset, chosen_key
from pages.server.downloads import settle
from pages.server.workspace import Workspace


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
        **bound("explore.data", key, lambda said: choose_data(space, said)),
        help="The catalogue, the tables of your folder, and what you brought along, drew or downloaded.",
    )
    st.page_link(CATALOGUE, label="All data sets, with pictures →", query_params={"tab": "Catalogue"})
    for parameter in DATASETS[key].parameters if key in DATASETS else ():
        _slider(space, parameter)
    try:
        return chosen_dataset(space)
    except (DataError, ValueError) as error:
        show_error(error)
        return None


def _slider(space: Workspace, parameter: Parameter) -> None:
    data = space.belongings.recipe.data
    said = dict(data.parameters)

    def put(value: float) -> None:
        parameters = tuple({**said, parameter.name: value}.items())
        change(space, lambda recipe: replace(recipe, data=replace(data, parameters=parameters)))

    st.slider(
        parameter.label,
        parameter.minimum,
        parameter.maximum,
        step=parameter.step,
        **bound(f"explore.{data.key}.{parameter.name}", said.get(parameter.name, parameter.default), put),
        help=parameter.help or None,
    )
