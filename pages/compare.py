"""Compare: projections of the same rows side by side, under one clock, with fair numbers."""

import streamlit as st

from pages.controls.comparison import embeddings, first_lines, show_comparison
from pages.controls.export import export_menu, picture_request
from pages.controls.panel_cards import panel_cards, time_machine
from pages.controls.point import pin_request, pinned_row, question_of, why_here
from pages.controls.results import SELECT, against_chance, differences, numbers, test_rows
from pages.controls.shell import present, show_notes
from pages.controls.sidebar import compare_sidebar
from pages.controls.table import selection
from pages.server import trainings
from pages.server.measurements import measurements, solved_accuracies
from pages.server.session import second_workspace
from pages.views.notes import about, remarks
from stage.streamlit_host import live_stage

space = second_workspace()
presenting = present()
dataset, steps, cards = compare_sidebar(space)
if dataset is not None:
    trainings.show_runs_of_explore(space, dataset)
comparison = show_comparison(space, dataset, steps, "compare.stage")
with cards:
    panel_cards(space, comparison)
raw = comparison.prepared.raw
machine, to_select = time_machine(space, comparison.dataset), st.session_state.get(SELECT)
point = pin_request(space, raw)
measured = measurements(space, comparison)
stage = live_stage(
    space,
    key="compare.stage",
    select=to_select,
    on_action=machine,
    point=point,
    question=question_of(point),
    picture=picture_request(comparison),
    solved=solved_accuracies(measured),
)
why_here(space, comparison, pinned_row(space, raw, stage))
embeddings(space)
first_lines(space, comparison, measured)
if presenting:
    st.stop()
export_menu(space, comparison, stage)
test_rows(space, comparison)
TABS = {"Numbers": numbers, "Against chance": against_chance, "Differences": differences}
tabs = st.tabs(list(TABS), key="compare.tab", on_change="rerun")
for tab, draw in zip(tabs, TABS.values(), strict=True):
    if tab.open:
        with tab:
            draw(space, comparison)
selection(raw, stage, key="compare")
show_notes([*raw.notes, *comparison.prepared.notes], fold="Notes on the data")
show_notes([*remarks(trainings.trajectories(space)), about(raw)])
