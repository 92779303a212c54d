"""Learn: lessons in steps: read, predict, do, and compare with what the engine measures."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.controls.lessons import (
    answer,
    current_step,
    heading,
    next_button,
    overview,
    picture,
    question_and_task,
    record_task,
    scroll,
    text,
)
from pages.controls.own_lessons import lesson_file, opened_lesson, own_lesson
from pages.controls.shell import present, view_buttons
from pages.server.session import lesson_workspace

space = lesson_workspace()
presenting = present()
st.html(Path(__file__).parent / "controls" / "lessons.css")
own = opened_lesson(space)
if own is not None:
    own_lesson(space, own)
    st.stop()
current = current_step(space)
if current is None:
    overview(space)
    if presenting:
        view_buttons()
    else:
        lesson_file(space)
    st.stop()

head = st.container(key="learn.head")
with st.container(key="learn.body"):
    words = st.container(key="learn.words")
    question = st.container(key="learn.question")
    stage_place = st.container(key="learn.stage_place")
    verdict = st.container(key="learn.verdict")
with words:
    text(current.step)
export_slot = st.container(key="learn.export_slot")
with stage_place:
    seen = picture(space, current, export_slot)
done = record_task(space, current, seen)
with question:
    question_and_task(space, current, done, seen)
with head:
    heading(space, current)
with verdict:
    answer(current, done)
    if done.complete(current.step):
        next_button(current, "learn.next_below")  # the other one may be out of sight
scroll(current, done)
