"""Which sheet of a workbook is read."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.controls.table.upload_state import put_down
from pages.server.upload import Upload
from pages.server.workspace import Workspace
from pages.text.plain_text import visible


def sheet_select(space: Workspace, upload: Upload, key: str, label: str = "Sheet") -> None:
    """Asked only where there are several."""
    if upload.table is None or len(upload.table.sheets) < 2:
        return
    st.session_state[key] = upload.table.sheet
    st.selectbox(
        label,
        list(upload.table.sheets),
        format_func=visible,
        key=key,
        on_change=lambda: put_down(space, replace(upload, sheet=st.session_state[key])),
    )
