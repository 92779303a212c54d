"""Understand: the picture of Explore, and why it is as it is: one question at a time, answered for these data."""

from __future__ import annotations

import streamlit as st

from pages.controls.base.page_end import end_page
from pages.controls.export.menu import export_menu, picture_wish
from pages.controls.recipe.comparison import show_comparison
from pages.controls.recipe.embeddings import embeddings
from pages.controls.recipe.pinned import pinned_row, pinned_wish
from pages.controls.recipe.present import present
from pages.controls.recipe.share import problems
from pages.controls.sidebar import sidebar
from pages.controls.table.selection import selection
from pages.controls.understand.cope import cope, disturb
from pages.controls.understand.grab import grab
from pages.controls.understand.k import where_k_comes_from
from pages.controls.understand.metric import metric
from pages.controls.understand.optima import many_optima
from pages.controls.understand.point import one_point
from pages.controls.understand.questions import choose_question
from pages.server.session import workspace, write_link
from pages.stage.component import live_stage

space = workspace()
present()
dataset, steps = sidebar(space)
write_link(space)
problems(space)
if dataset is None:
    st.info("Choose a data set on the left, or drop a table on the field above it.")
    end_page()

comparison = show_comparison(space, dataset, steps)
asked = choose_question()
if asked == "cope":
    disturb(space, comparison, dataset)  # above the stage, which is watched meanwhile
raw = comparison.prepared.raw
point, picture = pinned_wish(space, raw), picture_wish(comparison)
stage = live_stage(space, key="understand.stage", point=point, question=asked, picture=picture)
row = pinned_row(space, raw, stage)
embeddings(space)
selection(raw, stage, key="understand")
if asked == "point":
    one_point(space, comparison, row)
elif asked == "metric":
    metric(space, comparison)
elif asked == "k":
    where_k_comes_from(space, comparison)
elif asked == "grab":
    grab(space, comparison, dataset, stage)
elif asked == "cope":
    cope(space, comparison)
else:
    many_optima(space, comparison, dataset)
export_menu(space, comparison, stage)
