"""Explore: choose data, watch a projection train beside others, compare."""

from __future__ import annotations

import streamlit as st

from pages.controls.base.messages import show_notes
from pages.controls.base.page_end import end_page
from pages.controls.export.menu import export_menu, picture_wish
from pages.controls.recipe.accuracies import accuracies
from pages.controls.recipe.comparison import show_comparison
from pages.controls.recipe.embeddings import embeddings
from pages.controls.recipe.head import first_lines, k_lines
from pages.controls.recipe.pinned import pinned_wish, why_here
from pages.controls.recipe.present import present
from pages.controls.recipe.rules import rules
from pages.controls.recipe.share import problems
from pages.controls.recipe.spectra import spectra
from pages.controls.recipe.what_a_looks_at import what_a_looks_at
from pages.controls.sidebar import sidebar
from pages.controls.table.selection import selection
from pages.controls.table.summary import table_on_explore
from pages.server import trainings
from pages.server.session import workspace, write_link
from pages.stage.component import live_stage
from pages.views.notes import about, how_accuracies_were_asked, remarks

space = workspace()
presenting = present()
dataset, steps = sidebar(space)
write_link(space)
problems(space)
shown = table_on_explore(space, key="explore.table")
if dataset is None:
    if not shown:
        st.info("Choose a data set on the left, or drop a table on the field above it.")
    end_page()

comparison = show_comparison(space, dataset, steps)
measured = trainings.measurements(space, comparison)
first_lines(space, comparison, measured)
raw = comparison.prepared.raw
stage = live_stage(space, key="explore.stage", point=pinned_wish(space, raw), picture=picture_wish(comparison))
why_here(space, raw, stage)
embeddings(space)

selection(raw, stage, key="explore")
if presenting:
    end_page()
export_menu(space, comparison, stage)
accuracies(measured)
k_lines(space, measured)
spectra(space, comparison)
rules(space, comparison)
key, newest = trainings.newest(space)
what_a_looks_at(comparison, key, newest)
show_notes([*raw.notes, *comparison.prepared.notes])
show_notes([*remarks(trainings.trajectories(space)), how_accuracies_were_asked(comparison.prepared), about(raw)])
