"""folded: an expander whose widgets are made only while it is open, so that a page is run sooner while it is closed."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def folded(label: str, key: str) -> DeltaGenerator | None:
    """The place in it where it is open, None where it is closed."""
    place = st.expander(label, key=key, on_change="rerun")
    return place if place.open else None
