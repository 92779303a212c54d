"""Why is this point here? On Compare asked of its own panels, for the point that is pinned there."""

from __future__ import annotations

import streamlit as st

from pages.controls.base.persistence import IN_SESSION
from pages.controls.understand.point import told_by_rules
from pages.server.workspace import Workspace
from study.compare import Comparison

_ASKED = "compare.why_here"


def question_of(point: tuple[int, int | None]) -> str:
    """What the stage answers: why the pinned point is there, where that is asked; else nothing."""
    return "point" if point[1] is not None and st.session_state.get(_ASKED) else ""


def why_here(space: Workspace, comparison: Comparison, row: int | None) -> None:
    """A switch while a point is pinned: its neighbours stand below the panels, and what each rule takes it for here."""
    if row is None:
        return
    number = comparison.prepared.raw.row_numbers[row]
    asked = st.toggle(
        f"Why is row {number} here?",
        key=_ASKED,
        help="Its neighbours in every panel, what makes up the distance to one of them, and the class that each rule "
        "takes it for. Charts and stories come back when this is switched off.",
        **IN_SESSION,
    )
    if asked:
        told_by_rules(space, comparison, row)
