"""More classifiers: every rule in every panel, under an expander that costs nothing while it is closed."""

from __future__ import annotations

import streamlit as st

from nca_core.classifiers import CLASSIFIERS
from pages.server import trainings
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from pages.views.rules_table import how_rules_were_asked, rules_notes, rules_table
from study.compare import Comparison


def rules(space: Workspace, comparison: Comparison) -> None:
    """Draw nothing while it is closed."""
    opened = st.expander("More classifiers", key="explore.rules", on_change="rerun")
    if not opened.open:
        return
    with opened:
        if not comparison.prepared.held_out.any():
            st.caption("Hold rows out under Prepare: classifiers are compared on rows that nothing was fitted to.")
            return
        with st.spinner("Asking every classifier …"):
            measured = trainings.rules(space, comparison)
        table = rules_table(measured)
        columns = {
            rule.title: st.column_config.NumberColumn(format="%.3f", help=rule.description)
            for rule in CLASSIFIERS.values()
        }
        st.dataframe(table, hide_index=True, column_config=columns, placeholder="–", key="explore.rules_table")
        st.caption(how_rules_were_asked(measured))
        for line in rules_notes(measured):
            st.caption(as_text(line))
