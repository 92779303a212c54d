"""The point that is pinned on the stage: pressed there, chosen below it or named by a link, on every page."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from datasets.base.dataset import Dataset
from pages.controls.base.screens import screen
from pages.server.session import POINT
from pages.server.workspace import Workspace
from pages.stage.component import StageState
from study.recipe import DataRecipe

_PINNED = "stage.pinned"


@dataclass(frozen=True)
class _Pinned:
    """The number of wishes that the page had so far, and the row's number in these data."""

    wishes: int = 0
    data: DataRecipe | None = None
    row_number: int | None = None


def pinned_wish(space: Workspace, raw: Dataset) -> tuple[int, int | None]:
    """What `live_stage` is given as its `point`."""
    if _PINNED not in st.session_state:
        named = st.query_params.get(POINT, "")
        st.session_state[_PINNED] = _Pinned()
        if named.isdecimal():
            pin(space, int(named[:18]))
    held: _Pinned = st.session_state[_PINNED]
    return held.wishes, _row_of(raw, held.row_number if held.data == space.belongings.recipe.data else None)


def pin(space: Workspace, row_number: int | None) -> None:
    """Pin that row in every panel, or none."""
    held: _Pinned = st.session_state.get(_PINNED, _Pinned())
    st.session_state[_PINNED] = _Pinned(held.wishes + 1, space.belongings.recipe.data, row_number)


def pinned_row(space: Workspace, raw: Dataset, stage: StageState) -> int | None:
    """The index of the row that is pinned now, None where none is; the address names it."""
    if stage.point is not None:
        number = int(raw.row_numbers[stage.point]) if stage.point >= 0 else None
        held: _Pinned = st.session_state[_PINNED]
        st.session_state[_PINNED] = replace(held, data=space.belongings.recipe.data, row_number=number)
    row = pinned_wish(space, raw)[1]
    if row is None:
        st.query_params.pop(POINT, None)
    elif st.query_params.get(POINT) != str(raw.row_numbers[row]):
        st.query_params[POINT] = str(raw.row_numbers[row])
    return row


def why_here(space: Workspace, raw: Dataset, stage: StageState) -> None:
    """For the pinned point, the way to the page that answers why it is where it is."""
    row = pinned_row(space, raw, stage)
    if row is not None:
        st.page_link(screen("Understand"), label=f"Why is row {raw.row_numbers[row]} here? →")


def _row_of(raw: Dataset, row_number: int | None) -> int | None:
    if row_number is None:
        return None
    found = np.flatnonzero(raw.row_numbers == row_number)
    return int(found[0]) if len(found) else None
