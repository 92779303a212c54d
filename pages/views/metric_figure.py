"""The singular values and the norm of A over the iterations."""

from __future__ import annotations

import plotly.graph_objects as go

from pages.views.palette import line_colours
from study.metric_history import MetricHistory

_DASHES = ("solid", "dash", "dot")


def metric_figure(found: MetricHistory, dark: bool = False) -> go.Figure:
    """A line for each singular value and one for ‖A‖, on a logarithmic scale."""
    inks = line_colours(dark)
    lines = [("‖A‖", found.norms, inks[3], "longdash")]
    for k, values in enumerate(found.singular_values.T):
        title = f"singular value {k + 1}"
        lines.append((title, values, inks[k % len(inks)], _DASHES[k % len(_DASHES)]))
    figure = go.Figure(
        [
            go.Scatter(
                x=found.iterations,
                y=values,
                name=title,
                mode="lines",
                line={"color": colour, "dash": dash, "width": 2},
                hovertemplate="iteration %{x}: %{y:.4g}<extra>" + title + "</extra>",
            )
            for title, values, colour, dash in lines
        ]
    )
    figure.update_xaxes(title="iteration")
    figure.update_yaxes(type="log")
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    return figure.update_layout(height=280, margin={"l": 8, "r": 8, "t": 30, "b": 8}, legend=legend)
