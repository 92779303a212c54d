"""The data set as it stands: its numbers, whether its rows are images, and the way to the Explore page."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from datasets.base.dataset import Dataset
from datasets.columns.images import likely_image_shape, possible_image_shapes
from datasets.preparation import most_rows
from pages.controls.recipe.screens import explore_data
from pages.controls.table.upload_state import built_dataset, current_upload, use_label, use_plan
from pages.server.upload import Upload
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from pages.views.table_checks import size_sentence, table_checks

_FEWEST_PIXELS = 16
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
    limit = most_rows(dataset, space.belongings.recipe.preparation)
    st.caption(as_text(f"The smallest class is {checks.smallest_name!r}. {size_sentence(checks, limit)}"))


def image_select(space: Workspace, upload: Upload, dataset: Dataset, key: str) -> None:
    """Asked where the number of features makes a picture."""
    plan = upload.plan
    shapes = possible_image_shapes(dataset.n_features) if dataset.n_features >= _FEWEST_PIXELS else []
    if plan is None or not shapes:
        return
    likely = likely_image_shape(replace(dataset, image_shape=None))
    hint = "" if likely is None else f" (they look like {likely[0]} x {likely[1]})"
    st.session_state[key] = dataset.image_shape or _NO

    def changed() -> None:
        shape = st.session_state[key]
        use_plan(space, replace(upload, image_shape=None if shape == _NO else shape), plan)

    st.selectbox(
        f"Rows are images{hint}",
        [_NO, *shapes],
        format_func=lambda shape: _NO if shape == _NO else f"{shape[0]} rows x {shape[1]} columns of pixels",
        key=key,
        on_change=changed,
    )


def ready_buttons(space: Workspace, upload: Upload, key: str) -> None:
    """On to the picture, or back to what was proposed."""
    with st.container(horizontal=True):
        go = st.button(
            "Explore this data",
            key=f"{key}.explore",
            type="primary",
            disabled=bool(upload.error) or built_dataset(space) is None,
        )
        st.button(
            "Back to what was proposed",
            key=f"{key}.undo",
            on_click=_undo,
            args=(space,),
            help="Label, columns and all choices below them as they were when the table was read.",
        )
    if go:
        explore_data(space, upload.key)


def _undo(space: Workspace) -> None:
    upload = current_upload(space)
    if upload is not None:
        space.belongings.undone += 1
        use_label(space, replace(upload, image_shape=None), None)
