"""The rows that are selected on the stage: as a table, and to take along."""

from __future__ import annotations

import streamlit as st

from datasets.base.counted import counted
from datasets.base.dataset import Dataset
from pages.controls.table.download import download_button
from pages.stage.component import StageState
from pages.views.selected_rows import selected_rows


def selection(raw: Dataset, stage: StageState, key: str) -> None:
    """Nothing where nothing is selected."""
    if not stage.selection:
        return
    st.caption(f"{counted(stage.selected_total, 'point')} selected; Escape on the stage clears them.")
    st.dataframe(selected_rows(raw, stage.selection), hide_index=True, key=f"{key}.selected")
    download_button(raw, key=f"{key}.download", rows=stage.selection)
