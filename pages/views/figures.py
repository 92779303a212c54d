"""Plotly figures: the test against chance, K, the metric, optima, spectra and feature weights."""

import html
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from datasets.base.words import percent
from stage.palette import CLASS_COLOURS, UNLABELLED_COLOUR, class_colours, line_colours
from stage.plain_text import visible
from stage.wording import INITIALISATIONS
from study.learnt import KCurve, MetricHistory
from study.optima import LineBetween, Optima, Reached
from study.repetitions import Chance

_BINS = 40
_DASHES = ("solid", "dash", "dot")
_SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "x", "hexagon")
MOST_BARS = 60
_BLUE, _GREY = "#4a8fc2", "#9aa0a6"
MOST_FEATURES = 30


def _figure(*traces: Any, x: str, y: str = "", **layout: Any) -> go.Figure:
    common = {"margin": {"l": 8, "r": 8, "t": 30, "b": 8}, "xaxis_title": x, "yaxis_title": y or None}
    return go.Figure(list(traces), layout=go.Layout(**common | layout))


def _bars(counts: np.ndarray, edges: np.ndarray, hover: str, colour: str) -> go.Bar:
    """A histogram; `hover` may name the bounds of a bar as customdata."""
    return go.Bar(
        x=(edges[:-1] + edges[1:]) / 2,
        y=counts,
        width=np.diff(edges),
        marker={"color": colour, "line": {"width": 0}},
        customdata=np.column_stack([edges[:-1], edges[1:]]),
        hovertemplate=f"{hover}<extra></extra>",
    )


def _line(x: np.ndarray, y: np.ndarray, name: str, hover: str, **look: Any) -> go.Scatter:
    mode = "lines+markers" if "marker" in look else "lines"
    return go.Scatter(x=x, y=y, name=name, mode=mode, hovertemplate=f"{hover}<extra>{name}</extra>", **look)


def chance_figure(found: Chance) -> go.Figure:
    """A histogram of the 1-NN accuracies with permuted labels, and the accuracy with the true labels."""
    held_out = found.decides == "held-out"
    permuted = found.permuted_held_out if held_out else found.permuted_own
    real = found.held_out if held_out else found.own
    counts, edges = np.histogram(permuted, bins=_BINS, range=(0.0, 1.0))
    bars = _bars(counts, edges, "%{y} permutations near %{x:.2f}", CLASS_COLOURS[0])
    title = f"1-NN accuracy, {found.decides} rows"
    figure = _figure(bars, x=title, y="permutations", xaxis_range=[0, 1.02], height=240, bargap=0)
    note = {"annotation_text": f"true labels: {real:.2f}", "annotation_position": "top left"}
    return figure.add_vline(x=real, line={"color": CLASS_COLOURS[1], "width": 3}, **note)


def local_k_figure(found: KCurve, dark: bool = False) -> go.Figure:
    """The histogram of the rows' own K, on a logarithmic scale where they differ much, and both averages."""
    inks = line_colours(dark)
    low, high = float(found.local.min()), float(found.local.max())
    log = high > 20 * low
    edges = np.geomspace(low, high, _BINS + 1) if log else np.linspace(low, max(high, low + 1e-9), _BINS + 1)
    counts, _ = np.histogram(found.local, bins=edges)
    bars = _bars(counts, edges, "%{y} rows: own K from %{customdata[0]:.1f} to %{customdata[1]:.1f}", inks[0])
    figure = _figure(bars, x="own K of a training row", y="rows", height=300, bargap=0)
    averages = (
        (found.mean_entropy, f"K̂ = exp(mean H) = {found.mean_entropy:.1f}", inks[1], "solid", 1.0),
        (found.mean_perplexity, f"mean exp(H) = {found.mean_perplexity:.1f}", inks[3], "dash", 0.88),
    )
    for value, text, colour, dash, height in averages:
        figure.add_vline(x=value, line={"color": colour, "width": 3, "dash": dash})
        note = {"text": text, "font": {"color": colour}, "showarrow": False, "xanchor": "right"}
        figure.add_annotation(x=1, y=height, xref="paper", yref="paper", **note)
    if log:
        numbers = [m * 10**e for e in range(7) for m in (1, 2, 5)]
        figure.update_xaxes(type="log", tickvals=numbers, ticktext=[f"{n:,}" for n in numbers])
    return figure


