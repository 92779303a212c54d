"""A downloaded table taken over to "Your table", where its label and columns can be chosen otherwise."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import streamlit as st

from datasets.columns import ColumnPlan
from datasets.downloads.opened import Opened
from datasets.proposals import Choices, Plan, apply, propose
from datasets.reading import Table
from pages.controls.table.upload import TAB
from pages.controls.table.upload_state import use_table
from pages.server.upload import Upload
from pages.server.workspace import Workspace


def columns_button(space: Workspace, opened: Opened, key: str) -> None:
    """Only where there is a table behind the data set; images out of a matrix have none."""
    if opened.table is None or opened.plan is None:
        return
    if st.button("Its columns", key=key, width="stretch", on_click=_take_over, args=(space, opened)):
        st.rerun()  # the whole page: another tab is open now


def _take_over(space: Workspace, opened: Opened) -> None:
    table = opened.table
    if table is None or opened.plan is None:
        return
    named = replace(table, name=f"{opened.dataset.name}.csv")
    plan = _as_it_was_built(named, opened.plan)
    shape = opened.dataset.image_shape
    use_table(space, Upload(named.name, _csv(table), choices=plan.choices, table=named, plan=plan, image_shape=shape))
    st.session_state["data.tab"] = TAB


def _as_it_was_built(table: Table, built: ColumnPlan) -> Plan:
    """The plan that uses the table as the downloaded data set does; what would be proposed anyway is not said."""
    proposed = apply(propose(table))
    choices = Choices(missing=built.missing, category_gaps=built.category_gaps)
    if proposed.label is None or proposed.label.name != built.label or not proposed.label.sure:
        choices = choices.with_label(built.label)
    if built.label is not None:
        choices = choices.with_label_mode(built.label, built.label_mode)
    plan = apply(proposed.proposal, choices)
    used, categories = set(built.features), set(built.categories)
    for column in plan.planned:
        role = "categories" if column.name in categories else "number" if column.name in used else "left_out"
        if role != column.role:
            choices = choices.with_role(column.name, role)
    return apply(plan.proposal, choices)


def _csv(table: Table) -> bytes:
    """What is read again where somebody says that a cell means something else."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return stream.getvalue().encode()
