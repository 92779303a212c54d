"""From a number to what stands behind it: a cell on Explore, the methods of its row on Compare."""

from __future__ import annotations

import streamlit as st

from pages.controls.base.asked import pressed
from pages.controls.base.screens import screen
from pages.server.session import second_workspace
from pages.server.workspace import Workspace
from study.experiments.base.experiment import Experiment
from study.experiments.base.opened import cells_of_row, side_by_side
from study.recipe import Recipe


def open_cell(space: Workspace, experiment: Experiment) -> None:
    """Choose a row and a split; two buttons open it."""
    rows = list(dict.fromkeys(line.row for line in experiment.lines))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        row = st.selectbox("Look at", rows, key=f"experiments.row.{experiment.key}", width=280)
        seed = st.number_input("Split", 0, experiment.splits - 1, key=f"experiments.split.{experiment.key}", width=120)
        cells = cells_of_row(experiment, row, int(seed))
        method = st.selectbox("Method", list(cells), key=f"experiments.method.{experiment.key}.{row}", width=220)
        of = experiment.key, row, seed, method
        if pressed("Open on Explore", "experiments.explore", of=of, disabled=not cells):
            _open(space, cells[str(method)].recipe, "Explore")
        if pressed("Compare the row", "experiments.compare", of=of[:3], disabled=not cells):
            together = side_by_side(cells)
            if together is not None:
                _open(second_workspace(), together, "Compare")
    if not cells:
        st.caption(
            "These rows are a part of their table, or no projection, which no recipe names; they cannot be opened."
        )
    elif any(cell.dimensions not in (None, 2, 3) for cell in cells.values()):
        st.caption("The number is of more dimensions than can be drawn; the page shows the same rows and split in 2-D.")


def _open(space: Workspace, recipe: Recipe, title: str) -> None:
    space.belongings.change(recipe)  # which undo takes back
    st.switch_page(screen(title))
