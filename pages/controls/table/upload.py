"""Bring a table along: the field on which a file is dropped, and the shortest say about it."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile

from datasets.base.errors import DataError
from pages.controls.base.messages import show_error
from pages.controls.base.screens import screen
from pages.controls.table.label import label_select
from pages.controls.table.questions import reading_question
from pages.controls.table.reading import dismiss_button
from pages.controls.table.sheet import sheet_select
from pages.controls.table.upload_state import current_upload, failed_upload, put_down, take_up
from pages.server.front import table_in_front
from pages.server.streamlit_server import forget_upload
from pages.server.upload import Upload
from pages.server.workspace import Workspace

TAB = "Your table"
_TAKEN, _MOST_TAKEN = "table.taken", 20  # ids of the files that this session has handed over


def drop_field(space: Workspace, key: str) -> None:
    """The field; what is dropped on it is read at once."""
    st.file_uploader(
        "Your own table",
        key=key,
        on_change=_opened,
        args=(space, key),
        help="A table with a header line and a label column: CSV, TSV, semicolons, Excel, Parquet, ARFF, JSON "
        "records, libsvm or NPZ, also gzipped. It stays on this server only.",
    )
    take_up(space)
    file = _file(key)
    if isinstance(file, DeletedFile) and file.file_id not in st.session_state.get(_TAKEN, ()) and not _has_one(space):
        st.warning("The file in this field was lost when the server was started again: drop it once more.")


def _has_one(space: Workspace) -> bool:
    """Whether some file that was brought along is here, read or refused."""
    return current_upload(space) is not None or failed_upload(space) is not None


def _file(key: str) -> object:
    """What the field holds, where its file is not on this server any more, too."""
    return st.session_state.get(key)


def unread_file(space: Workspace, key: str) -> None:
    """Why a file could not be read, and what can be done about it."""
    failed = failed_upload(space)
    if failed is None:
        return
    show_error(DataError(failed.error))
    reading_question(space, failed, f"{key}.question", failed=True)
    sheet_select(space, failed, f"{key}.sheet", failed=True)
    dismiss_button(space, key=f"{key}.dismiss")


def upload_field(space: Workspace, key: str) -> None:
    """The field with sheet and label: what the sidebar of the Explore page has room for."""
    drop_field(space, key)
    upload = table_in_front(space)
    if upload is not None:
        sheet_select(space, upload, f"{key}.sheet")
        label_select(space, upload, f"{key}.label")
    if current_upload(space) is not None:
        st.page_link(screen("Data"), label="All about this table →")


def _opened(space: Workspace, key: str) -> None:
    file = _file(key)
    if not isinstance(file, UploadedFile):
        return
    put_down(space, Upload(file.name, file.getvalue()))
    file.truncate(0)  # Streamlit keeps the widget's value for as long as the session lives, and some minutes longer
    st.session_state["data.tab"] = TAB
    # It is the workspace's now: Streamlit need not keep it, too, and calls it deleted from now on.
    st.session_state[_TAKEN] = (*st.session_state.get(_TAKEN, ()), file.file_id)[-_MOST_TAKEN:]
    if (context := get_script_run_ctx()) is not None:
        forget_upload(context.session_id, file.file_id)
