"""Widgets for preprocessing, split and sampling."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from datasets.base.dataset import Dataset
from datasets.preparation import (
    PREPROCESSING,
    SAMPLING,
    PreparationConfig,
    Prepared,
    held_out_share,
    most_rows,
)
from datasets.reduction import REDUCTIONS
from pages.controls.base.bound import bound, change, field_of, percent_of
from pages.server.workspace import Workspace
from pages.text import wording
from pages.text.plain_text import as_text
from pages.views.preparation_steps import preparation_steps
from study.fields import FIELDS, LARGEST_SAMPLE, MOST_COMPONENTS
from study.recipe import Recipe

COMPONENTS_AT_FIRST = 30
ALL_FEATURES = "all"


def choose_preparation(space: Workspace, dataset: Dataset | None) -> None:
    """What is done to the features, and which rows are held out."""
    st.selectbox(
        "Scale features",
        filter_mode=None,
        options=list(PREPROCESSING),
        format_func=wording.labelled(wording.PREPROCESSING),
        **field_of(space, "scale"),
        help="What is done to each feature first. Standardise: mean 0 and standard deviation 1, so that no unit counts "
        "more than another. Learned on the training rows only.",
    )
    st.slider(
        "Held out for testing (%)",
        0,
        90,
        step=5,
        **percent_of(space, "held_out", _share(space, dataset)),
        help="These rows are drawn hollow and never trained on, so they tell whether a view holds for new rows. Unless "
        "you say otherwise a quarter, where the classes are large enough; 0 holds none out. What you say stays when "
        "the data change.",
    )


def _share(space: Workspace, dataset: Dataset | None) -> float:
    """The share that is held out as things are."""
    return 0.0 if dataset is None else held_out_share(dataset.y, space.belongings.recipe.preparation)


def choose_rows(space: Workspace, dataset: Dataset | None) -> None:
    """How many rows are trained on at most, and how they are sampled."""
    config = space.belongings.recipe.preparation
    field = FIELDS["rows"]
    st.number_input(
        "At most this many rows",
        10,
        LARGEST_SAMPLE,
        **bound(
            "explore.rows",
            config.max_rows if dataset is None else most_rows(dataset, config),
            lambda said: change(space, lambda recipe: field.put(recipe, said)),
        ),
        help="A larger table is sampled: so many of its rows are trained on and drawn.",
    )
    if dataset is not None and dataset.n_samples > most_rows(dataset, config):
        st.selectbox(
            "How to sample them",
            list(SAMPLING),
            filter_mode=None,
            format_func=wording.labelled(wording.SAMPLING),
            **field_of(space, "sampling"),
            help="The same share of each class, or every row equally likely.",
        )


def steps_line(ready: Prepared) -> None:
    """Which rows went through which steps, and on hovering what each did."""
    st.caption(as_text(preparation_steps(ready)), help=as_text(" ".join(step.sentence for step in ready.steps)))


def choose_components(space: Workspace) -> None:
    """Whether fewer features are made first, how, and how many."""
    config = space.belongings.recipe.preparation
    now = ALL_FEATURES if config.components is None else config.reduction
    st.selectbox(
        "Fewer features first",
        [ALL_FEATURES, *REDUCTIONS],
        filter_mode=None,
        format_func=wording.labelled(
            {ALL_FEATURES: "no, all of them"} | {key: each.title for key, each in REDUCTIONS.items()}
        ),
        **bound("explore.reduction", now, lambda said: reduce_to(space, said)),
        help="Quicker with many features, and less to overfit with few rows. PCA: the directions of greatest variance. "
        "Random projection: drawn directions, which keep distances about as they are. Best by F-value: the features "
        "whose class means differ most beside their spread. Learned on the training rows only.",
    )
    if config.components is not None:
        st.number_input(
            "How many",
            1,
            MOST_COMPONENTS,
            **field_of(space, "components"),
            help="If there are fewer, all of them are kept.",
        )


def reduce_to(space: Workspace, reduction: str) -> None:
    """Make fewer features first, in the way of that key of REDUCTIONS; ALL_FEATURES for none."""

    def changed(recipe: Recipe) -> Recipe:
        if reduction == ALL_FEATURES:
            config = replace(recipe.preparation, components=None, reduction=PreparationConfig().reduction)
        else:
            n = recipe.preparation.components or COMPONENTS_AT_FIRST
            config = replace(recipe.preparation, components=n, reduction=reduction)
        return replace(recipe, preparation=config)

    change(space, changed)
