"""Data: choose from the catalogue, bring one's own table along and see how it was read, or draw."""

from __future__ import annotations

import streamlit as st

from pages.controls.base.messages import show_notes
from pages.controls.catalogue.gallery import catalogue
from pages.controls.drawing.settings import drawing_board
from pages.controls.table.columns import column_editor
from pages.controls.table.download import download_button
from pages.controls.table.label import label_controls, treat_as_number_button
from pages.controls.table.reading import detected_line, dismiss_button, reading_controls, thousands_button
from pages.controls.table.ready import checks_line, image_select, ready_buttons
from pages.controls.table.rows import missing_radio, singles_radio
from pages.controls.table.sheet import sheet_select
from pages.controls.table.upload import drop_field, plan_error
from pages.controls.table.upload_state import built_dataset, current_upload, failed_upload
from pages.server.session import workspace
from pages.text import wording
from pages.views.table_preview import preview_caption, preview_frame

space = workspace()
TABS = ["Your table", "Catalogue", "Draw"]
asked = st.query_params.get("tab")  # by a link
own, gallery, draw = st.tabs(TABS, default=asked if asked in TABS else None, key="data.tab", on_change="rerun")

with own:
    drop_field(space, key="data.upload")
    upload, failed = current_upload(space), failed_upload(space)
    if upload is None and failed is None:
        st.caption(wording.NO_TABLE_YET)
    if failed is not None:
        sheet_select(space, failed, key="data.failed.sheet", label="Sheet to read instead")
        reading_controls(space, failed, key="data.failed")
        dismiss_button(space, key="data.failed.dismiss")
    if upload is not None and upload.table is not None:
        detected_line(upload)
        thousands_button(space, upload, key="data.thousands")
        sheet_select(space, upload, key="data.sheet")
        if failed is None:
            reading_controls(space, upload, key="data.read")
        st.dataframe(preview_frame(upload.table), hide_index=True, height=240, key="data.preview")
        st.caption(preview_caption(upload.table))
        label_controls(space, upload, key="data.label")
        treat_as_number_button(space, upload, key="data.label")
        column_editor(space, upload, key="data.columns")
        missing_radio(space, upload, key="data.missing")
        singles_radio(space, upload, key="data.singles")
        dataset = None if upload.error else built_dataset(space)
        if dataset is not None:
            image_select(space, upload, dataset, key="data.image")
            checks_line(space, dataset)
        plan_error(upload)
        ready_buttons(space, upload, key="data.ready")
        if dataset is not None:
            download_button(dataset, key="data.download")
            show_notes(dataset.notes)

if gallery.open:  # else its pictures would be drawn for nobody
    with gallery:
        catalogue(space)

with draw:
    drawing_board(space)
