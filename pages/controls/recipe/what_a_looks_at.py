"""What A looks at: the rows of the latest A, as images or as bars by feature."""

from __future__ import annotations

import streamlit as st

from nca_core.snapshot import Snapshot
from pages.controls.base.figure_config import figure_config
from pages.controls.base.persistence import IN_SESSION
from pages.text.plain_text import as_text
from study.compare import Comparison
from study.features import PREPARATIONS, PREPARED
from study.panel import FEATURES

_WEIGHTS = {True: "per standard deviation", False: "per unit"}


def what_a_looks_at(comparison: Comparison, key: str | None, snapshot: Snapshot | None, folded: bool = True) -> None:
    """Draw nothing while it is folded; `snapshot` is the newest of the panel `key`, None before the first."""
    if not folded:
        st.markdown("**Which features matter?**")
        _weights(comparison, key, snapshot)
        return
    opened = st.expander("Which features matter", key="explore.what_a_looks_at", on_change="rerun")
    if opened.open:
        with opened:
            _weights(comparison, key, snapshot)


def _weights(comparison: Comparison, key: str | None, snapshot: Snapshot | None) -> None:
    if snapshot is None or key is None:
        st.caption("Press Train or Step first: then the rows of the trained A are shown here.")
        return
    ready, panel = comparison.prepared, comparison.panel(key).recipe
    if not panel.method.linear:
        st.caption(f"{panel.shown_title} bends the projection, so no feature has one weight everywhere.")
        return
    if panel.features in PREPARATIONS:
        own = f"{panel.shown_title} is fed features of its own ({FEATURES.title(panel.features)})."
        st.caption(f"{own} Weights are shown only of features as prepared.")
        return
    if panel.features != PREPARED:
        st.caption(f"{panel.shown_title} is fed similarities to other rows, so no feature has a weight of its own.")
        return
    # Plotly takes long to import, and the first page does not need it.
    from pages.views.transformation_images import transformation_bars, transformation_images, weights_of_features

    per_deviation = st.segmented_control(
        "Weights",
        list(_WEIGHTS),
        default=True,
        required=True,
        format_func=lambda per_deviation: _WEIGHTS[per_deviation],
        key="explore.weights",
        **IN_SESSION,
        help="How far a point moves on the stage when one feature grows by its standard deviation, or by one unit.",
    )
    raw = ready.raw
    weights = weights_of_features(ready, snapshot.transformation, bool(per_deviation))
    if raw.image_shape is not None:
        figure = transformation_images(weights, raw.image_shape)
    else:
        figure = transformation_bars(weights, raw.feature_names)
    st.plotly_chart(figure, key="explore.a_figure", config=figure_config("features"))
    st.caption(_caption(comparison, key, snapshot))


def _caption(comparison: Comparison, key: str, snapshot: Snapshot) -> str:
    if comparison.prepared.raw.image_shape is not None:
        rest = "Each row of A weighs the pixels: red adds, blue takes away, light pixels do not matter."
    else:
        rest = "Each row of A weighs the features as they came; the ones with the greatest weights stand first."
    return f"{as_text(comparison.panel(key).recipe.shown_title)}, iteration {snapshot.iteration}. {rest}"
