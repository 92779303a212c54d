"""The script that every rerun starts: page settings and navigation, nothing else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

try:
    from nca_core.gate import GATE
    from pages.controls.base.asked import forget_asked
    from pages.controls.base.back_button import BACK_BUTTON
    from pages.controls.base.keys import KEYS
    from pages.controls.base.markup import Markup, style
    from pages.controls.base.screens import screens
    from pages.controls.base.unexpected import run_page
except ModuleNotFoundError as missing:
    if missing.name not in ("nca_core", "pages"):
        raise
    st.error("This is one part of the app. Start the whole with: streamlit run app.py")
    st.stop()

st.set_page_config(page_title="NCA Explorer", page_icon="🔵", layout="wide", initial_sidebar_state="auto")

st.html(style(Path(__file__).with_name("main.css")))
page = st.navigation(screens(), position="top")
with GATE.ahead():  # a person waits for this
    run_page(page.run)
forget_asked()  # what nothing on this page carries out any more

# At the end, where its element takes no room from the picture.
st.html(Markup(BACK_BUTTON + KEYS), unsafe_allow_javascript=True)
# Streamlit keeps how far down one was when the page changes, and on a phone the drawer that one chose the page from; a
# new page begins at its top and in sight. A constant script of our own; the number makes it another one at each change,
# so that it runs.
if page.title != st.session_state.setdefault("main.page", page.title):
    st.session_state["main.page"] = page.title
    st.session_state["main.changes"] = st.session_state.get("main.changes", 0) + 1
    st.html(
        "<script>document.querySelector('[data-testid=stMain]')?.scrollTo(0, 0);"
        "if (innerWidth < 768) document.querySelector('[data-testid=stSidebarCollapseButton] button')?.click();"
        f" // {st.session_state['main.changes']}\n</script>",
        unsafe_allow_javascript=True,
    )
