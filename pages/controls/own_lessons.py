"""Lessons made by teachers: make one, open one from a file or a link, and play it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode, urljoin

import streamlit as st

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from lessons.base.own import (
    LESSON,
    LONGEST,
    LONGEST_LINK,
    OWN_LESSON,
    PARTS,
    WORDS,
    OwnLesson,
    from_lesson_file,
    from_lesson_link,
    to_lesson_file,
    to_lesson_link,
)
from pages.controls.comparison import put_on_stage, save_warning, transport
from pages.controls.data_choice import choose_dataset, choose_noise, dataset_or_error
from pages.controls.export import export_menu, picture_request
from pages.controls.lessons import current_key, go
from pages.controls.messages import show_error
from pages.controls.preparation import choose_preparation
from pages.controls.share import problems
from pages.controls.training import advanced, choose_panels, choose_training
from pages.server.session import recipe_in_the_address, write_lesson_link
from pages.server.workspace import Workspace
from pages.views.recipe import part_sentence
from stage.plain_text import as_text
from stage.streamlit_host import live_stage
from study.recipe import OWN

_READ, _FAILED, _PREDICTION = "learn.own_read", "learn.own_failed", "learn.own_prediction"
_ANSWERED = "learn.own_answered"


def opened_lesson(space: Workspace) -> OwnLesson | None:
    """The teacher's lesson to show: from the address, from a file, or the last one; None for none."""
    words = st.query_params.get(WORDS)
    if words and st.session_state.get(_READ) != words:
        st.session_state[_READ] = words
        try:
            lesson, problems_found = from_lesson_link(words, recipe_in_the_address())
        except ValueError as error:
            st.session_state[_FAILED] = str(error)
            go("")
        else:
            _open(space, lesson, problems_found)
    if failed := st.session_state.get(_FAILED):
        show_error(ValueError(failed))
    return space.document.own_lesson if current_key()[0] == OWN_LESSON else None


def _open(space: Workspace, lesson: OwnLesson, problems_found: tuple[str, ...]) -> None:
    space.document.own_lesson, space.document.problems = lesson, problems_found
    st.session_state[_FAILED] = ""
    st.session_state.pop(_PREDICTION, None)
    go(OWN_LESSON)


def lesson_file(space: Workspace) -> None:
    """A field for the file of a lesson."""
    st.file_uploader(
        "Open a lesson file",
        type="json",
        key="learn.open_file",
        on_change=_file_opened,
        args=(space,),
        help="A file made with *Make a lesson* in the sidebar of Explore, Compare or Understand.",
    )


def _file_opened(space: Workspace) -> None:
    file = st.session_state["learn.open_file"]
    if file is None:
        return
    try:
        lesson, problems_found = from_lesson_file(file.getvalue().decode("utf-8"))
    except UnicodeDecodeError:
        st.session_state[_FAILED] = "This is not a lesson file: it is not UTF-8 text."
    except ValueError as error:
        st.session_state[_FAILED] = str(error)
    else:
        space.document.own_lesson_shown = None  # a reopened file starts again; a reloaded link does not
        _open(space, lesson, problems_found)


def own_lesson(space: Workspace, lesson: OwnLesson) -> None:
    """Draw a teacher's lesson."""
    if space.document.own_lesson_shown != lesson:  # once: a student's changes stay
        space.document.own_lesson_shown, space.document.recipe = lesson, lesson.recipe
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
            _own_question(lesson)
        stage_place = st.container(key="learn.stage_place")
    if dataset is None:
        return
    with stage_place:
        try:
            comparison = put_on_stage(space, dataset)
            save_warning()
            transport(space)
        except (DataError, ValueError) as error:
            show_error(error)
            return
        stage = live_stage(space, key="learn.own_stage", picture=picture_request(comparison))
    export_menu(space, comparison, stage)


