"""The data set as it stands: its numbers, and whether its rows are images."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from datasets.base.dataset import Dataset
from datasets.columns.images import could_be_images, likely_image_shape, possible_image_shapes
from datasets.preparation import held_out_share, most_rows
from pages.controls.table.upload_state import see_images
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from pages.views.table_checks import size_sentence, table_checks

_NO = "no"  # to a select box None is no choice at all


def checks_line(space: Workspace, dataset: Dataset) -> None:
    """Rows, features, classes, the smallest class, and what the size means for training."""
    checks = table_checks(dataset)
    with st.container(horizontal=True):
        for label, value in (
            ("Rows", checks.n_rows),
            ("Features", checks.n_features),
            ("Classes", checks.n_classes),
            ("Smallest class", checks.smallest),
        ):
            st.metric(label, f"{value:,}", width="content")
    config = space.belongings.recipe.preparation
    limit, share = most_rows(dataset, config), held_out_share(dataset.y, config)
    st.caption(as_text(f"The smallest class is {checks.smallest_name!r}. {size_sentence(checks, limit, share)}"))


def image_select(space: Workspace, dataset: Dataset, key: str) -> None:
    """Asked only where the features could be the pixels of a picture."""
    if not could_be_images(dataset):
        return
    likely = likely_image_shape(replace(dataset, image_shape=None))
    hint = "" if likely is None else f" (they look like {likely[0]} x {likely[1]})"
    st.session_state[key] = dataset.image_shape or _NO

    def changed() -> None:
        shape = st.session_state[key]
        see_images(space, None if shape == _NO else shape)

    st.selectbox(
        f"Rows are images{hint}",
        [_NO, *possible_image_shapes(dataset.n_features)],
        format_func=lambda shape: _NO if shape == _NO else f"{shape[0]} rows x {shape[1]} columns of pixels",
        key=key,
        on_change=changed,
    )
