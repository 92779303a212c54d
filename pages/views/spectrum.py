"""The spectrum of a metric of full rank, of which the stage shows the leading axes."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from datasets.base.percent import percent

MOST_BARS = 60
_SHOWN, _REST = "#4a8fc2", "#9aa0a6"


def spectrum_figure(spectrum: np.ndarray, n_shown: int) -> go.Figure:
    """Eigenvalues as bars, the greatest first, at most 60 of them; those of the axes on the stage stand out."""
    values = spectrum[:MOST_BARS]
    numbers = np.arange(1, len(values) + 1)
    bars = go.Bar(
        x=numbers,
        y=values,
        marker_color=np.where(numbers <= n_shown, _SHOWN, _REST).tolist(),
        hovertemplate="eigenvalue %{x}: %{y:.3g}<extra></extra>",
    )
    figure = go.Figure(bars)
    figure.update_xaxes(title_text="eigenvalue", dtick=1 if len(values) <= 20 else 10, showgrid=False)
    return figure.update_layout(height=170, margin={"l": 8, "r": 8, "t": 8, "b": 8}, bargap=0.2)


def spectrum_sentence(title: str, spectrum: np.ndarray, n_shown: int) -> str:
    """How much of the metric the axes on the stage hold."""
    total = float(spectrum.sum())
    share = float(spectrum[:n_shown].sum()) / total if total > 0 else 1.0
    return (
        f"{title}: the {n_shown} axes on the stage hold {percent(share)} of the trace of its metric in "
        f"{len(spectrum)} dimensions (blue)."
    )
