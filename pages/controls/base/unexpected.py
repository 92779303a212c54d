"""What a page shows where something failed that nobody expected: an id that the log has, and a way on."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.controls.base.page_end import PageEnd
from pages.controls.base.screens import screen
from pages.server.errors import logged


def run_page(run: Callable[[], None]) -> None:
    """Run a page; what it raises is shown as one sentence, and the other pages and the settings stay in reach."""
    try:
        run()
    except PageEnd:
        pass
    except Exception as error:
        show_unexpected(error)


def show_unexpected(error: Exception) -> None:
    """One sentence and a link to another page."""
    st.error(
        f"Something failed that we did not expect. {logged(error)} Your data and settings are kept: undo the last "
        "change, choose other data, or load the page anew."
    )
    st.page_link(screen("Data"), label="All data sets →")
    st.page_link(screen("Explore"), label="Explore →")
