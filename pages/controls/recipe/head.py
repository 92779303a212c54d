"""What stands above the stage: which data these are, and what the training has shown so far."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.server.workspace import Workspace
from pages.text import wording
from pages.text.plain_text import as_text
from pages.views.data_line import data_line
from study.compare import Comparison
from study.measure import Measurement
from study.verdict import on_k, verdict


def head(comparison: Comparison) -> None:
    """Name, rows and classes."""
    st.markdown(f"**NCA Explorer**: {as_text(data_line(comparison.prepared))}")


def first_lines(space: Workspace, comparison: Comparison, measurements: Sequence[Measurement]) -> None:
    """Before anything trains what this is and what to press; then a sentence for each training that has ended."""
    with st.container(key="explore.verdict"):  # as high before there is something to say as after: nothing moves
        _verdicts(space, comparison, measurements)


def _verdicts(space: Workspace, comparison: Comparison, measurements: Sequence[Measurement]) -> None:
    at_rest = [one for one in measurements if one.iteration and space.runs[one.key].run.state in ("ended", "paused")]
    if not at_rest:
        st.caption(_meanwhile(bool(space.runs), bool(comparison.prepared.held_out.any())))
        return
    said = [verdict(comparison, one) for one in at_rest]
    lines = [f"{'⚠' if one.warns else '✓'} {as_text(one.sentence)}" for one in said]
    st.markdown("  \n".join(lines), help="  \n".join(as_text(one.uncertainty) for one in said if one.uncertainty))


def _meanwhile(trains: bool, held_out: bool) -> str:
    """What to press or to wait for; of held-out rows only where there are some."""
    if trains:
        return wording.WHILE_TRAINING if held_out else ""
    said = f"{wording.WHAT_IT_IS} {wording.BEFORE_TRAINING}"
    return f"{said} {wording.HOLLOW_POINTS}" if held_out else said


def k_lines(measurements: Sequence[Measurement]) -> None:
    """What K̂ says of each training."""
    for line in filter(None, map(on_k, measurements)):
        st.caption(as_text(line), help=wording.WHY_K_FALLS)
