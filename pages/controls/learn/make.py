"""Make a lesson of what is shown: words, what students may change, and a link or a file to give them."""

from __future__ import annotations

from urllib.parse import urlencode, urljoin

import streamlit as st

from lessons.base.own import LONGEST, LONGEST_LINK, PARTS, OwnLesson, to_lesson_file, to_lesson_link
from pages.controls.base.folded import folded
from pages.controls.base.messages import show_error
from pages.controls.base.persistence import IN_SESSION
from pages.server.workspace import Workspace
from study.recipe import OWN


def make_lesson(space: Workspace) -> None:
    """In the sidebar: the fields, then the link with its size, and the file."""
    if (place := folded("Make a lesson", "learn.make")) is not None:
        with place:
            _make(space)


def _make(space: Workspace) -> None:
    st.caption("Of the picture as it is set now: data, preparation, panels and seeds go into the link.")
    title = st.text_input("Title", key="learn.make.title", max_chars=LONGEST["title"], **IN_SESSION)
    words = {name: _field(name) for name in ("text", "question", "answer")}
    hidden = _parts("Hide", "hidden", "Parts of the sidebar that students do not see.")
    locked = _parts("Lock", "locked", "Parts whose settings students see, but cannot change.")
    if not title.strip():
        st.caption("Give it a title; then a link and a file stand here.")
        return
    try:
        lesson = OwnLesson(title, **words, recipe=space.belongings.recipe, hidden=hidden, locked=locked - hidden)
    except ValueError as error:
        show_error(error)
        return
    _give(lesson)


def _field(name: str) -> str:
    helps = {
        "text": "What students read. An empty line begins a paragraph.",
        "question": "They write what they expect before they see the answer.",
        "answer": "It travels packed in the link: not to be read at a glance, but no secret.",
    }
    label = {"text": "Text", "question": "Question", "answer": "Answer"}[name]
    key = f"learn.make.{name}"
    return st.text_area(label, key=key, height=80, max_chars=LONGEST[name], help=helps[name], **IN_SESSION)


def _parts(label: str, name: str, help: str) -> frozenset[str]:
    chosen = st.multiselect(
        label,
        list(PARTS),
        format_func=lambda part: PARTS.get(part, part),
        key=f"learn.make.{name}",
        help=help,
        placeholder="Nothing",
        **IN_SESSION,
    )
    return frozenset(chosen)


def _give(lesson: OwnLesson) -> None:
    link = f"{urljoin(st.context.url or '', 'learn')}?{urlencode(to_lesson_link(lesson))}"
    if lesson.recipe.data.key == OWN:
        st.caption("Your own table does not travel with it: students need the file, and drop it on Explore first.")
    if len(link) > LONGEST_LINK:
        show_error(
            ValueError(
                f"The link would have {len(link):,} letters, and at most {LONGEST_LINK:,} arrive everywhere. Shorten "
                "the words, or give students the file."
            )
        )
    else:
        st.code(link, language=None, wrap_lines=True)
        st.caption(f"{len(link):,} letters, of at most {LONGEST_LINK:,}. With &present=1 at its end: large type.")
    st.download_button(
        "Save the lesson",
        data=lambda: to_lesson_file(lesson).encode("utf-8"),
        file_name="nca-lesson.json",
        mime="application/json",
        key="learn.make.save",
        on_click="ignore",
        help="A small text file; students open it on Learn, below the list of lessons.",
    )
