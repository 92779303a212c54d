"""The script of every rerun: page settings and navigation."""

import streamlit as st

try:
    from nca_core.training.gate import GATE
    from pages.controls import shell
    from pages.server.loading import LOADING
except ModuleNotFoundError as missing:
    if missing.name not in ("nca_core", "pages"):
        raise
    st.error("This is one part of the app. Start the whole with: streamlit run app.py")
    st.stop()

st.set_page_config(page_title="NCA Explorer", page_icon="🔵", layout="wide", initial_sidebar_state="auto")

page = st.navigation(shell.screens(), position="top")
shell.switch_page_if_chosen(current=page.title)
st.session_state["main.page"] = page.title
with LOADING:
    pass  # the libraries are imported
with GATE.urgent():  # before the threads of the trainings
    try:
        page.run()
    except Exception as error:  # the other pages stay in reach
        shell.show_unexpected(error)
