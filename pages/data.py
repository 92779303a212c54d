"""Data: bring one's own table along and say how it is read."""

from __future__ import annotations

import streamlit as st

from pages.controls.drawing import drawing_board
from pages.controls.upload import upload_field
from pages.shared.session import workspace

space = workspace()

own, draw = st.tabs(["Your table", "Draw"])
with own:
    upload_field(space, key="data.upload")
with draw:
    drawing_board(space)
