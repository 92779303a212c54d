"""Optima in figures: what each start reaches, how far these are apart, and what lies between them."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from pages.text.wording import INITIALISATIONS
from pages.views.palette import UNLABELLED_COLOUR, class_colours, line_colours
from study.landscape import Line
from study.optima import Optima, Reached

_MARGIN = {"l": 8, "r": 8, "t": 30, "b": 8}
_SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "x", "hexagon")


def start_words(reached: Reached) -> str:
    """A start as people read it: "random normal, seed 3, 3 times as large"."""
    trial = reached.trial
    seed = f", seed {trial.seed}" if trial.start in ("random", "uniform") else ""
    scale = "" if trial.scale == 1 else f", {trial.scale:g} times as large"
    return f"{INITIALISATIONS.get(trial.start, trial.start)}{seed}{scale}"


def _said(found: Optima) -> list[str]:
    return [f"start {k + 1}: {start_words(one)}" for k, one in enumerate(found.reached)]


def _hovered(found: Optima) -> list[str]:
    """What is told of each mark: its start, f/n, and what 1-NN makes of its view."""
    rows = "held-out rows" if found.held_out else "training rows, leave-one-out"
    words = [f"{said}<br>f/n {p:.4f}" for said, p in zip(_said(found), found.mean_p, strict=True)]
    if not len(found.right):
        return words
    each = zip(words, found.accuracy, found.like_the_best, strict=True)
    return [f"{said}<br>{rows}: right {right:.2f}, as in the best {alike:.2f}" for said, right, alike in each]


def _look(found: Optima, dark: bool) -> dict[str, list[str]]:
    """Colour and shape of each one's group; a group of one is grey."""
    of_groups = class_colours(dark)
    size = np.bincount(found.groups)
    shared = [group if size[group] > 1 or group == 0 else -1 for group in found.groups]
    colours = [of_groups[group % len(of_groups)] if group >= 0 else UNLABELLED_COLOUR for group in shared]
    return {"color": colours, "symbol": [_SHAPES[group % len(_SHAPES)] if group >= 0 else "circle" for group in shared]}


def optima_bars(found: Optima, dark: bool = False) -> go.Figure:
    """f/n of every start, the best first; those that reach one optimum have one colour."""
    order = np.argsort(-found.mean_p, kind="stable")
    said, colours = _said(found), _look(found, dark)["color"]
    figure = go.Figure(
        go.Bar(
            x=np.arange(1, len(order) + 1),
            y=found.mean_p[order],
            marker={"color": [colours[k] for k in order]},
            customdata=order,
            text=[said[k] for k in order],
            textposition="none",
            hovertemplate="%{text}<br>f/n %{y:.4f}<extra></extra>",
        )
    )
    low, high = float(found.mean_p.min()), float(found.mean_p.max())
    figure.update_xaxes(title="starts, the best first", showgrid=False)
    figure.update_yaxes(title="f/n reached", range=[max(0.0, low - 0.3 * (high - low) - 0.01), min(1.0, high + 0.01)])
    return figure.update_layout(height=300, margin=_MARGIN, bargap=0.1, clickmode="event+select")


def optima_map(found: Optima, dark: bool = False) -> go.Figure:
    """Every start's view, near to those that are alike; size and text tell f/n."""
    x, y = found.map.T
    look = _look(found, dark)
    low, high = float(found.mean_p.min()), float(found.mean_p.max())
    size = 9 + 11 * (found.mean_p - low) / ((high - low) or 1.0)
    figure = go.Figure(
        go.Scatter(
            x=x,
            y=y,
            mode="markers",
            marker={**look, "size": size, "opacity": 0.85, "line": {"width": 1, "color": "rgba(128,128,128,0.6)"}},
            customdata=np.arange(len(x)),
            text=_hovered(found),
            hovertemplate="%{text}<extra></extra>",
        )
    )
    figure.update_xaxes(title="near: nearly the same view", showticklabels=False, zeroline=False)
    figure.update_yaxes(showticklabels=False, zeroline=False, showgrid=False, scaleanchor="x")
    return figure.update_layout(height=340, margin=_MARGIN, clickmode="event+select")


def line_figure(line: Line, names: tuple[str, str], dark: bool = False) -> go.Figure:
    """f/n along the line through two optima, which are marked."""
    ink, mark, *_ = line_colours(dark)
    figure = go.Figure(
        go.Scatter(
            x=line.t,
            y=line.mean_p,
            mode="lines",
            line={"color": ink, "width": 3},
            hovertemplate="%{x:.2f} of the way: %{y:.4f}<extra></extra>",
        )
    )
    for at, name in zip((0.0, 1.0), names, strict=True):
        figure.add_vline(x=at, line={"color": mark, "dash": "dot", "width": 2}, annotation_text=name)
    figure.update_xaxes(title="along A + t (B − A)")
    figure.update_yaxes(title="f/n")
    return figure.update_layout(height=280, margin=_MARGIN, showlegend=False)


def plane_figure(t: np.ndarray, mean_p: np.ndarray, names: tuple[str, str, str]) -> go.Figure:
    """f/n on the plane through three optima, as a map of heights."""
    figure = go.Figure(
        go.Contour(
            x=t,
            y=t,
            z=mean_p,
            colorscale="Viridis",
            colorbar={"title": "f/n", "thickness": 12},
            hovertemplate="f/n %{z:.4f}<extra></extra>",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[0, 1, 0],
            y=[0, 0, 1],
            mode="markers+text",
            text=list(names),
            textposition="top center",
            textfont={"color": "white"},
            marker={"symbol": "x", "size": 11, "color": "white", "line": {"color": "black", "width": 1}},
            hoverinfo="text",
        )
    )
    figure.update_xaxes(title="A to B")
    figure.update_yaxes(title="A to C")
    return figure.update_layout(height=360, margin=_MARGIN, showlegend=False)
