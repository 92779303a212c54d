"""The script of every rerun: page settings and navigation."""

from __future__ import annotations

import streamlit as st

try:
    from nca_core.training.gate import GATE
    from pages.controls.messages import run_page
    from pages.controls.shell import BACK_BUTTON, KEYS, screens, switch_page_if_chosen
except ModuleNotFoundError as missing:
    if missing.name not in ("nca_core", "pages"):
        raise
    st.error("This is one part of the app. Start the whole with: streamlit run app.py")
    st.stop()

st.set_page_config(page_title="NCA Explorer", page_icon="🔵", layout="wide", initial_sidebar_state="auto")

page = st.navigation(screens(), position="top")
switch_page_if_chosen(current=page.title)
with st.container(key="main.scripts"):  # takes no room, by main.css
    st.html(BACK_BUTTON + KEYS, unsafe_allow_javascript=True)
    # A new page starts at its top, with the sidebar closed on a phone. The number makes the script run again.
    if page.title != st.session_state.setdefault("main.page", page.title):
        st.session_state["main.page"] = page.title
        st.session_state["main.changes"] = st.session_state.get("main.changes", 0) + 1
        st.html(
            "<script>document.querySelector('[data-testid=stMain]')?.scrollTo(0, 0);"
            "if (innerWidth < 768) document.querySelector('[data-testid=stSidebarCollapseButton] button')?.click();"
            f" // {st.session_state['main.changes']}\n</script>",
            unsafe_allow_javascript=True,
        )
with GATE.ahead():  # before the threads of the trainings
    run_page(page.run)