def k_accuracy_figure(found: KCurve, dark: bool = False) -> go.Figure:
    """Accuracy against K, training rows leave-one-out and held-out rows, with round(K̂) marked."""
    inks = line_colours(dark)
    curves = [("training rows, leave-one-out", found.leave_one_out, inks[0], "dash")]
    if len(found.held_out):
        curves.append(("held-out rows", found.held_out, inks[1], "solid"))
    hover, small = "K = %{x}: %{y:.3f}", {"size": 5}
    lines = [
        _line(np.arange(1, len(curve) + 1), curve, title, hover, marker=small, line={"color": colour, "dash": dash})
        for title, curve, colour, dash in curves
    ]
    legend = {"orientation": "h", "y": -0.3, "yanchor": "top", "x": 0}
    figure = _figure(*lines, x="K", y="accuracy", height=330, legend=legend, showlegend=True)
    if found.k <= len(found.leave_one_out):
        figure.add_vline(x=found.k, line={"color": inks[3], "width": 2, "dash": "dot"})
        side = "left" if found.k <= len(found.leave_one_out) / 2 else "right"
        note = {"text": f"K = {found.k}, from K̂", "font": {"color": inks[3]}, "showarrow": False, "xanchor": side}
        # Above the curves, where it stays legible.
        figure.add_annotation(x=found.k, y=1.02, yref="paper", yanchor="bottom", **note)
    return figure


def metric_figure(found: MetricHistory, dark: bool = False) -> go.Figure:
    """A line for each singular value and one for ‖A‖, on a logarithmic scale."""
    inks = line_colours(dark)
    values = [("‖A‖", found.norms, inks[3], "longdash")]
    for k, each in enumerate(found.singular_values.T):
        values.append((f"singular value {k + 1}", each, inks[k % len(inks)], _DASHES[k % len(_DASHES)]))
    hover = "iteration %{x}: %{y:.4g}"
    lines = [
        _line(found.iterations, each, title, hover, line={"color": colour, "dash": dash, "width": 2})
        for title, each, colour, dash in values
    ]
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    return _figure(*lines, x="iteration", yaxis_type="log", height=280, legend=legend)


def start_words(reached: Reached) -> str:
    """A start in words: "random normal, seed 3, 3 times as large"."""
    trial = reached.trial
    seed = f", seed {trial.seed}" if trial.start in ("random", "uniform") else ""
    scale = "" if trial.scale == 1 else f", {trial.scale:g} times as large"
    return f"{INITIALISATIONS.get(trial.start, trial.start)}{seed}{scale}"


def _labels(found: Optima) -> list[str]:
    return [f"start {k + 1}: {start_words(one)}" for k, one in enumerate(found.reached)]


def _hovered(found: Optima) -> list[str]:
    """The hover text of each mark: its start, f/n and the 1-NN accuracy."""
    words = [f"{label}<br>f/n {p:.4f}" for label, p in zip(_labels(found), found.mean_p, strict=True)]
    if not len(found.right):
        return words
    rows = "held-out rows" if found.held_out else "training rows, leave-one-out"
    each = zip(words, found.accuracy, found.like_the_best, strict=True)
    agreement = "agreement with the best"
    return [f"{label}<br>{rows}: accuracy {right:.2f}, {agreement} {alike:.2f}" for label, right, alike in each]


