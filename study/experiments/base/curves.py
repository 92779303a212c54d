"""curves: a line for each column over rows that are numbers, one frame for each group of rows."""

from __future__ import annotations

from collections.abc import Callable

from study.experiments.base import svg
from study.experiments.base.experiment import MAIN
from study.experiments.base.found import Found, Mean

_WIDTH, _HEIGHT, _LEFT, _TOP, _BETWEEN = 250.0, 200.0, 60.0, 26.0, 62.0
_A_LINE = 3  # frames side by side

# row -> (name of the frame, x)
Place = Callable[[str], tuple[str, float]]


def curves(found: Found, place: Place, x_title: str) -> str:
    """Means with bars of one standard error; `place` says in which frame, and where in it, a row stands."""
    shown = [m for m in found.means if m.line.variant == MAIN and m.n]
    frames = list(dict.fromkeys(place(m.line.row)[0] for m in shown))
    if not frames:
        return ""
    columns = [column for column in found.columns if any(m.line.column == column for m in shown)]
    across = min(_A_LINE, len(frames))
    width = _LEFT + across * (_WIDTH + _BETWEEN)
    parts = []
    for k, name in enumerate(frames):
        left = _LEFT + (k % across) * (_WIDTH + _BETWEEN)
        top = _TOP + (k // across) * (_HEIGHT + _BETWEEN)
        inside = [m for m in shown if place(m.line.row)[0] == name]
        parts.append(_frame(name, inside, columns, place, (left, top, _WIDTH, _HEIGHT), x_title))
    bottom = _TOP + ((len(frames) - 1) // across + 1) * (_HEIGHT + _BETWEEN)
    names, high = svg.legend(columns, _LEFT, bottom, width - _LEFT)
    return svg.picture(width, bottom + high, [*parts, names], found.experiment.title)


def _frame(
    name: str,
    shown: list[Mean],
    columns: list[str],
    place: Place,
    box: tuple[float, float, float, float],
    x_title: str,
) -> str:
    xs = sorted({place(m.line.row)[1] for m in shown})
    low, high = min(m.mean for m in shown), max(m.mean for m in shown)
    room = 0.08 * (high - low) or 0.02
    axes = svg.Axes(box, (xs[0], xs[-1]), (max(0.0, low - room), min(1.0, high + room)))
    left, top, width, height = box
    parts = [axes.frame(), axes.y_ticks(), axes.x_ticks(_few(xs))]
    parts += [svg.text(left, top - 8, name, bold=True), svg.text(left + width, top + height + 32, x_title, "end")]
    for k, column in enumerate(columns):
        line = sorted((place(m.line.row)[1], m.mean, m.standard_error) for m in shown if m.line.column == column)
        if not line:
            continue
        ink = svg.colour(k)
        parts.append(svg.path([(axes.x(x), axes.y(y)) for x, y, _ in line], ink))
        for x, y, error in line:
            parts.append(svg.mark(axes.x(x), axes.y(y), svg.SHAPES[k % len(svg.SHAPES)], ink))
            if error > 0:
                parts.append(svg.line(axes.x(x), axes.y(y - error), axes.x(x), axes.y(y + error), ink))
    return "".join(parts)


def _few(xs: list[float], most: int = 8) -> list[float]:
    step = -(-len(xs) // most)
    return xs[::step]
