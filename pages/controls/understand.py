"""The questions of Understand, and the answers about K, the metric and an A moved by hand."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from datasets.base.dataset import Dataset
from nca_core.snapshot import Snapshot
from pages.controls.point import trained_moment
from pages.controls.recipe_widgets import chart, in_address, is_dark
from pages.controls.results import weights_of_a
from pages.server import trainings
from pages.server.session import ASK
from pages.server.workspace import Workspace
from stage.plain_text import as_text
from stage.streamlit_host import StageState
from study.compare import Comparison
from study.coping import recovery
from study.learnt import k_curve, metric_history

QUESTIONS = {
    "point": "Why is this point here?",
    "metric": "What is the metric?",
    "k": "Where does K come from?",
    "optima": "Is this the only answer?",
    "grab": "Does it come back?",
    "cope": "Does it cope with noise?",
}


def choose_question() -> str:
    pills = partial(st.pills, required=True, label_visibility="collapsed")
    return in_address(pills, "Question", QUESTIONS, ASK, "understand.ask")


_K_EXPLAINED = (
    "Each row picks its neighbours with probabilities p_ij. The exponential of their entropy is the row's own K: "
    "how many rows influence it. K̂ averages the entropies (a geometric mean) or the rows' own K."
)


def where_k_comes_from(space: Workspace, comparison: Comparison) -> None:
    st.markdown("**Where does K come from, and is the estimate good here?**", help=_K_EXPLAINED)
    moment = trained_moment(space, comparison, "k")
    if moment is None:
        return
    key, snapshot = moment
    with st.spinner("Testing every K …"):
        measure = partial(k_curve, comparison, key, snapshot)
        found = space.document.cached(f"k curve {key}", measure, comparison, snapshot)
    st.markdown(as_text(found.sentence))
    # Plotly takes long to import.
    from pages.views.figures import k_accuracy_figure, local_k_figure

    left, right = st.columns(2)
    with left:
        chart(local_k_figure(found, is_dark()), "understand.local_k")
    with right:
        chart(k_accuracy_figure(found, is_dark()), "understand.k_accuracy")


def metric(space: Workspace, comparison: Comparison) -> None:
    panels = [panel for panel in comparison.panels if panel.trains and panel.recipe.method.linear]
    trained = [panel for panel in panels if space.latest(panel.key) is not None]
    st.markdown("**How does A grow?**")
    if not trained:
        st.caption("Press Train or Step to see the singular values of A over the iterations.")
    # Plotly takes long to import.
    from pages.views.figures import metric_figure

    for panel in trained:
        history = metric_history(panel.recipe.shown_title, space.runs[panel.key].run.trajectory)
        st.markdown(as_text(history.sentence))
        chart(metric_figure(history, is_dark()), f"understand.grown.{panel.key}")
    st.markdown("**Which features matter?**")
    weights_of_a(comparison, *trainings.first_shown(space))


_MOVED, _TAKEN = "understand.moved", "understand.taken"


@dataclass(frozen=True)
class _Moved:
    """A training that continued from an A moved by hand: its panel, the run's number and the snapshot before."""

    key: str
    run: int
    before: Snapshot


def grab(space: Workspace, comparison: Comparison, stage: StageState) -> None:
    """Continue the training from the A that was moved on the stage, and report whether it returned."""
    # Each move is taken once, also if the page reruns before the stage has cleared it.
    if stage.grabbed != st.session_state.get(_TAKEN):
        st.session_state[_TAKEN] = stage.grabbed
        if stage.grabbed is not None and _go_on(space, comparison, *stage.grabbed):
            st.rerun()  # the stage needs the new run
    moved: _Moved | None = st.session_state.get(_MOVED)
    held = None if moved is None else space.runs.get(moved.key)
    if moved is None or held is None or held.number != moved.run:
        first = "Move" if space.runs else "Train first, then move"
        st.caption(f"{first} an arrow or a class; the training continues from there. Does it come back?")
        return
    if snapshots := held.run.trajectory.snapshots:
        panel, ended = comparison.panel(moved.key), held.run.state == "ended"
        rows = panel.X[comparison.prepared.train]
        said = recovery(panel.recipe.shown_title, moved.before, snapshots[0], snapshots[-1], ended, rows)
        st.markdown(as_text(said))
    about = "Trains again from the A before your move."
    undo = partial(_undo, space, comparison.dataset, moved)
    st.button("Restore the previous view", key="understand.grab_undo", on_click=undo, help=about)


def _go_on(space: Workspace, comparison: Comparison, key: str, values: tuple[float, ...]) -> bool:
    """Continue the training of that panel from `values`; False if they are no A of a trained panel."""
    before = space.latest(key)
    start = None if before is None else comparison.panel(key).transformation
    if before is None or start is None or start.size != len(values):
        return False
    trainings.train(space, comparison.dataset, key, np.reshape(values, start.shape))
    st.session_state[_MOVED] = _Moved(key, space.runs[key].number, before)
    return True


def _undo(space: Workspace, dataset: Dataset, moved: _Moved) -> None:
    trainings.train(space, dataset, moved.key, moved.before.transformation)
    st.session_state.pop(_MOVED, None)
