"""The recipes that a page opens: one cell, or the methods of a row side by side on the same split."""

from __future__ import annotations

from dataclasses import replace

from study.experiments.base.cell import Cell
from study.experiments.base.experiment import MAIN, Experiment
from study.panel import PanelRecipe, free_key
from study.recipe import MOST_PANELS, Recipe


def cells_of_row(experiment: Experiment, row: str, seed: int) -> dict[str, Cell]:
    """The cells of a row with the paper's own settings on one split, by method; those that a page can show."""
    lines = (line for line in experiment.lines if line.row == row and line.variant == MAIN)
    return {line.column: line.cell.seeded(seed) for line in lines if line.cell.opens_on_a_page}


def side_by_side(cells: dict[str, Cell]) -> Recipe | None:
    """One recipe with a panel for each cell on the rows of the first; None where there is no cell.

    A cell on other data, or prepared otherwise, is left out, and so is one whose panel stands there already.
    """
    if not cells:
        return None
    first = next(iter(cells.values())).recipe
    panels: list[PanelRecipe] = []
    for cell in cells.values():
        recipe = cell.recipe
        if replace(recipe, panels=first.panels) != first:
            continue
        panel = recipe.panels[0]
        if any(replace(panel, key=other.key) == other for other in panels if other.method_key == panel.method_key):
            continue
        panels.append(replace(panel, key=free_key(panel.method_key, {other.key for other in panels})))
    return replace(first, panels=tuple(panels[:MOST_PANELS]))
