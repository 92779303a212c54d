"""An expected error becomes one plain sentence on the page; users' words in it show as they are."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from pages.text.plain_text import as_text


def show_error(error: Exception) -> None:
    st.error(as_text(str(error)))


def show_notes(notes: Iterable[str]) -> None:
    """What was guessed, repaired or left out."""
    for note in filter(None, notes):
        st.caption(as_text(note))
