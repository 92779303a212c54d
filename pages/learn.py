"""Learn: lessons, step by step: read, predict, do, and see what the engine answers."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.controls.base.markup import style
from pages.controls.base.page_end import end_page
from pages.controls.learn.heading import heading, next_button
from pages.controls.learn.overview import overview
from pages.controls.learn.own import lesson_file, opened_lesson, own_lesson
from pages.controls.learn.picture import picture
from pages.controls.learn.place import chosen_place
from pages.controls.learn.scroll import scroll
from pages.controls.learn.words import answer, asked, notice, text
from pages.controls.recipe.present import present, view_buttons
from pages.server.session import lesson_workspace

space = lesson_workspace()
presenting = present()
st.html(style(Path(__file__).parent / "controls" / "learn" / "layout.css"))
own = opened_lesson(space)
if own is not None:
    own_lesson(space, own)
    end_page()
place = chosen_place(space)
if place is None:
    overview(space)
    if presenting:
        view_buttons()
    else:
        lesson_file(space)
    end_page()

head = st.container(key="learn.head")
with st.container(key="learn.body"):
    words = st.container(key="learn.words")
    question = st.container(key="learn.question")
    stage_place = st.container(key="learn.stage_place")
    verdict = st.container(key="learn.verdict")
with words:
    text(place.step)
take_along = st.container(key="learn.take_along")
with stage_place:
    seen = picture(space, place, take_along)
done = notice(space, place, seen)
with question:
    asked(space, place, done, seen)
with head:
    heading(space, place)
with verdict:
    answer(place, done)
    if done.complete(place.step):
        next_button(place, "learn.next_below")  # where the other one is out of sight
scroll(place, done)
