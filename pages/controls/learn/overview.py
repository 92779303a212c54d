"""The list of all lessons, with how far one has come."""

from __future__ import annotations

import streamlit as st

from lessons import LESSONS
from lessons.base.progress import steps_done
from pages.controls.learn.place import go
from pages.server.workspace import Workspace


def overview(space: Workspace) -> None:
    """A line and a button each, in the order of the path."""
    st.markdown("### Learn NCA in ten lessons")
    st.markdown(
        "Each lesson is a few steps: read, **predict**, do, and see whether you were right. In a hurry? Lessons 1, 2, "
        "4 and 5 say what is maximised, what K̂ is, and why a good score can mean nothing."
    )
    progress = space.belongings.progress
    with st.container(key="learn.list", gap="small"):
        for number, lesson in enumerate(LESSONS.values(), start=1):
            done, steps = steps_done(lesson, progress), len(lesson.steps)
            mark = "✓ done" if done == steps else f"{done} of {steps} steps" if done else f"{steps} steps"
            title, promise = st.columns([2, 3], vertical_alignment="center")
            title.button(
                f"{number}. {lesson.title}",
                key=f"learn.open.{lesson.key}",
                on_click=go,
                args=(lesson.key,),
                width="stretch",
            )
            promise.markdown(f"{lesson.promise} :small[({mark})]")
