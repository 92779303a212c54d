"""Above a step: which lesson this is, how far one has come, and the ways back, on and out."""

from __future__ import annotations

from typing import Any

import streamlit as st

from lessons import LESSONS
from lessons.base.progress import StepDone
from pages.controls.learn.place import Place, go
from pages.server.workspace import Workspace


def heading(space: Workspace, place: Place) -> None:
    """Title, a dot for each step, and the buttons; their keys are B, N and A."""
    keys = list(LESSONS)
    number = keys.index(place.lesson.key) + 1
    progress = space.belongings.progress
    dots = []
    for index, step in enumerate(place.lesson.steps):
        complete = progress.get((place.lesson.key, index), StepDone()).complete(step)
        dots.append("✓" if complete else "●" if index == place.index else "○")
    with st.container(horizontal=True, vertical_alignment="center", key="learn.heading"):
        st.markdown(
            f"**Lesson {number}: {place.lesson.title}**  \nStep {place.index + 1} of {len(dots)}: {place.step.title} "
            f"&nbsp; {'&nbsp;'.join(dots)}",
            width="stretch",
        )
        st.button("All lessons", key="learn.all", shortcut="a", on_click=go, args=("",))
        back = (place.lesson.key, place.index) if place.index else _before(keys, number)
        st.button("Back", key="learn.back", shortcut="b", disabled=back is None, on_click=go, args=back or ("",))
        complete = progress.get(place.key, StepDone()).complete(place.step)
        next_button(place, "learn.next", shortcut="n", type="primary" if complete else "secondary")


def next_button(place: Place, key: str, **look: Any) -> None:
    """To the next step; after the last one to the next lesson, and from the last lesson to the list."""
    keys = list(LESSONS)
    number, last = keys.index(place.lesson.key) + 1, place.index + 1 == len(place.lesson.steps)
    over = last and number == len(keys)
    after = (keys[number], 1) if last and not over else (place.lesson.key, place.index + 2)
    words = "Next lesson" if last and not over else "Next"
    st.button(words, key=key, on_click=go, args=("",) if over else after, **look)


def _before(keys: list[str], number: int) -> tuple[str, int] | None:
    """The last step of the lesson before."""
    if number == 1:
        return None
    key = keys[number - 2]
    return key, len(LESSONS[key].steps)
