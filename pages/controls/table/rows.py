"""Missing values and classes of one row: what each way costs, said before one chooses."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from datasets.base.counted import counted
from datasets.columns import CATEGORY_GAPS, MISSING_CHOICES, SINGLES_CHOICES, MissingCost, count_singles
from datasets.columns.cells import numbers_of
from pages.controls.table.upload_state import change
from pages.server.upload import Upload
from pages.server.workspace import Workspace


def missing_radio(space: Workspace, upload: Upload, key: str) -> None:
    """Asked only where a feature has gaps."""
    plan = upload.plan
    if plan is None or not plan.columns.features:
        return
    n_rows, n_columns = len(plan.table.rows), len(plan.columns.features)
    costs = plan.gaps.costs
    if costs["drop_rows"].n_rows == n_rows:
        return
    st.session_state[key] = plan.gaps.choice
    st.radio(
        "Missing values",
        list(MISSING_CHOICES),
        format_func=lambda name: MISSING_CHOICES[name],
        captions=[_cost(costs[name], n_rows, n_columns) for name in MISSING_CHOICES],
        key=key,
        on_change=change(space, lambda now: replace(now, missing=st.session_state[key])),
    )


def _cost(cost: MissingCost, n_rows: int, n_columns: int) -> str:
    filled = f", {counted(cost.n_filled, 'cell')} filled" if cost.n_filled else ""
    return f"{cost.n_rows:,} of {n_rows:,} rows and {cost.n_columns:,} of {n_columns:,} columns stay{filled}"


def category_gaps_radio(space: Workspace, upload: Upload, key: str) -> None:
    """Asked only where a category has gaps."""
    plan = upload.plan
    if plan is None or not any(numbers_of(plan.table, name).gaps.any() for name in plan.columns.categories):
        return
    st.session_state[key] = plan.columns.category_gaps
    st.radio(
        "Missing cells in categories count as",
        list(CATEGORY_GAPS),
        format_func=lambda name: CATEGORY_GAPS[name],
        horizontal=True,
        key=key,
        on_change=change(space, lambda now: replace(now, category_gaps=st.session_state[key])),
    )


def singles_radio(space: Workspace, upload: Upload, key: str) -> None:
    """Asked only where there are classes of one row."""
    plan = upload.plan
    n_singles = count_singles(plan.table, plan.columns) if plan is not None else 0
    if plan is None or not n_singles:
        return
    st.session_state[key] = plan.columns.singles
    st.radio(
        counted(n_singles, "class has a single row", "classes have a single row"),
        list(SINGLES_CHOICES),
        format_func=lambda name: SINGLES_CHOICES[name],
        horizontal=True,
        key=key,
        on_change=change(space, lambda now: replace(now, singletons=st.session_state[key])),
        help="No other row can vote for such a class, so its row can never be right.",
    )
