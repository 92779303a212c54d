"""scatter: where the rows lie, a small frame for each line with places, rows down and columns across."""

from __future__ import annotations

from study.experiments.base import svg
from study.experiments.base.experiment import MAIN
from study.experiments.base.found import Found, Mean

_SIDE, _BETWEEN, _LEFT, _TOP = 200.0, 16.0, 92.0, 26.0
_POINT = 2.2


def scatter(found: Found) -> str:
    """The first split of each line, classes by colour and shape; one dimension is spread by class."""
    shown = [m for m in found.means if m.line.variant == MAIN and m.outcomes and m.outcomes[0].places]
    if not shown:
        return ""
    rows = list(dict.fromkeys(m.line.row for m in shown))
    columns = list(dict.fromkeys(m.line.column for m in shown))
    parts = [
        svg.text(_LEFT + k * (_SIDE + _BETWEEN) + _SIDE / 2, _TOP - 8, column, "middle", bold=True)
        for k, column in enumerate(columns)
    ]
    for r, row in enumerate(rows):
        top = _TOP + r * (_SIDE + _BETWEEN)
        parts.append(svg.text(_LEFT - 8, top + _SIDE / 2, row, "end"))
        for c, column in enumerate(columns):
            mean = next((m for m in shown if m.line.place == (row, column)), None)
            if mean is not None:
                parts.append(_one(mean, _LEFT + c * (_SIDE + _BETWEEN), top))
    width = _LEFT + len(columns) * (_SIDE + _BETWEEN)
    return svg.picture(width, _TOP + len(rows) * (_SIDE + _BETWEEN), parts, found.experiment.title)


def _one(mean: Mean, left: float, top: float) -> str:
    outcome = mean.outcomes[0]
    places = [tuple(place) for place in outcome.places]
    if len(places[0]) == 1:
        jitter = [((7 * k) % 11 - 5) / 14 for k in range(len(places))]
        places = [(x[0], code + up) for x, code, up in zip(places, outcome.codes, jitter, strict=True)]
    xs, ys = [place[0] for place in places], [place[1] for place in places]
    axes = svg.Axes((left + 6, top + 6, _SIDE - 12, _SIDE - 12), (min(xs), max(xs)), (min(ys), max(ys)))
    frame = (
        f'<rect x="{left:g}" y="{top:g}" width="{_SIDE:g}" height="{_SIDE:g}" fill="none" stroke="currentColor" '
        'stroke-opacity="0.4"/>'
    )
    marks = [
        svg.mark(
            axes.x(x),
            axes.y(y),
            svg.SHAPES[(code // len(svg.COLOURS) + code) % len(svg.SHAPES)],
            svg.colour(code),
            _POINT,
        )
        for x, y, code in zip(xs, ys, outcome.codes, strict=True)
    ]
    return frame + "".join(marks)
