"""Data: the user's own table and how it was read, the catalogue, the drawing board."""

import streamlit as st

from pages.controls import table
from pages.controls.catalogue import catalogue
from pages.controls.drawing import drawing_board
from pages.controls.shell import present, show_notes, view_buttons
from pages.controls.upload import TAB, built_dataset, drop_field, reading_chips, thousands_button, unread_file
from pages.server.session import workspace, write_link
from pages.views.uploaded_table import preview_caption, preview_frame, table_notes
from stage import wording

space = workspace()
write_link(space)
if present():
    view_buttons()
TABS = [TAB, "Catalogue", "Draw"]
drop_field(space, key="data.upload")
upload, failed = space.document.upload, space.document.failed_upload
linked = st.query_params.get("tab")
first = TAB if upload is not None or failed is not None else "Catalogue"
own, gallery, draw = st.tabs(TABS, default=linked if linked in TABS else first, key="data.tab", on_change="rerun")

with own:
    if upload is None and failed is None:
        st.caption(wording.NO_TABLE_YET)
    unread_file(space, key="data.failed")
    if upload is not None and upload.plan is not None:
        dataset = None if upload.error else built_dataset(space)
        table.table_summary(space, upload, upload.plan, key="data.table")
        if failed is None:
            reading_chips(space, upload, key="data.read")
        thousands_button(space, upload)
        st.dataframe(preview_frame(upload.plan.table), hide_index=True, height=240, key="data.preview")
        st.caption(preview_caption(upload.plan.table))
        table.label_values(space, upload.plan)
        table.column_editor(space, upload, upload.plan)
        table.gap_radios(space, upload.plan)
        table.other_offers(space, upload, upload.plan)
        if dataset is not None:
            table.image_select(space, dataset)
            table.checks_line(space, dataset)
            table.download_button(dataset, key="data.download")
        show_notes(table_notes(upload.plan, dataset))

if gallery.open:  # its pictures take time
    with gallery:
        catalogue(space)

with draw:
    drawing_board(space)
