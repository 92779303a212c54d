"""A downloaded table taken over to "Your table", where its label and columns can be chosen otherwise."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import streamlit as st

from datasets.columns import describe_columns
from datasets.downloads.opened import Opened
from datasets.reading import Table, missing_words
from pages.controls.table.upload_state import dismiss, use_plan
from pages.server.upload import Upload
from pages.server.workspace import Workspace


def columns_button(space: Workspace, opened: Opened, key: str) -> None:
    """Only where there is a table behind the data set; images out of a matrix have none."""
    if opened.table is None or opened.plan is None:
        return
    if st.button("Its columns", key=key, width="stretch", on_click=_take_over, args=(space, opened)):
        st.rerun()  # the whole page: another tab is open now


def _take_over(space: Workspace, opened: Opened) -> None:
    table, plan = opened.table, opened.plan
    if table is None or plan is None:
        return
    named = replace(table, name=f"{opened.dataset.name}.csv")
    dismiss(space)
    upload = Upload(
        named.name,
        _csv(table),
        table=named,
        missing=missing_words(named),
        facts=describe_columns(named),
        image_shape=opened.dataset.image_shape,
    )
    use_plan(space, upload, plan)
    st.session_state["data.tab"] = "Your table"


def _csv(table: Table) -> bytes:
    """What is read again where somebody says that a cell means something else."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return stream.getvalue().encode()
