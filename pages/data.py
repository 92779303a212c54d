"""Data: bring one's own table along and say how it is read."""

from __future__ import annotations

import streamlit as st

from pages.controls.upload import upload_field
from pages.shared.session import workspace

space = workspace()

(own,) = st.tabs(["Your table"])
with own:
    upload_field(space, key="data.upload")
