"""K in figures: each row's own K, and the accuracy for every K with the estimate marked."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from pages.views.palette import line_colours
from study.k_curve import KCurve

_BINS = 40
_MARGIN = {"l": 8, "r": 8, "t": 30, "b": 8}


def local_k_figure(found: KCurve, dark: bool = False) -> go.Figure:
    """The histogram of the rows' own K, on a logarithmic scale where they differ much, and both averages."""
    inks = line_colours(dark)
    low, high = float(found.local.min()), float(found.local.max())
    log = high > 20 * low
    place = np.log10 if log else np.asarray
    ends = place(low), max(place(high), place(low) + 1e-9)
    edges = np.linspace(*ends, _BINS + 1)
    counts, _ = np.histogram(place(found.local), bins=edges)
    bounds = 10**edges if log else edges
    bars = go.Bar(
        x=(edges[:-1] + edges[1:]) / 2,
        y=counts,
        width=np.diff(edges),
        marker={"color": inks[0], "line": {"width": 0}},
        customdata=np.column_stack([bounds[:-1], bounds[1:]]),
        hovertemplate="%{y} rows look at %{customdata[0]:.1f} to %{customdata[1]:.1f}<extra></extra>",
    )
    figure = go.Figure(bars)
    averages = (
        (found.mean_entropy, f"K̂ = exp(mean H) = {found.mean_entropy:.1f}", inks[1], "solid", 1.0),
        (found.mean_perplexity, f"mean exp(H) = {found.mean_perplexity:.1f}", inks[3], "dash", 0.88),
    )
    for value, text, colour, dash, height in averages:
        figure.add_vline(x=float(place(value)), line={"color": colour, "width": 3, "dash": dash})
        note = {"text": text, "font": {"color": colour}, "showarrow": False, "xanchor": "right"}
        figure.add_annotation(x=1, y=height, xref="paper", yref="paper", **note)
    ticks = {}
    if log:
        numbers = [m * 10**e for e in range(7) for m in (1, 2, 5) if low <= m * 10**e <= high]
        ticks = {"tickvals": [float(np.log10(n)) for n in numbers], "ticktext": [f"{n:,}" for n in numbers]}
    figure.update_xaxes(title="own K of a training row", **ticks)
    figure.update_yaxes(title="rows")
    return figure.update_layout(height=300, margin=_MARGIN, bargap=0, showlegend=False)


def k_accuracy_figure(found: KCurve, dark: bool = False) -> go.Figure:
    """Accuracy against K, training rows leave-one-out and held-out rows, with round(K̂) marked."""
    inks = line_colours(dark)
    figure = go.Figure()
    curves = [("training rows, leave-one-out", found.leave_one_out, inks[0], "dash")]
    if len(found.held_out):
        curves.append(("held-out rows", found.held_out, inks[1], "solid"))
    for title, curve, colour, dash in curves:
        figure.add_trace(
            go.Scatter(
                x=np.arange(1, len(curve) + 1),
                y=curve,
                name=title,
                mode="lines+markers",
                marker={"size": 5},
                line={"color": colour, "dash": dash},
                hovertemplate="K = %{x}: %{y:.3f}<extra>" + title + "</extra>",
            )
        )
    if found.k <= len(found.leave_one_out):
        figure.add_vline(x=found.k, line={"color": inks[3], "width": 2, "dash": "dot"})
        side = "left" if found.k <= len(found.leave_one_out) / 2 else "right"
        note = {"text": f"K = {found.k}, from K̂", "font": {"color": inks[3]}, "showarrow": False, "xanchor": side}
        # Above the curves, in a stretch of its own: over them nobody could read it.
        figure.add_annotation(x=found.k, y=1.02, yref="paper", yanchor="bottom", **note)
    figure.update_xaxes(title="K")
    figure.update_yaxes(title="accuracy")
    legend = {"orientation": "h", "y": -0.3, "yanchor": "top", "x": 0}
    return figure.update_layout(height=330, margin=_MARGIN, legend=legend)
