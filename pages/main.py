"""The script that every rerun starts: page settings and navigation, nothing else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

SCREENS = Path(__file__).parent

st.set_page_config(page_title="NCA Explorer", page_icon="🔵", layout="wide", initial_sidebar_state="auto")

# The picture comes first: less room above it than Streamlit leaves.
st.html(
    "<style>.stMainBlockContainer {padding-top: 3rem; padding-bottom: 3rem;}"
    "@media (max-width: 640px) {.stMainBlockContainer {padding-top: 4.5rem;}}</style>"
)
page = st.navigation(
    [st.Page(SCREENS / "explore.py", title="Explore", default=True), st.Page(SCREENS / "data.py", title="Data")],
    position="top",
)
page.run()
