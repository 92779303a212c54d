"""Explore: choose data, watch a projection train beside others, compare."""

from __future__ import annotations

import streamlit as st

from datasets.base.errors import DataError
from pages.controls.base.messages import show_error, show_notes
from pages.controls.recipe.data_choice import choose_dataset
from pages.controls.recipe.head import head, k_lines, verdicts
from pages.controls.recipe.noise import choose_noise
from pages.controls.recipe.panels import choose_panels
from pages.controls.recipe.preparation import choose_preparation, steps_line
from pages.controls.recipe.share import problems, share
from pages.controls.recipe.training import choose_training
from pages.controls.recipe.transport import transport
from pages.controls.recipe.what_a_looks_at import what_a_looks_at
from pages.controls.table.selection import selection
from pages.controls.table.summary import table_on_explore
from pages.controls.table.upload import upload_field
from pages.server import trainings
from pages.server.session import workspace, write_link
from pages.stage.component import live_stage
from pages.views.accuracy_table import accuracy_table
from pages.views.notes import about, how_accuracies_were_asked, remarks

space = workspace()

with st.sidebar:
    st.subheader("NCA Explorer", anchor=False)
    upload_field(space, key="explore.upload")
    dataset = choose_dataset(space)
    if dataset is not None:
        choose_noise(space, dataset)
    choose_preparation(space, dataset)
    steps = st.empty()
    choose_panels(space)
    choose_training(space, numeric_label=dataset is not None and dataset.target is not None)
    share(space)

write_link(space)
problems(space)
shown = table_on_explore(space, key="explore.table")
if dataset is None:
    if not shown:
        st.info("Choose a data set on the left, or drop a table on the field above it.")
    st.stop()
try:
    comparison = trainings.show(space, dataset)
except (DataError, ValueError) as error:
    show_error(error)
    st.stop()

with steps:
    steps_line(comparison.prepared)
head(comparison)
transport(space, dataset)
comparison = trainings.show(space, dataset)
measured = trainings.measurements(space, comparison)
verdicts(space, comparison, measured)
stage = live_stage(space, key="explore.stage")

accuracies = accuracy_table(measured)
st.dataframe(
    accuracies,
    hide_index=True,
    column_config={name: st.column_config.NumberColumn(format="%.3f") for name in accuracies.columns if "-NN" in name},
    key="explore.accuracies",
)
k_lines(measured)
key, newest = trainings.newest(space)
what_a_looks_at(comparison, key, newest)
raw = comparison.prepared.raw
selection(raw, stage, key="explore")
show_notes([*raw.notes, *comparison.prepared.notes])
show_notes([*remarks(trainings.trajectories(space)), how_accuracies_were_asked(comparison.prepared), about(raw)])
