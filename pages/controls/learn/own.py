"""A teacher's lesson: its words as text, the stage with what is left of the sidebar, and the answer in the end."""

from __future__ import annotations

import re

import streamlit as st

from datasets.base.errors import DataError
from lessons.base.own import (
    LESSON,
    LONGEST_LINK,
    OWN_LESSON,
    WORDS,
    OwnLesson,
    from_lesson_file,
    from_lesson_link,
    to_lesson_link,
)
from pages.controls.base.asked import pressed
from pages.controls.base.messages import show_error
from pages.controls.base.persistence import IN_SESSION
from pages.controls.export.menu import export_menu, picture_wish
from pages.controls.learn.parts import parts
from pages.controls.learn.place import go, place_key
from pages.controls.recipe.comparison import not_kept, put_on_stage
from pages.controls.recipe.share import problems
from pages.controls.recipe.transport import transport
from pages.server import trainings
from pages.server.session import recipe_in_the_address, write_lesson_link
from pages.server.workspace import Workspace
from pages.stage.component import live_stage
from pages.text.plain_text import as_text

_TOLD, _FAILED, _SAID = "learn.own_told", "learn.own_failed", "learn.own_said"


def opened_lesson(space: Workspace) -> OwnLesson | None:
    """The teacher's lesson that is to be shown: of the address, of a file, or the last one; None for none."""
    words = st.query_params.get(WORDS)
    if words and st.session_state.get(_TOLD) != words:
        st.session_state[_TOLD] = words
        try:
            lesson, not_understood = from_lesson_link(words, recipe_in_the_address())
        except ValueError as error:
            st.session_state[_FAILED] = str(error)
            go("")
        else:
            _open(space, lesson, not_understood)
    if failed := st.session_state.get(_FAILED):
        show_error(ValueError(failed))
    return space.belongings.own_lesson if place_key()[0] == OWN_LESSON else None


def _open(space: Workspace, lesson: OwnLesson, not_understood: tuple[str, ...]) -> None:
    space.belongings.own_lesson, space.belongings.problems = lesson, not_understood
    st.session_state[_FAILED] = ""
    st.session_state.pop(_SAID, None)
    go(OWN_LESSON)


def lesson_file(space: Workspace) -> None:
    """A field for the file of a lesson."""
    st.file_uploader(
        "Open a lesson that somebody made",
        type="json",
        key="learn.open_file",
        on_change=_file_opened,
        args=(space,),
        help="A file that was saved under Make a lesson, in the sidebar of Explore, Compare and Understand.",
    )


def _file_opened(space: Workspace) -> None:
    file = st.session_state["learn.open_file"]
    if file is None:
        return
    try:
        lesson, not_understood = from_lesson_file(file.getvalue().decode("utf-8"))
    except UnicodeDecodeError:
        st.session_state[_FAILED] = "The file is no lesson: it is not text in UTF-8."
    except ValueError as error:
        st.session_state[_FAILED] = str(error)
    else:
        space.belongings.own_lesson_shown = None  # a file that is opened again begins anew, a link that is reloaded not
        _open(space, lesson, not_understood)


def own_lesson(space: Workspace, lesson: OwnLesson) -> None:
    """Draw it."""
    if space.belongings.own_lesson_shown != lesson:  # once, and again after another one: what a student set stays else
        space.belongings.own_lesson_shown, space.belongings.recipe = lesson, lesson.recipe
    link = to_lesson_link(lesson)
    write_lesson_link(link if sum(map(len, link.values())) < LONGEST_LINK else {LESSON: OWN_LESSON})
    problems(space)
    dataset = parts(space, lesson)
    with st.container(horizontal=True, vertical_alignment="center", key="learn.heading"):
        st.markdown(f"**{as_text(lesson.title)}**", width="stretch")
        st.button("All lessons", key="learn.all", shortcut="a", on_click=go, args=("",))
    with st.container(key="learn.body"):
        with st.container(key="learn.words"):
            paragraphs(lesson.text)
        with st.container(key="learn.question"):
            _ask(lesson)
        stage_place = st.container(key="learn.stage_place")
    if dataset is None:
        return
    with stage_place:
        try:
            put_on_stage(space, dataset)
            not_kept()
            transport(space, dataset)
            comparison = trainings.show(space, dataset)  # as it is after what was pressed
        except (DataError, ValueError) as error:
            show_error(error)
            return
        stage = live_stage(space, key="learn.own_stage", picture=picture_wish(comparison))
    export_menu(space, comparison, stage)


def paragraphs(text: str) -> None:
    """A user's text, as text."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if paragraph.strip():
            st.markdown("  \n".join(as_text(line) for line in paragraph.splitlines()))


def _ask(lesson: OwnLesson) -> None:
    if not lesson.question.strip():
        return
    with st.container(key="learn.own_question"):
        paragraphs(lesson.question)
    if not lesson.answer.strip():
        return
    said = st.text_area("What do you expect?", key=_SAID, max_chars=1_000, **IN_SESSION)
    shown = pressed("Show the answer", "learn.own_show", disabled=not said.strip())
    if shown or st.session_state.get("learn.own_answered") == lesson:
        st.session_state["learn.own_answered"] = lesson
        with st.container(key="learn.answer"):
            paragraphs(lesson.answer)
