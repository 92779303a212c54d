"""Comparisons to begin with."""

from __future__ import annotations

import streamlit as st

from pages.controls.base.bound import change
from pages.server import trainings
from pages.server.workspace import Workspace
from study.presets import PRESETS

_KEY = "compare.preset"


def choose_preset(space: Workspace) -> None:
    """Put the panels of a preset in the place of those there; Undo brings them back."""
    st.session_state[_KEY] = None

    def put() -> None:
        if (key := st.session_state[_KEY]) is not None:
            change(space, PRESETS[key].on)
            trainings.begin_anew(space)  # else pictures of the panels before would stand below the new names

    st.selectbox(
        "Begin with",
        list(PRESETS),
        format_func=lambda key: PRESETS[key].title if key in PRESETS else str(key),
        key=_KEY,
        on_change=put,
        placeholder="Begin with …",
        label_visibility="collapsed",
        help="It takes the place of the panels below; Undo brings them back. "
        + " ".join(f"{preset.title}: {preset.question}" for preset in PRESETS.values()),
    )
