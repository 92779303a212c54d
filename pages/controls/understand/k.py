"""Where does K come from, and is it good here?"""

from __future__ import annotations

import streamlit as st

from pages.controls.base.figure_config import figure_config
from pages.controls.understand.moment import trained_moment
from pages.server.workspace import Workspace
from pages.text.plain_text import as_text
from study.compare import Comparison
from study.k_curve import KCurve, k_curve

_EXPLAINED = (
    "Each row spreads one unit of chance over the others, p_ij; exp of the entropy of that is its own K, the number of "
    "rows that it effectively looks at. K̂ is their average, of the entropies (geometric) or of the K's. The chart of K "
    "under the stage shows both over the iterations."
)


def where_k_comes_from(space: Workspace, comparison: Comparison) -> None:
    """The histogram of local K and the accuracy for every K, of one training at one iteration."""
    st.markdown("**Where does K come from, and is the estimate good here?**", help=_EXPLAINED)
    moment = trained_moment(space, comparison, "k")
    if moment is None:
        return
    key, snapshot = moment
    with st.spinner("Asking every K …"):
        kept = space.belongings.remembered(
            f"k curve {key}",
            (id(comparison), id(snapshot)),
            lambda: (comparison, snapshot, k_curve(comparison, key, snapshot)),
        )
    found: KCurve = kept[2]
    st.markdown(as_text(found.sentence))
    # Plotly takes long to import, and nothing needs it before.
    from pages.views.k_figures import k_accuracy_figure, local_k_figure

    left, right = st.columns(2)
    dark = st.context.theme.type == "dark"
    left.plotly_chart(local_k_figure(found, dark), key="understand.local_k", config=figure_config("local-k"))
    accuracy = k_accuracy_figure(found, dark)
    right.plotly_chart(accuracy, key="understand.k_accuracy", config=figure_config("accuracy-by-k"))
