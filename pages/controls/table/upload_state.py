"""The table that was brought along, how it is read and used, and the data set built from it: the only truth.

The widgets show this state and change it in their callbacks; each change builds the data set anew. What cannot be
read or built leaves what was loaded before in place.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from datasets.base.dataset import Dataset
from datasets.base.errors import DataError
from datasets.columns import ColumnPlan, build_dataset, describe_columns, propose_columns
from datasets.reading import missing_words, read_table
from pages.controls.table.listener import session_ended
from pages.server.data import choose_data
from pages.server.upload import Upload
from pages.server.workspace import Workspace

BY_HAND = "chosen by you"  # what propose_columns says of a label that it was given


def current_upload(space: Workspace) -> Upload | None:
    """The table that was read last."""
    return space.belongings.upload


def failed_upload(space: Workspace) -> Upload | None:
    """A file brought along later that could not be read, or whose table holds nothing to project (yet)."""
    return space.belongings.failed_upload


def built_dataset(space: Workspace) -> Dataset | None:
    """The data set built last from the current table; older than its plan where that cannot be built."""
    upload = current_upload(space)
    return space.belongings.own_data.get(upload.key) if upload is not None else None


def put_down(space: Workspace, upload: Upload) -> None:
    """Leave a file to be read where the page next comes by."""
    space.belongings.waiting_upload = upload


def take_up(space: Workspace) -> None:
    """Read the file that waits, if there is one; a training under way ends first."""
    waiting = space.belongings.waiting_upload
    if waiting is None:
        return
    for held in space.runs.values():
        held.run.stop()
    with st.spinner("Reading the table"):
        read_upload(space, waiting)
    space.belongings.waiting_upload = None


def read_upload(space: Workspace, upload: Upload) -> None:
    """Read the file as its options say, propose the columns, build the data set."""
    table = None
    try:
        table = read_table(upload.data, upload.filename, upload.options, sheet=upload.sheet, cancelled=session_ended())
        # A label that a person chose is kept where the columns are still called as before.
        chosen = upload.plan.label if upload.plan is not None and upload.plan.label_reason.startswith(BY_HAND) else None
        plan = propose_columns(table, label=chosen if chosen in table.columns else None)
    except DataError as error:
        # A table that was read but cannot be used is kept with it: another of its sheets may do.
        space.belongings.failed_upload = replace(upload, table=table, error=str(error))
        return
    dismiss(space)
    words, facts = missing_words(table), describe_columns(table)
    use_plan(space, replace(upload, table=table, missing=words, facts=facts, image_shape=None), plan)


def dismiss(space: Workspace) -> None:
    """Think no more of the file that could not be read."""
    space.belongings.failed_upload = None


def use_plan(space: Workspace, upload: Upload, plan: ColumnPlan) -> None:
    """Build the data set as `plan` says and choose it on the Explore page."""
    upload = replace(upload, plan=plan, error="")
    space.belongings.upload = upload
    if upload.table is None:
        return
    if plan.label is None:
        message = f"{upload.filename}: no column looks like a label. Choose the label column."
        space.belongings.upload = replace(upload, error=message)
        return
    try:
        dataset = build_dataset(upload.table, plan)
    except DataError as error:
        space.belongings.upload = replace(upload, error=str(error))
        return
    shape = upload.image_shape
    if shape is not None and shape[0] * shape[1] == dataset.n_features:
        dataset = replace(dataset, image_shape=shape)
    key = f"own:{upload.filename}"
    space.belongings.keep_data(key, dataset)
    space.belongings.upload = replace(upload, key=key)
    choose_data(space, key)


def use_label(space: Workspace, upload: Upload, label: str | None) -> None:
    """Take another label column, or (None) go back to what is proposed; the features are proposed anew."""
    if upload.table is None:
        return
    try:
        plan = propose_columns(upload.table, label=label)
    except DataError as error:
        space.belongings.upload = replace(upload, error=str(error))
        return
    if label is not None and upload.plan is not None:
        plan = replace(plan, missing=upload.plan.missing, singles=upload.plan.singles)
    use_plan(space, upload, plan)
