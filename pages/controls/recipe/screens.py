"""The addresses of the screens, and the way to the picture of a data set."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.server.data import choose_data
from pages.server.workspace import Workspace

_SCREENS = Path(__file__).resolve().parents[2]
_NAMES = ("explore.py", "compare.py", "data.py", "understand.py")
EXPLORE, COMPARE, CATALOGUE, UNDERSTAND = (str(_SCREENS / name) for name in _NAMES)


def explore_data(space: Workspace, key: str) -> None:
    """Choose `key` and go to the Explore page."""
    choose_data(space, key)
    st.switch_page(EXPLORE)
