"""What the rows of A look at: as images where the data are images, else as bars by feature."""

from __future__ import annotations

import html

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from datasets.preparation import Prepared
from pages.text.plain_text import visible

MOST_FEATURES = 30
# Red and blue, light in the middle: told apart with every common colour blindness.
_DIVERGING = "RdBu_r"
_BAR = "#4a8fc2"


def weights_of_features(ready: Prepared, transformation: np.ndarray, per_deviation: bool) -> np.ndarray:
    """The weight of each feature as it came, in each row of A.

    Parameters
    ----------
    ready : Prepared
        The prepared data that `transformation` was trained on.
    transformation : np.ndarray
        A, (n_components, n_features of the prepared data).
    per_deviation : bool
        Per standard deviation of the feature over the training rows, so that features of different
        units can be compared and a pixel that hardly ever changes does not stand out; else per unit.

    Returns
    -------
        (n_components, n_features of the raw data).
    """
    weights = ready.back_to_features(transformation)
    if per_deviation:
        weights = weights * ready.raw.X[ready.train].std(axis=0)
    return weights


def transformation_images(weights: np.ndarray, image_shape: tuple[int, int]) -> go.Figure:
    """Each row of A as an image, (n_components, rows * columns) -> heat maps with one scale and zero in its middle."""
    limit = float(np.abs(weights).max()) or 1.0
    figure = _side_by_side(len(weights))
    for k, row in enumerate(weights, start=1):
        figure.add_trace(
            go.Heatmap(
                z=row.reshape(image_shape),
                zmin=-limit,
                zmax=limit,
                colorscale=_DIVERGING,
                showscale=k == len(weights),
                colorbar={"orientation": "h", "thickness": 10, "len": 0.5, "y": -0.02, "yanchor": "top"},
                hovertemplate="row %{y}, column %{x}: %{z:.3g}<extra></extra>",
            ),
            row=1,
            col=k,
        )
        figure.update_yaxes(autorange="reversed", scaleanchor=f"x{k if k > 1 else ''}", row=1, col=k)
    figure.update_xaxes(visible=False, constrain="domain")
    figure.update_yaxes(visible=False, constrain="domain")
    return figure.update_layout(height=320, margin={"l": 8, "r": 8, "t": 36, "b": 40})


def transformation_bars(weights: np.ndarray, feature_names: tuple[str, ...]) -> go.Figure:
    """Each row of A as bars by feature; the features with the longest columns of A first, at most 30 of them."""
    length = np.linalg.norm(weights, axis=0)
    shown = np.argsort(-length, kind="stable")[:MOST_FEATURES]
    # Places, not names, on the axis: two features may share a name. Plotly reads some HTML, so names are escaped.
    places = np.arange(len(shown))
    names = [_short(feature_names[k]) for k in shown]
    figure = _side_by_side(len(weights), shared_yaxes=True)
    for k, row in enumerate(weights, start=1):
        bars = go.Bar(
            x=row[shown],
            y=places,
            orientation="h",
            marker_color=_BAR,
            customdata=names,
            hovertemplate="%{customdata}: %{x:.3g}<extra></extra>",
            showlegend=False,
        )
        figure.add_trace(bars, row=1, col=k)
    limit = 1.05 * (float(np.abs(weights).max()) or 1.0)
    figure.update_xaxes(range=[-limit, limit], zeroline=True)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_yaxes(tickvals=places, ticktext=names, row=1, col=1)
    return figure.update_layout(height=90 + 22 * len(shown), margin={"l": 8, "r": 8, "t": 36, "b": 8})


def _side_by_side(count: int, shared_yaxes: bool = False) -> go.Figure:
    titles = [f"Row {k} of A" for k in range(1, count + 1)]
    figure = make_subplots(1, count, subplot_titles=titles, shared_yaxes=shared_yaxes, horizontal_spacing=0.04)
    return figure.update_annotations(font_size=12)


def _short(name: str) -> str:
    text = visible(name)
    return html.escape(text if len(text) <= 22 else text[:21] + "…", quote=False)
