"""Learn: lessons in steps: read, predict, do, and compare with what the engine measures."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from lessons.base.lesson import Seen
from pages.controls.lesson_progress import closing, keep_progress
from pages.controls.lessons import (
    CurrentStep,
    answer,
    current_step,
    heading,
    lesson_dataset,
    next_button,
    overview,
    picture,
    question_and_task,
    record_task,
    scroll,
    text,
)
from pages.controls.own_lessons import lesson_file, opened_lesson, own_dataset, preview_bar
from pages.controls.shell import present, view_buttons
from pages.server.session import lesson_workspace
from pages.server.workspace import Workspace


def show_step(space: Workspace, current: CurrentStep) -> None:
    """Text, question, stage and answer of a step."""
    head = st.container(key="learn.head")
    with st.container(key="learn.body" if current.own is None else "learn.own_body"):
        words = st.container(key="learn.words")
        question = st.container(key="learn.question")
        if current.own is not None:  # the picture below is as wide as the page
            verdict = st.container(key="learn.verdict")
        stage_place = st.container(key="learn.stage_place")
        if current.own is None:
            verdict = st.container(key="learn.verdict")
    with words:
        text(current)
    export_slot = st.container(key="learn.export_slot")
    with stage_place:
        dataset = lesson_dataset(space, current) if current.own is None else own_dataset(space, current)
        seen = picture(space, current, dataset, export_slot) if dataset is not None else Seen()
    done = record_task(space, current, seen)
    with question:
        question_and_task(space, current, done, seen)
    with head:
        heading(space, current)
    with verdict:
        answer(current, done, seen)
        if done.complete(current.step):
            next_button(current, "learn.next_below")  # the other one may be out of sight
    scroll(current, done)


space = lesson_workspace()
presenting = present()
st.html(Path(__file__).parent / "controls" / "lessons.css")
current = current_step(opened_lesson(space))
preview_bar(current)
if current is None:
    overview(space)
    if presenting:
        view_buttons()
    else:
        lesson_file(space)
elif current.at_end:
    heading(space, current)
    closing(space, current.lesson)
else:
    show_step(space, current)
keep_progress(space)
