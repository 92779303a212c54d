"""Explore: choose data, and watch a projection train next to others."""

import streamlit as st

from pages.controls.comparison import embeddings, first_lines, k_lines, offers_training, show_comparison
from pages.controls.export import export_menu, picture_request
from pages.controls.point import pin_request, why_here_link
from pages.controls.results import accuracies, more_classifiers, spectra, test_rows, what_a_looks_at
from pages.controls.shell import present, show_notes
from pages.controls.sidebar import sidebar
from pages.controls.table import selection, table_on_explore
from pages.server import trainings
from pages.server.measurements import measurements, solved_accuracies
from pages.server.session import workspace
from pages.views.notes import about, accuracy_sample, remarks
from stage.streamlit_host import live_stage

space = workspace()
presenting = present()
dataset, steps = sidebar(space)
shown = table_on_explore(space, key="explore.table")
if shown and dataset is None:  # the table says what it waits for
    st.stop()
comparison = show_comparison(space, dataset, steps, "explore.stage")
measured = measurements(space, comparison)
first_lines(space, comparison, measured)
raw = comparison.prepared.raw
point, saved = pin_request(space, raw), picture_request(comparison)
turn, solved = not offers_training(space), solved_accuracies(measured)
stage = live_stage(space, key="explore.stage", turn=turn, point=point, picture=saved, solved=solved)
why_here_link(space, raw, stage)
embeddings(space)

selection(raw, stage, key="explore")
if presenting:
    st.stop()
export_menu(space, comparison, stage)
accuracies(measured)
test_rows(space, comparison)
k_lines(space, measured)
spectra(space, comparison)
more_classifiers(space, comparison)
what_a_looks_at(comparison, *trainings.first_shown(space))
show_notes([*raw.notes, *comparison.prepared.notes], fold="Notes on the data")
show_notes([*remarks(trainings.trajectories(space)), accuracy_sample(comparison.prepared), about(raw)])
