"""Compare: any projections of the same rows side by side, under one clock, with numbers that are fair."""

from __future__ import annotations

import streamlit as st

from pages.controls.base.messages import show_notes
from pages.controls.base.page_end import end_page
from pages.controls.compare.cards import panel_cards
from pages.controls.compare.chance import against_chance
from pages.controls.compare.differences import SELECT, differences
from pages.controls.compare.machine import time_machine
from pages.controls.compare.numbers import numbers
from pages.controls.compare.sidebar import sidebar
from pages.controls.compare.why_here import question_of, why_here
from pages.controls.export.menu import export_menu, picture_wish
from pages.controls.recipe.comparison import show_comparison
from pages.controls.recipe.embeddings import embeddings
from pages.controls.recipe.head import first_lines
from pages.controls.recipe.pinned import pinned_row, pinned_wish
from pages.controls.recipe.present import present
from pages.controls.recipe.share import problems
from pages.controls.table.selection import selection
from pages.server import trainings
from pages.server.session import second_workspace, write_link
from pages.stage.component import live_stage
from pages.views.notes import about, remarks

space = second_workspace()
presenting = present()
dataset, cards, steps = sidebar(space)
write_link(space)
problems(space)
if dataset is None:
    st.info("Choose a data set on the left. A table of your own is dropped on Explore or Data, and listed here, too.")
    end_page()

comparison = show_comparison(space, dataset, steps)
with cards:
    panel_cards(space, comparison, dataset)
raw = comparison.prepared.raw
machine, to_select = time_machine(space, dataset), st.session_state.get(SELECT)
point = pinned_wish(space, raw)
stage = live_stage(
    space,
    key="compare.stage",
    select=to_select,
    asked=machine,
    point=point,
    question=question_of(point),
    picture=picture_wish(comparison),
)
why_here(space, comparison, pinned_row(space, raw, stage))
embeddings(space)
measured = trainings.measurements(space, comparison)
first_lines(space, comparison, measured)
if presenting:
    end_page()
export_menu(space, comparison, stage)
TABS = ["Numbers", "Against chance", "Differences"]
numbers_tab, chance_tab, differences_tab = st.tabs(TABS, key="compare.tab", on_change="rerun")
if numbers_tab.open:
    with numbers_tab:
        numbers(space, comparison, dataset)
if chance_tab.open:
    with chance_tab:
        against_chance(space, comparison, dataset)
if differences_tab.open:
    with differences_tab:
        differences(space, comparison)
selection(raw, stage, key="compare")
show_notes([*raw.notes, *comparison.prepared.notes])
show_notes([*remarks(trainings.trajectories(space)), about(raw)])
