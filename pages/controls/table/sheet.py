"""Which sheet of a workbook is read."""

from __future__ import annotations

import streamlit as st

from pages.controls.table.upload_state import read_again
from pages.server.upload import Upload
from pages.server.workspace import Workspace
from pages.text.plain_text import visible


def sheet_select(space: Workspace, upload: Upload, key: str, *, failed: bool = False) -> None:
    """Asked only where there are several; `failed` where the upload is the one that could not be used."""
    if upload.table is None or len(upload.table.sheets) < 2:
        return
    st.session_state[key] = upload.table.sheet
    st.selectbox(
        "Sheet to read instead" if failed else "Sheet",
        list(upload.table.sheets),
        format_func=visible,
        key=key,
        on_change=lambda: read_again(space, failed=failed, sheet=st.session_state[key]),
    )
