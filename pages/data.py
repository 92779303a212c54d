"""Data: choose from the catalogue, bring one's own table along and see how it was read, or draw."""

from __future__ import annotations

import streamlit as st

from pages.controls.base.messages import show_notes
from pages.controls.catalogue.gallery import catalogue
from pages.controls.drawing.settings import drawing_board
from pages.controls.recipe.present import present, view_buttons
from pages.controls.table.columns import column_editor
from pages.controls.table.download import download_button
from pages.controls.table.label import label_values
from pages.controls.table.questions import other_offers
from pages.controls.table.reading import detected_line, reading_controls, thousands_button
from pages.controls.table.ready import checks_line, image_select
from pages.controls.table.rows import category_gaps_radio, missing_radio, singles_radio
from pages.controls.table.sheet import sheet_select
from pages.controls.table.summary import table_summary
from pages.controls.table.upload import TAB, drop_field, unread_file
from pages.controls.table.upload_state import built_dataset, current_upload, failed_upload
from pages.server.session import workspace, write_link
from pages.text import wording
from pages.views.table_notes import table_notes
from pages.views.table_preview import preview_caption, preview_frame

space = workspace()
write_link(space)
if present():
    view_buttons()
TABS = [TAB, "Catalogue", "Draw"]
drop_field(space, key="data.upload")
upload, failed = current_upload(space), failed_upload(space)
asked = st.query_params.get("tab")  # by a link
first = TAB if upload is not None or failed is not None else "Catalogue"
own, gallery, draw = st.tabs(TABS, default=asked if asked in TABS else first, key="data.tab", on_change="rerun")

with own:
    if upload is None and failed is None:
        st.caption(wording.NO_TABLE_YET)
    if failed is not None:
        unread_file(space, key="data.failed")
        reading_controls(space, failed, key="data.failed", failed=True)
    if upload is not None and upload.plan is not None:
        dataset = None if upload.error else built_dataset(space)
        table_summary(space, upload, key="data.table")
        detected_line(upload)
        thousands_button(space, upload, key="data.thousands")
        sheet_select(space, upload, key="data.sheet")
        if failed is None:
            reading_controls(space, upload, key="data.read")
        st.dataframe(preview_frame(upload.plan.table), hide_index=True, height=240, key="data.preview")
        st.caption(preview_caption(upload.plan.table))
        label_values(space, upload, key="data.label")
        column_editor(space, upload, key="data.columns")
        missing_radio(space, upload, key="data.missing")
        category_gaps_radio(space, upload, key="data.category_gaps")
        singles_radio(space, upload, key="data.singles")
        other_offers(space, upload, key="data.other")
        if dataset is not None:
            image_select(space, dataset, key="data.image")
            checks_line(space, dataset)
            download_button(dataset, key="data.download")
        show_notes(table_notes(upload.plan, dataset))

if gallery.open:  # else its pictures would be drawn for nobody
    with gallery:
        catalogue(space)

with draw:
    drawing_board(space)
