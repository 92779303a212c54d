"""Missing values and classes of one row: what each way costs, said before one chooses."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from datasets.columns import MISSING_CHOICES, SINGLES_CHOICES, MissingCost, count_singles, missing_costs
from pages.controls.table.upload_state import use_plan
from pages.server.upload import Upload
from pages.server.workspace import Workspace


def missing_radio(space: Workspace, upload: Upload, key: str) -> None:
    """Asked only where a feature has gaps."""
    plan, table = upload.plan, upload.table
    if plan is None or table is None or not plan.features:
        return
    costs = missing_costs(table, plan)
    if costs["drop_rows"].n_rows == len(table.rows):
        return
    st.session_state[key] = plan.missing
    st.radio(
        "Missing values",
        list(MISSING_CHOICES),
        format_func=lambda name: MISSING_CHOICES[name],
        captions=[_cost(costs[name], len(table.rows), len(plan.features)) for name in MISSING_CHOICES],
        key=key,
        on_change=lambda: use_plan(space, upload, replace(plan, missing=st.session_state[key])),
    )


def _cost(cost: MissingCost, n_rows: int, n_columns: int) -> str:
    filled = f", {cost.n_filled:,} cell{'s' if cost.n_filled > 1 else ''} filled" if cost.n_filled else ""
    return f"{cost.n_rows:,} of {n_rows:,} rows and {cost.n_columns:,} of {n_columns:,} columns stay{filled}"


def singles_radio(space: Workspace, upload: Upload, key: str) -> None:
    """Asked only where there are classes of one row."""
    plan, table = upload.plan, upload.table
    if plan is None or table is None:
        return
    n_singles = count_singles(table, plan)
    if not n_singles:
        return
    st.session_state[key] = plan.singles
    st.radio(
        f"{n_singles:,} class{'es have' if n_singles > 1 else ' has'} a single row",
        list(SINGLES_CHOICES),
        format_func=lambda name: SINGLES_CHOICES[name],
        horizontal=True,
        key=key,
        on_change=lambda: use_plan(space, upload, replace(plan, singles=st.session_state[key])),
        help="No other row can vote for such a class, so its row can never be right.",
    )