def _look(found: Optima, dark: bool) -> dict[str, list[str]]:
    """Colour and symbol of the group of each start; a group of one is grey."""
    of_groups = class_colours(dark)
    size = np.bincount(found.groups)
    shared = [group if size[group] > 1 or group == 0 else -1 for group in found.groups]
    colours = [of_groups[group % len(of_groups)] if group >= 0 else UNLABELLED_COLOUR for group in shared]
    return {"color": colours, "symbol": [_SHAPES[group % len(_SHAPES)] if group >= 0 else "circle" for group in shared]}


def optima_bars(found: Optima, dark: bool = False) -> go.Figure:
    """f/n of every start, the best first; starts of one optimum have one colour."""
    order = np.argsort(-found.mean_p, kind="stable")
    labels, colours = _labels(found), _look(found, dark)["color"]
    bars = go.Bar(
        x=np.arange(1, len(order) + 1),
        y=found.mean_p[order],
        marker={"color": [colours[k] for k in order]},
        customdata=order,
        text=[labels[k] for k in order],
        textposition="none",
        hovertemplate="%{text}<br>f/n %{y:.4f}<extra></extra>",
    )
    low, high = float(found.mean_p.min()), float(found.mean_p.max())
    scale = [max(0.0, low - 0.3 * (high - low) - 0.01), min(1.0, high + 0.01)]
    look = {"xaxis_showgrid": False, "yaxis_range": scale, "bargap": 0.1, "clickmode": "event+select"}
    return _figure(bars, x="starts, the best first", y="f/n reached", height=300, **look)


def optima_map(found: Optima, dark: bool = False) -> go.Figure:
    """A map of the starts: similar projections lie close; larger marks have a larger f/n."""
    x, y = found.map.T
    low, high = float(found.mean_p.min()), float(found.mean_p.max())
    size = 9 + 11 * (found.mean_p - low) / ((high - low) or 1.0)
    edge = {"width": 1, "color": "rgba(128,128,128,0.6)"}
    marks = go.Scatter(
        x=x,
        y=y,
        mode="markers",
        marker={**_look(found, dark), "size": size, "opacity": 0.85, "line": edge},
        customdata=np.arange(len(x)),
        text=_hovered(found),
        hovertemplate="%{text}<extra></extra>",
    )
    figure = _figure(marks, x="nearby: similar views", height=340, clickmode="event+select")
    figure.update_xaxes(showticklabels=False, zeroline=False)
    return figure.update_yaxes(showticklabels=False, zeroline=False, showgrid=False, scaleanchor="x")


def line_figure(line: LineBetween, names: tuple[str, ...], dark: bool = False) -> go.Figure:
    ink, mark, *_ = line_colours(dark)
    curve = _line(line.t, line.mean_p, "", "%{x:.2f} of the way: %{y:.4f}", line={"color": ink, "width": 3})
    figure = _figure(curve, x="along A + t (B − A)", y="f/n", height=280)
    for at, name in zip((0.0, 1.0), names, strict=True):
        figure.add_vline(x=at, line={"color": mark, "dash": "dot", "width": 2}, annotation_text=name)
    return figure


def plane_figure(t: np.ndarray, mean_p: np.ndarray, names: tuple[str, ...]) -> go.Figure:
    bar, hover = {"title": "f/n", "thickness": 12}, "f/n %{z:.4f}<extra></extra>"
    heights = go.Contour(x=t, y=t, z=mean_p, colorscale="Viridis", colorbar=bar, hovertemplate=hover)
    marks = go.Scatter(
        x=[0, 1, 0],
        y=[0, 0, 1],
        mode="markers+text",
        text=list(names),
        textposition="top center",
        textfont={"color": "white"},
        marker={"symbol": "x", "size": 11, "color": "white", "line": {"color": "black", "width": 1}},
        hoverinfo="text",
    )
    return _figure(heights, marks, x="A to B", y="A to C", height=360, showlegend=False)