def paragraphs(text: str) -> None:
    """A user's text, without markup."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if paragraph.strip():
            st.markdown("  \n".join(as_text(line) for line in paragraph.splitlines()))


def _own_question(lesson: OwnLesson) -> None:
    if not lesson.question.strip():
        return
    with st.container(key="learn.own_question"):
        paragraphs(lesson.question)
    if not lesson.answer.strip():
        return
    prediction = st.text_area("What do you expect?", key=_PREDICTION, max_chars=1_000, persist_state="session")
    show = partial(st.session_state.__setitem__, _ANSWERED, lesson)
    st.button("Show the answer", key="learn.own_show", disabled=not prediction.strip(), on_click=show)
    if st.session_state.get(_ANSWERED) == lesson:
        with st.container(key="learn.answer"):
            paragraphs(lesson.answer)


def parts(space: Workspace, lesson: OwnLesson) -> Dataset | None:
    """The parts of the sidebar that are not hidden; returns the data set, None after an error message."""
    free = [part for part in PARTS if part not in lesson.hidden | lesson.locked]
    with st.sidebar if lesson.hidden != PARTS.keys() else st.container():
        dataset = choose_dataset(space) if "data" in free else dataset_or_error(space)
        panel = None
        draw: dict[str, Callable[[], object]] = {
            "noise": lambda: choose_noise(space, dataset) if dataset is not None else None,
            "preparation": lambda: choose_preparation(space, dataset),
            "panels": lambda: choose_panels(space),
        }
        for part in PARTS:
            if part in lesson.locked:
                name = "" if dataset is None else dataset.name
                st.caption(f"🔒 {as_text(part_sentence(part, space.document.recipe, name))}")
            elif part in free and part in draw:
                draw[part]()
            elif part in free and part == "training":
                panel = choose_training(space, numeric_label=dataset is not None and dataset.target is not None)
            elif part in free and part == "advanced":
                advanced(space, dataset, panel)
    return dataset


def make_lesson(space: Workspace) -> None:
    """In the sidebar: the fields of a lesson, then its link and file."""
    with st.expander("Make a lesson", key="learn.make", on_change="rerun") as place:
        if place.open:
            _make(space)


def _make(space: Workspace) -> None:
    st.caption("The lesson uses the current data, preparation, panels and seeds.")
    title = st.text_input("Title", key="learn.make.title", max_chars=LONGEST["title"], persist_state="session")
    words = {name: _field(name) for name in ("text", "question", "answer")}
    hidden = _choose_parts("Hide", "hidden", "Parts of the sidebar hidden from students.")
    locked = _choose_parts("Lock", "locked", "Parts that students see but cannot change.")
    if not title.strip():
        st.caption("Add a title to get a link and a file.")
        return
    try:
        lesson = OwnLesson(title, **words, recipe=space.document.recipe, hidden=hidden, locked=locked - hidden)
    except ValueError as error:
        show_error(error)
        return
    _give(lesson)


def _field(name: str) -> str:
    helps = {
        "text": "Students read this. An empty line starts a paragraph.",
        "question": "Students write what they expect before they see the answer.",
        "answer": "Packed into the link: not readable at a glance, but no secret.",
    }
    label = {"text": "Text", "question": "Question", "answer": "Answer"}[name]
    key = f"learn.make.{name}"
    return st.text_area(label, key=key, height=80, max_chars=LONGEST[name], help=helps[name], persist_state="session")


def _choose_parts(label: str, name: str, help: str) -> frozenset[str]:
    chosen = st.multiselect(
        label,
        list(PARTS),
        format_func=lambda part: PARTS.get(part, part),
        key=f"learn.make.{name}",
        help=help,
        placeholder="Nothing",
        persist_state="session",
    )
    return frozenset(chosen)


def _give(lesson: OwnLesson) -> None:
    link = f"{urljoin(st.context.url or '', 'learn')}?{urlencode(to_lesson_link(lesson))}"
    if lesson.recipe.data.key == OWN:
        st.caption("Your own table is not in the link: students drop its file on Explore first.")
    if len(link) > LONGEST_LINK:
        show_error(
            ValueError(
                f"The link has {len(link):,} characters; only {LONGEST_LINK:,} work everywhere. Shorten the text, "
                f"or share the file."
            )
        )
    else:
        st.code(link, language=None, wrap_lines=True)
        st.caption(f"{len(link):,} of at most {LONGEST_LINK:,} characters. Add &present=1 for large type.")
    st.download_button(
        "Save the lesson",
        data=lambda: to_lesson_file(lesson).encode("utf-8"),
        file_name="nca-lesson.json",
        mime="application/json",
        key="learn.make.save",
        on_click="ignore",
        help="Students open it on Learn, below the list of lessons.",
    )
