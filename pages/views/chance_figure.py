"""What a method reaches with permuted labels, as bars, and where it stands with the labels as given."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from pages.views.palette import CLASS_COLOURS
from study.chance import Chance

_BINS = 40


def chance_figure(found: Chance) -> go.Figure:
    """1-NN accuracies on the rows that decide."""
    held_out = found.decides == "held-out"
    permuted = found.permuted_held_out if held_out else found.permuted_own
    real = found.held_out if held_out else found.own
    counts, edges = np.histogram(permuted, bins=_BINS, range=(0.0, 1.0))
    figure = go.Figure(
        go.Bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            width=1 / _BINS,
            marker={"color": CLASS_COLOURS[0]},
            hovertemplate="%{y} permutations near %{x:.2f}<extra></extra>",
        )
    )
    given = {"annotation_text": f"labels as given: {real:.2f}", "annotation_position": "top left"}
    figure.add_vline(x=real, line={"color": CLASS_COLOURS[1], "width": 3}, **given)
    figure.update_xaxes(title=f"1-NN accuracy, {found.decides} rows", range=[0, 1.02])
    figure.update_yaxes(title="permutations")
    return figure.update_layout(height=240, margin={"l": 8, "r": 8, "t": 28, "b": 8}, showlegend=False, bargap=0)
