"""The stage of a step: the very stage of Explore, by the step's own recipe."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from datasets.base.errors import DataError
from lessons.base.lesson import NUMBERS
from lessons.base.tasks import Seen
from pages.controls.base.messages import show_error
from pages.controls.export.menu import export_menu, picture_wish
from pages.controls.learn.board import lesson_board
from pages.controls.learn.place import Place, done_at
from pages.controls.recipe.comparison import not_kept, put_on_stage
from pages.controls.recipe.present import view_buttons
from pages.controls.recipe.transport import transport
from pages.server import trainings
from pages.server.data import chosen_dataset
from pages.server.workspace import Workspace
from pages.stage.component import StageState, live_stage

_WISH = "learn.wish"
_PLAIN = "lesson"  # no question of the stage's own: only its panels and its player
_BEST = "best"  # the stage's way to the iteration that is best on held-out rows, which no lesson speaks of


def picture(space: Workspace, place: Place, take_along: DeltaGenerator) -> Seen:
    """Draw it, and the Export menu in `take_along`; gives what a task may ask for."""
    step, done = place.step, done_at(space, place)
    recipe = step.shown(done.said is not None)
    if step.draws == "board":
        drawn = lesson_board(space, recipe)
        if drawn is None:
            return Seen()
        recipe = drawn
    # Nothing of another recipe or lesson stays; the same one goes on, but for steps that speak of the start.
    before, _ = st.session_state.get(_WISH, (place.key, 0))
    begins = before != place.key and (step.anew or before[0] != place.lesson.key)
    if space.belongings.recipe != recipe or begins:
        trainings.reset(space)
    space.belongings.recipe = recipe
    space.belongings.own_lesson_shown = None  # after this one a teacher's lesson begins anew
    try:
        dataset = chosen_dataset(space)
        comparison = put_on_stage(space, dataset)
        not_kept()
    except (DataError, ValueError) as error:
        show_error(error)
        return Seen()
    if any(panel.trains for panel in comparison.panels):
        transport(space, dataset, asked=step.task is not None and step.task.trains and not done.done)
        comparison = trainings.show(space, dataset)  # as it is after what was pressed
    else:
        view_buttons()
    shown = {"": _PLAIN, "board": _PLAIN, "curves": ""}.get(step.draws, step.draws)
    told = {*step.numbers, *(step.numbers_after if done.answered(step) else ())}
    without = {*NUMBERS, _BEST} - told
    stage = live_stage(
        space,
        key="learn.stage",
        point=_wish(place),
        question=shown,
        watch=True,
        without=without,
        picture=picture_wish(comparison),
    )
    with take_along:
        export_menu(space, comparison, stage)
    return _seen(space, stage, step.pin)


def _wish(place: Place) -> tuple[int, int | None]:
    """The row that the step pins, once each time that it is opened."""
    before, number = st.session_state.get(_WISH, (None, 0))
    if before != place.key:
        number += 1
        st.session_state[_WISH] = place.key, number
    return number, place.step.pin


def _seen(space: Workspace, stage: StageState, pin: int | None) -> Seen:
    iterations, ended = {}, set()
    for key, held in space.runs.items():
        snapshots = held.run.trajectory.snapshots
        if snapshots:
            iterations[key] = snapshots[-1].iteration
        if held.run.state == "ended":
            ended.add(key)
    point = pin if stage.point is None else stage.point if stage.point >= 0 else None
    told = stage.seen
    return Seen(iterations, frozenset(ended), point, told.hidden, told.iteration, told.same_scale)
