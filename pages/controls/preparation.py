"""Widgets for preprocessing, split and sampling."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from datasets.base.dataset import Dataset
from datasets.base.words import percent
from datasets.preparation import PREPROCESSING, SAMPLING, PreparationConfig, Prepared, held_out_share, most_rows
from datasets.preparation_steps import REDUCTIONS
from pages.controls.recipe_widgets import bind, change, percent_field, recipe_field
from pages.server.workspace import Workspace
from pages.views.notes import preparation_steps
from stage import wording
from stage.plain_text import as_text, visible
from study.recipe import FIELDS, LARGEST_SAMPLE, MOST_COMPONENTS

COMPONENTS_AT_FIRST = 30
ALL_FEATURES = "all"
_BY_CLASS = ("stratified", "")


def choose_preparation(space: Workspace, dataset: Dataset | None) -> None:
    """Scaling of the features, and the share of rows held out."""
    config = space.document.recipe.preparation
    st.selectbox(
        "Scale features",
        filter_mode=None,
        options=list(PREPROCESSING),
        format_func=wording.labelled(wording.PREPROCESSING),
        **recipe_field(space, "scale"),
        help="Applied to each feature first. Standardise: mean 0 and standard deviation 1. Fitted on the training "
        "rows only.",
    )
    kept = config.test_fraction > 0
    st.slider(
        "Validation rows (%)" if kept else "Held out for testing (%)",
        0,
        90,
        step=5,
        **percent_field(space, "held_out", 0.0 if dataset is None else held_out_share(dataset.y, config)),
        help="These rows are drawn hollow and never trained on: they test the result. A quarter by default, where "
        "the classes are large enough.",
    )
    if dataset is not None and dataset.split_columns:
        _choose_split(space, dataset)
    with st.expander("Test rows" + (f": {percent(config.test_fraction)}" if kept else "")):
        st.slider(
            "Kept for a test (%)",
            0,
            50,
            step=5,
            **percent_field(space, "test"),
            help="These rows are not drawn and not used until you open them below the panels. Hollow rows then choose "
            "iteration, K, λ and panel.",
        )


def _choose_split(space: Workspace, dataset: Dataset) -> None:
    """By class, by a column whose groups stay together, or by time; a column of repeating ids is proposed."""
    config, titles = space.document.recipe.preparation, {_BY_CLASS: "by class"}
    for column in dataset.split_columns:
        if (column.codes >= 0).any():
            titles["group", column.name] = f"by group: {column.name}"
        if column.times is not None:
            titles["time", column.name] = f"by time: {column.name}"
    now = (config.split, config.split_column) if config.split != "stratified" else _BY_CLASS

    def put(chosen: tuple[str, str]) -> None:
        split, name = chosen
        there = space.document.recipe.preparation
        change(space, lambda recipe: replace(recipe, preparation=replace(there, split=split, split_column=name)))

    st.selectbox(
        "Split",
        list(dict.fromkeys([*titles, now])),
        filter_mode=None,
        format_func=lambda one: visible(titles.get(one, f"by {one[1]}")),
        **bind("explore.split", now, put),
        help="By group: all rows of one patient or plate stay on one side. By time: the latest rows are held out.",
    )
    proposed = next((column.name for column in dataset.split_columns if column.proposed), None)
    if proposed is not None and now == _BY_CLASS:
        st.caption(as_text(f"{proposed} repeats: split by it, or rows of one {proposed} stand on both sides."))


def choose_rows(space: Workspace, dataset: Dataset | None) -> None:
    """The largest number of rows to train on, and how they are sampled."""
    config = space.document.recipe.preparation
    field = FIELDS["rows"]
    st.number_input(
        "At most this many rows",
        10,
        LARGEST_SAMPLE,
        **bind(
            "explore.rows",
            config.max_rows if dataset is None else most_rows(dataset, config),
            lambda rows: change(space, lambda recipe: field.put(recipe, rows)),
        ),
        help="A larger table is sampled down to this many rows.",
    )
    if dataset is not None and dataset.n_samples > most_rows(dataset, config):
        st.selectbox(
            "How to sample them",
            list(SAMPLING),
            filter_mode=None,
            format_func=wording.labelled(wording.SAMPLING),
            **recipe_field(space, "sampling"),
            help="The same share of each class, or every row equally likely.",
        )


def steps_line(ready: Prepared) -> None:
    """The preparation in one line; its tooltip says what each step did."""
    st.caption(as_text(preparation_steps(ready)), help=as_text(" ".join(step.sentence for step in ready.steps)))


def choose_components(space: Workspace) -> None:
    """Whether to reduce the features first, how, and to how many."""
    config = space.document.recipe.preparation
    now = ALL_FEATURES if config.components is None else config.reduction
    st.selectbox(
        "Fewer features first",
        [ALL_FEATURES, *REDUCTIONS],
        filter_mode=None,
        format_func=wording.labelled(
            {ALL_FEATURES: "no, all of them"} | {key: each.title for key, each in REDUCTIONS.items()}
        ),
        **bind("explore.reduction", now, lambda key: reduce_to(space, key)),
        help="Faster with many features, and less prone to overfitting. Fitted on the training rows only.",
    )
    if config.components is not None:
        st.number_input(
            "How many",
            1,
            MOST_COMPONENTS,
            **recipe_field(space, "components"),
            help="If there are fewer, all of them are kept.",
        )


def reduce_to(space: Workspace, reduction: str) -> None:
    """Reduce the features first, by a key of REDUCTIONS; ALL_FEATURES for no reduction."""
    config = space.document.recipe.preparation
    if reduction == ALL_FEATURES:
        config = replace(config, components=None, reduction=PreparationConfig().reduction)
    else:
        config = replace(config, components=config.components or COMPONENTS_AT_FIRST, reduction=reduction)
    change(space, lambda recipe: replace(recipe, preparation=config))
