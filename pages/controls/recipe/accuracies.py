"""The table of accuracies below the stage."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.views.accuracy_table import accuracy_table
from study.measure import Measurement


def accuracies(measured: Sequence[Measurement]) -> None:
    """One row a panel."""
    table = accuracy_table(measured)
    columns = {name: st.column_config.NumberColumn(format="%.3f") for name in table.column_names if "-NN" in name}
    # On a narrow page the rest of the table moves under it.
    columns["Projection"] = st.column_config.TextColumn(pinned=True)
    st.dataframe(table, hide_index=True, column_config=columns, placeholder="–", key="explore.accuracies")
