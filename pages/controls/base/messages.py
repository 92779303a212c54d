"""An expected error becomes one plain sentence on the page; users' words in it show as they are."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from pages.text.plain_text import as_text

_LONGEST, _BEGINNING = 600, 120


def show_error(error: Exception) -> None:
    st.error(as_text(str(error)))


def show_notes(notes: Iterable[str]) -> None:
    """What was guessed, repaired or left out; the end of a very long sentence is folded."""
    for note in filter(None, notes):
        if len(note) <= _LONGEST:
            st.caption(as_text(note))
            continue
        with st.expander(as_text(f"{note[:_BEGINNING].rstrip()} …")):
            st.caption(as_text(note))
