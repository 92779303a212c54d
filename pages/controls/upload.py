"""Bring a table along: read it, propose the columns, keep the data set; the page can overrule each guess."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from datasets.columns import ColumnPlan, build_dataset, propose_columns
from datasets.errors import DataError
from datasets.reading import Table, read_table
from pages.controls.data_choice import CHOICE
from pages.shared.messages import show_error
from pages.shared.plain_text import visible
from pages.shared.session import keep_data
from pages.stage.hub import Workspace


@dataclass(frozen=True)
class Upload:
    """The file that was brought along last, as far as it could be read."""

    filename: str
    data: bytes
    table: Table | None = None
    plan: ColumnPlan | None = None
    error: str = ""
    key: str = ""
    sheet: str | None = None


def current_upload(space: Workspace) -> Upload | None:
    return space.saved.get("upload")


def upload_field(space: Workspace, key: str) -> None:
    """The field on which a file is dropped, and below it what became of the file."""
    st.file_uploader(
        "Your own table",
        key=key,
        on_change=_opened,
        args=(space, key),
        help="A table with a header line and a label column: CSV, TSV, semicolons, Excel, Parquet, ARFF, JSON "
        "records or NPZ, also gzipped. It stays in this server's memory only.",
    )
    upload = current_upload(space)
    if upload is None:
        return
    if upload.error:
        show_error(DataError(upload.error))
    if upload.table is not None and len(upload.table.sheets) > 1:
        _choose_sheet(space, upload, key)
    if upload.table is not None and upload.plan is not None:
        _choose_label(space, upload, key)


def _opened(space: Workspace, key: str) -> None:
    file = st.session_state[key]
    if file is not None:
        read_upload(space, Upload(file.name, file.getvalue()))


def read_upload(space: Workspace, upload: Upload) -> None:
    """Read the file with its options; what was loaded before stays where that fails."""
    try:
        table = read_table(upload.data, upload.filename, sheet=upload.sheet)
        upload = replace(upload, table=table, plan=None, error="")
        plan = propose_columns(table)
    except DataError as error:
        space.saved["upload"] = replace(upload, error=str(error))
        return
    use_plan(space, replace(upload, plan=plan))


def use_plan(space: Workspace, upload: Upload) -> None:
    """Build the data set as the plan says and choose it on the Explore page."""
    if upload.table is None or upload.plan is None:
        return
    if upload.plan.label is None:
        space.saved["upload"] = replace(
            upload, error=f"{upload.filename}: no column looks like a label. Choose the label column below."
        )
        return
    try:
        dataset = build_dataset(upload.table, upload.plan)
    except DataError as error:
        space.saved["upload"] = replace(upload, error=str(error))
        return
    key = f"own:{upload.filename}"
    keep_data(space, key, dataset)
    space.saved["upload"] = replace(upload, error="", key=key)
    st.session_state[CHOICE] = key


def _choose_sheet(space: Workspace, upload: Upload, key: str) -> None:
    widget = f"{key}.sheet"
    if st.session_state.get(widget) not in upload.table.sheets:
        st.session_state[widget] = upload.table.sheet
    st.selectbox(
        "Sheet",
        list(upload.table.sheets),
        format_func=visible,
        key=widget,
        on_change=_sheet_chosen,
        args=(space, widget),
    )


def _sheet_chosen(space: Workspace, widget: str) -> None:
    read_upload(space, replace(current_upload(space), sheet=st.session_state[widget]))


def _choose_label(space: Workspace, upload: Upload, key: str) -> None:
    names = list(upload.table.columns)
    widget = f"{key}.label"
    if st.session_state.get(widget) not in names:
        st.session_state[widget] = upload.plan.label
    st.selectbox(
        f"Label column of {visible(upload.filename)}",
        names,
        format_func=visible,
        key=widget,
        on_change=_label_chosen,
        args=(space, widget),
        help=visible(upload.plan.label_reason),
    )


def _label_chosen(space: Workspace, widget: str) -> None:
    upload = current_upload(space)
    label = st.session_state[widget]
    try:
        use_plan(space, replace(upload, plan=propose_columns(upload.table, label=label)))
    except DataError as error:
        space.saved["upload"] = replace(upload, error=str(error))
