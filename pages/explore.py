"""Explore: choose data, watch NCA train beside PCA and LDA, compare."""

from __future__ import annotations

import streamlit as st

from datasets.errors import DataError
from pages.controls.base.messages import show_error, show_notes
from pages.controls.recipe.data_choice import choose_dataset
from pages.controls.recipe.preparation import choose_preparation, steps_line
from pages.controls.recipe.training import choose_training
from pages.controls.recipe.transport import transport
from pages.controls.recipe.what_a_looks_at import what_a_looks_at
from pages.controls.table.download import download_button
from pages.controls.table.upload import upload_field
from pages.shared import comparison, wording
from pages.shared.session import prepared, workspace
from pages.stage.component import live_stage
from pages.views.accuracy_table import accuracy_table
from pages.views.selected_rows import selected_rows

space = workspace()

with st.sidebar:
    st.subheader("NCA Explorer", anchor=False)
    upload_field(space, key="explore.upload")
    dataset = choose_dataset(space)
    preparation = choose_preparation(dataset)
    steps = st.empty()
    training = choose_training(numeric_label=dataset is not None and dataset.target is not None)

if dataset is None:
    st.info("Choose a data set on the left, or drop a table on the field above it.")
    st.stop()
try:
    ready = prepared(space, dataset, preparation)
except DataError as error:
    show_error(error)
    st.stop()

if problem := comparison.too_narrow(ready, training.config):
    show_error(DataError(problem))
    st.stop()

with steps:
    steps_line(ready)
comparison.show_on_stage(space, ready, training.config)
transport(space, lambda: comparison.new_run(ready, training), lambda: comparison.differs(space, training.config))
stage = live_stage(space, key="explore.stage")
st.caption(wording.HOW_TO_READ)

accuracies = accuracy_table(comparison.accuracies(space, ready, training.config))
st.dataframe(
    accuracies,
    hide_index=True,
    column_config=dict.fromkeys(accuracies.columns[1:], st.column_config.NumberColumn(format="%.3f")),
    key="explore.accuracies",
)
what_a_looks_at(ready, comparison.latest(space))
if stage.selection:
    st.caption(f"{stage.selected_total:,} points selected; Escape on the stage clears them.")
    st.dataframe(selected_rows(ready.raw, stage.selection), hide_index=True, key="explore.selected")
    download_button(ready.raw, key="explore.download", rows=stage.selection)
show_notes([*dataset.notes, *ready.notes])
show_notes(
    [comparison.how_it_was_summed(space), comparison.how_accuracies_were_asked(ready), comparison.about(dataset)]
)
