"""What is the metric? Below the stage, which shows AᵀA and the arrows: how A grew, and what its rows weigh."""

from __future__ import annotations

import streamlit as st

from pages.controls.base.figure_config import figure_config
from pages.controls.recipe.what_a_looks_at import what_a_looks_at
from pages.server import trainings
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from study.compare import Comparison
from study.metric_history import metric_history


def metric(space: Workspace, comparison: Comparison) -> None:
    """The singular values of each training over its iterations, and the weights of the features."""
    found = {p.key: p.recipe.shown_title for p in comparison.panels if p.trains and p.recipe.method.linear}
    trained = [key for key in found if trainings.latest(space, key) is not None]
    st.markdown("**How does A grow?**")
    if not trained:
        st.caption("Press Train or Step first: then the singular values of A stand here over the iterations.")
    # Plotly takes long to import, and nothing needs it before.
    from pages.views.metric_figure import metric_figure

    for key in trained:
        history = metric_history(found[key], space.runs[key].run.trajectory)
        st.markdown(as_text(history.sentence))
        figure = metric_figure(history, st.context.theme.type == "dark")
        st.plotly_chart(figure, key=f"understand.grown.{key}", config=figure_config("metric"))
    what_a_looks_at(comparison, *trainings.newest(space), folded=False)
