"""Present: the stage in large type with few controls, for a room; and the switch of the theme beside it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.controls.base.theme import theme_button

PRESENT = "present"
_STYLE = Path(__file__).with_suffix(".css")


def present() -> bool:
    """Whether the address asks for large type; then the page is dressed for it."""
    asked = st.query_params.get(PRESENT) == "1"
    if asked:
        st.html(_STYLE)
    return asked


def view_buttons() -> None:
    """Large type on and off, and light or dark."""
    asked = st.query_params.get(PRESENT) == "1"
    with st.container(horizontal=True, width="content", gap="xsmall", key="explore.view"):
        st.button(
            "Leave" if asked else "Present",
            key="explore.present",
            shortcut="l",
            on_click=_leave if asked else _begin,
        )
        theme_button()


def _begin() -> None:
    st.query_params[PRESENT] = "1"


def _leave() -> None:
    st.query_params.pop(PRESENT, None)
