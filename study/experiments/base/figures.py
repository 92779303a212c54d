"""The figures of the papers in Plotly: bars, curves and places of rows. Plotly is imported when the first is drawn."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from study.experiments.base.experiment import MAIN
from study.experiments.base.results import Mean, Results

# Okabe and Ito's colours, safe for colour-blind readers; grey in the place of black, so that dark pages read too.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#b5a200", "#8c510a", "#5e3c99")
SYMBOLS = ("circle", "square", "triangle-up", "diamond", "x")
_SIDE, _ACROSS = 250, 3  # pixels of a frame, frames side by side
Figure = Any  # plotly.graph_objects.Figure
# row -> (title of its frame, x)
Position = Callable[[str], tuple[str, float]]


def bars(found: Results) -> Figure | None:
    """A group of bars for each row: ours with one standard error, and diamonds where others published."""
    import plotly.express as px

    shown = _shown(found)
    if not shown:
        return None
    what = "error" if shown[0].line.error else "accuracy"
    options = {"barmode": "group", "labels": {"row": "", "mean": what, "column": ""}, "height": 360}
    figure = px.bar(_frame(shown), x="row", y="mean", color="column", error_y="error", **options, **_look(found))
    published = [(m.line.row, m.line.column, value) for m in shown for value in m.line.published]
    frame = pd.DataFrame(published, columns=["row", "column", "published"])
    marker = {"symbol": "diamond", "size": 9, "color": "#7f7f7f", "line": {"width": 1}}
    for k, (column, group) in enumerate(frame.groupby("column", sort=False)):
        named = {"name": "published", "legendgroup": "published", "showlegend": k == 0, "offsetgroup": column}
        figure.add_scatter(x=group["row"], y=group["published"], mode="markers", marker=marker, **named)
    figure.update_layout(scattermode="group", legend_y=1.15, yaxis={"tickformat": ".0%", "range": _span(shown)})
    return _finished(figure)


def curves(found: Results, position: Position, x_title: str) -> Figure | None:
    """A line for each column over rows that are numbers, one frame for each group of rows, with standard errors."""
    import plotly.express as px

    shown = _shown(found)
    if not shown:
        return None
    frame = _frame(shown)
    frame[["frame", x_title]] = [position(row) for row in frame["row"]]
    down = -(-frame["frame"].nunique() // _ACROSS)
    figure = px.line(
        frame.sort_values(x_title, kind="stable"),
        x=x_title,
        y="mean",
        color="column",
        symbol="column",
        symbol_sequence=SYMBOLS,
        error_y="error",
        facet_col="frame",
        facet_col_wrap=_ACROSS,
        labels={"mean": "", "column": ""},
        height=120 + down * (_SIDE + 60),
        **_look(found, frame=list(dict.fromkeys(frame["frame"]))),
    )
    figure.update_layout(legend_y=-0.15).update_xaxes(matches=None, showticklabels=True)
    figure.update_yaxes(matches=None, showticklabels=True, tickformat=".0%")
    return _finished(figure)


def places(found: Results) -> Figure | None:
    """Where the rows of the first split lie, a frame for each line; classes by colour and symbol."""
    import plotly.express as px

    shown = [(m.line, m.first) for m in found.means if m.line.variant == MAIN and m.first and m.first.places]
    if not shown:
        return None
    points = []
    for line, first in shown:
        for k, (place, code) in enumerate(zip(first.places, first.codes, strict=True)):
            # In one dimension classes lie one above the other, jittered.
            y = place[1] if len(place) > 1 else code + ((7 * k) % 11 - 5) / 14
            points.append((line.row, line.column, place[0], y, str(code)))
    frame = pd.DataFrame(points, columns=["row", "method", "x", "y", "class"])
    rows, methods = (list(dict.fromkeys(frame[name])) for name in ("row", "method"))
    orders = {"row": rows, "method": methods, "class": sorted(set(frame["class"]), key=int)}
    figure = px.scatter(
        frame,
        x="x",
        y="y",
        color="class",
        symbol="class",
        symbol_sequence=SYMBOLS,
        facet_row="row",
        facet_col="method",
        labels=_NO_TITLES,
        height=60 + len(rows) * (_SIDE + 40),
        **_look(found, **orders),
    )
    for axes in (figure.update_xaxes, figure.update_yaxes):
        axes(matches=None, showticklabels=False, zeroline=False)
    figure.update_layout(showlegend=False)
    return _finished(figure.update_traces(marker_size=5))


_NO_TITLES = {"x": "", "y": ""}


def turned_faces_figure(found: Results) -> Figure | None:
    """Places of faces: colour from blue to orange by their turn, squares for large ones and circles for small ones."""
    import plotly.express as px

    first = next((m.first for m in found.means if m.first), None)
    if first is None:
        return None
    small, large = "25 to 30 pixels high", "30 to 35 pixels high"
    figure = px.scatter(
        pd.DataFrame([place[:3] for place in first.places], columns=["x", "y", "turn"]),
        x="x",
        y="y",
        color="turn",
        symbol=[large if code else small for code in first.codes],
        symbol_map={large: "square", small: "circle"},
        color_continuous_scale=[COLOURS[0], COLOURS[4]],
        range_color=(-45, 45),
        labels=_NO_TITLES | {"symbol": ""},
        width=620,
        height=460,
        template="none",
    )
    figure.update_layout(legend_y=-0.15).update_coloraxes(colorbar_ticksuffix="°")
    return _finished(figure.update_traces(marker_size=8))


def _shown(found: Results) -> list[Mean]:
    return [m for m in found.means if m.line.variant == MAIN and m.n]


def _frame(shown: Sequence[Mean]) -> pd.DataFrame:
    errors = [m.standard_error if m.standard_error > 0 else 0.0 for m in shown]
    lines = [(m.line.row, m.line.column, m.mean) for m in shown]
    return pd.DataFrame(lines, columns=["row", "column", "mean"]).assign(error=errors)


def _look(found: Results, **orders: list[str]) -> dict[str, Any]:
    """Colours, and the experiment's order of rows and columns."""
    return {
        "category_orders": {"row": found.rows, "column": found.columns, **orders},
        "color_discrete_sequence": COLOURS,
        "template": "none",
    }


def _span(shown: Sequence[Mean]) -> tuple[float, float]:
    """From 0 for errors; accuracies from a round number below the least, as in the papers' figures."""
    values = [value for m in shown for value in (m.mean, *m.line.published)]
    if shown[0].line.error:
        return 0.0, max(0.05, 1.05 * max(values))
    return max(0.0, math.floor(10 * min(values) - 0.5) / 10), 1.0


def _finished(figure: Figure) -> Figure:
    """Frames titled by their name alone, on the ground of the page."""
    figure.for_each_annotation(lambda title: title.update(text=title.text.partition("=")[2]))
    grey, clear = "rgba(127,127,127,0.3)", "rgba(0,0,0,0)"
    figure.update_xaxes(gridcolor=grey).update_yaxes(gridcolor=grey)
    return figure.update_layout(
        paper_bgcolor=clear, plot_bgcolor=clear, margin={"t": 40, "r": 20}, legend_orientation="h"
    )
