"""What is asked about a table: a sentence and buttons, each with its cost; one press answers."""

from __future__ import annotations

from functools import partial

import streamlit as st

from datasets.proposals import Choices, Question
from datasets.reading import ReadQuestion
from pages.controls.table.upload_state import change, read_again
from pages.server.upload import Upload
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from pages.views.answers import answer_words

_LINES_SHOWN = 6


def blocking_questions(space: Workspace, upload: Upload, key: str) -> None:
    """What has to be answered before anything is trained; the label has a place of its own."""
    for place, question in enumerate(upload.plan.questions if upload.plan is not None else ()):
        if question.blocking and question.key != "label":
            _ask(space, upload.choices, question, f"{key}.ask.{place}", warn=True)


def spelling_offer(space: Workspace, upload: Upload, key: str) -> None:
    """Labels that differ only in capitals or blanks: one press merges them."""
    for question in upload.plan.questions if upload.plan is not None else ():
        if question.key == "spellings":
            _ask(space, upload.choices, question, f"{key}.spellings", warn=False)


def other_offers(space: Workspace, upload: Upload, key: str) -> None:
    """What may be decided otherwise; the first answer holds meanwhile."""
    asked = upload.plan.questions if upload.plan is not None else ()
    offers = [q for q in asked if not q.blocking and q.key not in ("label", "spellings", "missing")]
    if not offers:
        return
    with st.expander(f"Decide otherwise ({len(offers)})", key=f"{key}.offers"):
        for place, question in enumerate(offers):
            _ask(space, upload.choices, question, f"{key}.offer.{place}", warn=False)


def _ask(space: Workspace, asked: Choices, question: Question, key: str, *, warn: bool) -> None:
    """The proposed answer first; a question that blocks stands out. What is said before the press stays said."""
    (st.warning if warn else st.markdown)(as_text(question.text))
    with st.container(horizontal=True, gap="small"):
        for place, answer in enumerate(question.answers):
            st.button(
                answer_words(answer.text, answer.cost),
                key=f"{key}.{place}",
                type="primary" if warn and place == 0 else "secondary",
                on_click=change(space, partial(answer.choices.said_over, asked)),
            )


def reading_question(space: Workspace, upload: Upload, key: str, *, failed: bool = False) -> None:
    """How the file is read, each answer with what some of its lines look like then."""
    question: ReadQuestion | None = upload.question
    if question is None:
        return
    if not failed:  # else the error says it
        st.markdown(as_text(question.text))
    for place, (column, answer) in enumerate(zip(st.columns(len(question.answers)), question.answers, strict=True)):
        with column:
            st.button(
                as_text(answer.text[:1].upper() + answer.text[1:]),
                key=f"{key}.{place}",
                type="primary" if failed else "secondary",
                on_click=lambda options=answer.options: read_again(space, failed=failed, options=options),
            )
            if answer.preview:
                st.code("\n".join(answer.preview.splitlines()[:_LINES_SHOWN]), language=None)
