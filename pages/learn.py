"""Learn: lessons in steps: read, predict, do, and compare with what the engine measures."""

from pathlib import Path

import streamlit as st

from pages.controls.lessons import closing, current_step, heading, keep_progress, lesson_dataset, overview, show_step
from pages.controls.own_lessons import lesson_file, opened_lesson, own_dataset, preview_bar
from pages.controls.shell import present, view_buttons
from pages.server.session import lesson_workspace

space = lesson_workspace()
presenting = present()
st.html(Path(__file__).parent / "controls" / "lessons.css")
current = current_step(space, opened_lesson(space))
preview_bar(current)
if current is None:
    overview(space)
    if presenting:
        view_buttons()
    else:
        lesson_file(space)
elif current.at_end:
    heading(current)
    closing(space, current.lesson)
else:
    show_step(current, lesson_dataset if current.own is None else own_dataset)
keep_progress(space)
