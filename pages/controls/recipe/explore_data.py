"""The way to the picture of a data set."""

from __future__ import annotations

import streamlit as st

from pages.controls.base.screens import screen
from pages.server.data import choose_data
from pages.server.workspace import Workspace


def explore_data(space: Workspace, key: str) -> None:
    """Choose `key` and go to the Explore page."""
    choose_data(space, key)
    st.switch_page(screen("Explore"))
