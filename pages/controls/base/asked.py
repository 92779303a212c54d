"""What a page was asked for by its buttons, until it comes by to carry it out.

A callback is always heard, but it knows neither what is on the page by then nor where to say what went wrong. The page
knows, but its run may be ended by the next press: then the next run carries out both, each where the page comes to it.
"""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_ASKED = "page.asked"
_MOST = 50


def asks(act: str) -> dict[str, Any]:
    """Keywords of a button that has `act` carried out by the page on which it is drawn."""
    return {"on_click": _ask, "args": (_page(), act)}


def asked_here(*acts: str) -> list[str]:
    """Which of these acts this page was asked for and has not carried out yet; what another one was is let go."""
    here = [(page, act) for page, act in st.session_state.get(_ASKED, []) if page == _page()]
    st.session_state[_ASKED] = [said for said in here if said[1] not in acts]
    return [act for _, act in here if act in acts]


def pressed(label: str, key: str, *, of: object = "", disabled: bool = False, **look: Any) -> bool:
    """A button; whether it was pressed since the page was here last, also where another press ended its run.

    `of` is what it was about: a press on another table's, or on one that is disabled by now, is let go.
    """
    act = f"{key} {of}"
    st.button(label, key=key, disabled=disabled, **asks(act), **look)
    return bool(asked_here(act)) and not disabled


def forget_asked(*acts: str) -> None:
    """Where the page has come to its end; of some acts alone, where they are taken back."""
    left = [said for said in st.session_state.pop(_ASKED, []) if acts and said[1] not in acts]
    if left:
        st.session_state[_ASKED] = left


def _ask(page: str, act: str) -> None:
    st.session_state[_ASKED] = [*st.session_state.get(_ASKED, []), (page, act)][-_MOST:]


def _page() -> str:
    """Which page is being drawn; a callback may not know it yet."""
    context = get_script_run_ctx()
    return context.page_script_hash if context is not None else ""
