"""Errors and notes on a page."""

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from datasets.base.errors import DataError
from pages.controls.shell import screen
from pages.server.jobs import logged
from stage.plain_text import as_text

_LONGEST, _BEGINNING = 600, 120


def show_error(error: Exception) -> None:
    st.error(as_text(str(error)))


def attempt(key: str, act: Callable[..., object], *args: Any) -> None:
    """For callbacks: call `act`; its error is kept for `show_failure`."""
    try:
        act(*args)
    except (DataError, ValueError) as error:
        st.session_state[key] = error


def show_failure(key: str) -> None:
    """Show the error of the last `attempt` once."""
    if failed := st.session_state.pop(key, None):
        show_error(failed)


_FEW = 2


def show_notes(notes: Iterable[str], fold: str = "") -> None:
    """Captions for what was guessed, repaired or left out; very long notes are folded.

    fold: the title under which more than a few notes are folded together.
    """
    notes = list(filter(None, notes))
    if fold and len(notes) > _FEW:
        with st.expander(f"{fold} ({len(notes)})"):
            show_notes(notes)
        return
    for note in notes:
        if len(note) <= _LONGEST:
            st.caption(as_text(note))
            continue
        with st.expander(as_text(f"{note[:_BEGINNING].rstrip()} …")):
            st.caption(as_text(note))


def run_page(run: Callable[[], None]) -> None:
    """Run a page; an exception becomes one sentence, and the other pages stay in reach."""
    try:
        run()
    except Exception as error:
        show_unexpected(error)


def show_unexpected(error: Exception) -> None:
    """One sentence and a link to another page."""
    st.error(
        f"Unexpected error. {logged(error)} Your data and settings are kept: undo the last change, choose other "
        f"data, or reload the page."
    )
    st.page_link(screen("Data"), label="All data sets →")
    st.page_link(screen("Explore"), label="Explore →")