def spectrum_figure(spectrum: np.ndarray, n_shown: int) -> go.Figure:
    """The largest eigenvalues as bars, at most 60; those of the axes on the stage in blue."""
    values = spectrum[:MOST_BARS]
    numbers = np.arange(1, len(values) + 1)
    colours = np.where(numbers <= n_shown, _BLUE, _GREY).tolist()
    bars = go.Bar(x=numbers, y=values, marker_color=colours, hovertemplate="eigenvalue %{x}: %{y:.3g}<extra></extra>")
    figure = _figure(bars, x="eigenvalue", height=170, margin_t=8, bargap=0.2)
    return figure.update_xaxes(dtick=1 if len(values) <= 20 else 10, showgrid=False)


def spectrum_sentence(title: str, spectrum: np.ndarray, n_shown: int) -> str:
    """The share of the metric in the axes on the stage."""
    total = float(spectrum.sum())
    share = float(spectrum[:n_shown].sum()) / total if total > 0 else 1.0
    axes = f"{title}: the {n_shown} axes on the stage hold {percent(share)}"
    return f"{axes} of the trace of its {len(spectrum)}-dimensional metric (blue)."


def transformation_images(weights: np.ndarray, image_shape: tuple[int, int]) -> go.Figure:
    """Each row of `weights`, (n_components, pixels), as an image; one colour scale with zero in its middle."""
    limit = float(np.abs(weights).max()) or 1.0
    bar = {"orientation": "h", "thickness": 10, "len": 0.5, "y": -0.02, "yanchor": "top"}
    hover = "row %{y}, column %{x}: %{z:.3g}<extra></extra>"
    figure = _side_by_side(len(weights))
    for k, row in enumerate(weights, start=1):
        image = go.Heatmap(z=row.reshape(image_shape), coloraxis="coloraxis", hovertemplate=hover)
        figure.add_trace(image, row=1, col=k)
        figure.update_yaxes(autorange="reversed", scaleanchor=f"x{k if k > 1 else ''}", row=1, col=k)
    figure.update_xaxes(visible=False, constrain="domain")
    figure.update_yaxes(visible=False, constrain="domain")
    scale = {"cmin": -limit, "cmax": limit, "colorscale": "RdBu_r", "colorbar": bar}
    return figure.update_layout(height=320, margin={"l": 8, "r": 8, "t": 36, "b": 40}, coloraxis=scale)


def transformation_bars(weights: np.ndarray, feature_names: tuple[str, ...]) -> go.Figure:
    """Each row of A as bars, for the 30 features with the longest columns of A, the longest first."""
    length = np.linalg.norm(weights, axis=0)
    shown = np.argsort(-length, kind="stable")[:MOST_FEATURES]
    # Positions on the axis, as two features may share a name. Plotly renders some HTML, so names are escaped.
    places = np.arange(len(shown))
    names = [_short(feature_names[k]) for k in shown]
    hover = "%{customdata}: %{x:.3g}<extra></extra>"
    look = {"orientation": "h", "marker_color": _BLUE, "customdata": names, "hovertemplate": hover}
    figure = _side_by_side(len(weights), shared_yaxes=True)
    for k, row in enumerate(weights, start=1):
        figure.add_trace(go.Bar(x=row[shown], y=places, **look), row=1, col=k)
    limit = 1.05 * (float(np.abs(weights).max()) or 1.0)
    figure.update_xaxes(range=[-limit, limit], zeroline=True)
    figure.update_yaxes(autorange="reversed", showgrid=False)
    figure.update_yaxes(tickvals=places, ticktext=names, row=1, col=1)
    margin = {"l": 8, "r": 8, "t": 36, "b": 8}
    return figure.update_layout(height=90 + 22 * len(shown), margin=margin, showlegend=False)


def _side_by_side(count: int, **options: bool) -> go.Figure:
    titles = [f"Row {k} of A" for k in range(1, count + 1)]
    figure = make_subplots(1, count, subplot_titles=titles, horizontal_spacing=0.04, **options)
    return figure.update_annotations(font_size=12)


def _short(name: str) -> str:
    text = visible(name)
    return html.escape(text if len(text) <= 22 else text[:21] + "…", quote=False)
