"""Where one is: which lesson and which step, in the address and in the session."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from lessons import LESSONS
from lessons.base.lesson import Lesson, Step
from lessons.base.own import LESSON, STEP
from lessons.base.progress import StepDone
from pages.controls.base.asked import forget_asked
from pages.server.session import write_lesson_link
from pages.server.workspace import Workspace

_PLACE = "learn.place"


@dataclass(frozen=True)
class Place:
    """A step of a lesson."""

    lesson: Lesson
    index: int

    @property
    def step(self) -> Step:
        return self.lesson.steps[self.index]

    @property
    def key(self) -> tuple[str, int]:
        return self.lesson.key, self.index


def chosen_place(space: Workspace) -> Place | None:
    """The step that the address names, else the one that was left last; None for the list of all lessons.

    A teacher's lesson is none of them.
    """
    key, index = place_key()
    if key not in LESSONS:
        write_lesson_link({})
        return None
    write_lesson_link({LESSON: key, STEP: str(index + 1)})
    return Place(LESSONS[key], index)


def place_key() -> tuple[str, int]:
    """The lesson's key, "" for the list, `OWN_LESSON` for a teacher's, and the place of the step."""
    if _PLACE not in st.session_state:
        go(st.query_params.get(LESSON, ""), _number(st.query_params.get(STEP, "1")))
    place: tuple[str, int] = st.session_state[_PLACE]
    return place


def go(key: str, number: int = 1) -> None:
    """To that step of a lesson, counted from 1; a key that is no lesson's leads to the list."""
    forget_asked()  # of the step that one leaves
    steps = len(LESSONS[key].steps) if key in LESSONS else 1
    st.session_state[_PLACE] = key, max(1, min(number, steps)) - 1


def done_at(space: Workspace, place: Place) -> StepDone:
    """What was done there."""
    return space.belongings.progress.get(place.key, StepDone())


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 4 else 1
