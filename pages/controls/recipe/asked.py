"""What was asked of the trainings by Train, Step and Pause, until the page comes by to carry it out.

A callback is always heard, but it knows neither what is on the page by then nor where to say what went wrong. The page
knows, but its run may be ended by the next press: then the next run carries out both, in their order.
"""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_ASKED = "explore.asked"
_MOST = 50


def asks(act: str) -> dict[str, Any]:
    """Keywords of a button that has `act` carried out by the page on which it is drawn."""
    return {"on_click": _ask, "args": (_page(), act)}


def asked_here() -> list[str]:
    """What this page was asked for and has not carried out yet; what another one was is let go."""
    return [act for page, act in st.session_state.pop(_ASKED, []) if page == _page()]


def forget_asked() -> None:
    """Where one goes elsewhere, or takes everything back."""
    st.session_state.pop(_ASKED, None)


def _ask(page: str, act: str) -> None:
    st.session_state[_ASKED] = [*st.session_state.get(_ASKED, []), (page, act)][-_MOST:]


def _page() -> str:
    """Which page is being drawn; a callback may not know it yet."""
    context = get_script_run_ctx()
    return context.page_script_hash if context is not None else ""
