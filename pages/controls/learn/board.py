"""A board to draw on within a lesson, and the recipe on what was drawn."""

from __future__ import annotations

from dataclasses import replace

from datasets.base.errors import DataError
from datasets.drawn import drawn_dataset
from pages.controls.base.asked import pressed
from pages.controls.base.messages import show_error
from pages.controls.drawing.component import board
from pages.server.workspace import Workspace
from study.recipe import OWN, Recipe

DRAWN_HERE = f"{OWN}:drawn in a lesson"


def lesson_board(space: Workspace, recipe: Recipe) -> Recipe | None:
    """`recipe` on the points that were drawn; None while there are none."""
    own = space.belongings
    own.drawing = board(key="learn.board", drawing=own.drawing)
    if pressed("Use these points", "learn.use_points", shortcut="u"):
        try:
            dataset = drawn_dataset(own.drawing.points, own.drawing.codes, 0, 0.0, 0, "Drawn in a lesson")
        except DataError as error:
            show_error(error)
        else:
            own.keep_data(DRAWN_HERE, dataset)
    if DRAWN_HERE not in own.own_data:
        return None
    return replace(recipe, data=own.data_recipe(DRAWN_HERE))
