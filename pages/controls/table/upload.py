"""Bring a table along: the field on which a file is dropped, and the shortest say about it."""

from __future__ import annotations

import streamlit as st

from datasets.base.errors import DataError
from pages.controls.base.messages import show_error
from pages.controls.table.label import label_select
from pages.controls.table.sheet import sheet_select
from pages.controls.table.upload_state import built_dataset, current_upload, failed_upload, put_down, take_up
from pages.server.upload import Upload
from pages.server.workspace import Workspace


def drop_field(space: Workspace, key: str) -> None:
    """The field, and below it why a file could not be read; widgets' keys begin with `key`."""
    st.file_uploader(
        "Your own table",
        key=key,
        on_change=_opened,
        args=(space, key),
        help="A table with a header line and a label column: CSV, TSV, semicolons, Excel, Parquet, ARFF, JSON "
        "records or NPZ, also gzipped. It stays in this server's memory only.",
    )
    take_up(space)
    failed = failed_upload(space)
    if failed is not None:
        show_error(DataError(failed.error))


def plan_error(upload: Upload) -> None:
    """Why the table as it is used now gives no data set; the one built before stays."""
    if upload.error:
        show_error(DataError(upload.error))


def upload_field(space: Workspace, key: str) -> None:
    """The field with sheet and label: what the Explore page has room for."""
    drop_field(space, key)
    upload, failed = current_upload(space), failed_upload(space)
    if failed is not None:
        sheet_select(space, failed, f"{key}.failed.sheet", "Sheet to read instead")
    if upload is None or upload.table is None:
        return
    plan_error(upload)
    if upload.error and built_dataset(space) is not None:
        st.caption("Until then the stage shows the table as it was used before.")
    sheet_select(space, upload, f"{key}.sheet")
    label_select(space, upload, f"{key}.label")
    st.page_link("data.py", label="All about this table →")


def _opened(space: Workspace, key: str) -> None:
    file = st.session_state[key]
    if file is not None:
        put_down(space, Upload(file.name, file.getvalue()))
