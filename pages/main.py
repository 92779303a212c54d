"""The script that every rerun starts: page settings and navigation, nothing else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

SCREENS = Path(__file__).parent

st.set_page_config(page_title="NCA Explorer", page_icon="🔵", layout="wide", initial_sidebar_state="auto")

page = st.navigation([st.Page(SCREENS / "explore.py", title="Explore", default=True)], position="hidden")
page.run()
