"""bars: a group of bars for each row, a bar for each column, with standard errors and marks where others published."""

from __future__ import annotations

import math

from study.experiments.base import svg
from study.experiments.base.experiment import MAIN
from study.experiments.base.found import Found, Mean

_BAR, _GAP, _LEFT, _TOP, _HEIGHT = 16.0, 22.0, 58.0, 12.0, 220.0


def bars(found: Found) -> str:
    """The table as a figure: bars are ours, black lines on them one standard error, diamonds what was published."""
    shown = [m for m in found.means if m.line.variant == MAIN and m.n]
    if not shown:
        return ""
    rows = [row for row in found.rows if any(m.line.row == row for m in shown)]
    columns = [column for column in found.columns if any(m.line.column == column for m in shown)]
    groups = {row: [m for m in shown if m.line.row == row] for row in rows}
    width = _LEFT + sum(_GAP + max(_BAR * len(group), 7 * len(row)) for row, group in groups.items()) + _GAP
    width = max(width, 420.0)
    axes = svg.Axes((_LEFT, _TOP, width - _LEFT - 8, _HEIGHT), (0, 1), _span(shown))
    parts, x = [axes.frame(), axes.y_ticks()], _LEFT + _GAP
    for row, group in groups.items():
        wide = max(_BAR * len(group), 7.0 * len(row))
        inside = x + (wide - _BAR * len(group)) / 2
        for mean in sorted(group, key=lambda m: columns.index(m.line.column)):
            parts.append(_one(axes, inside, mean, svg.colour(columns.index(mean.line.column))))
            inside += _BAR
        parts.append(svg.text(x + wide / 2, _TOP + _HEIGHT + 18, row, "middle"))
        x += wide + _GAP
    names, high = svg.legend(columns, _LEFT, _TOP + _HEIGHT + 44, width - _LEFT)
    what = "error" if shown[0].line.error else "accuracy"
    parts += [names, svg.text(12, _TOP + _HEIGHT / 2, what, "middle", turned=True)]
    return svg.picture(width, _TOP + _HEIGHT + 40 + high, parts, f"{found.experiment.title}: {what}")


def _span(shown: list[Mean]) -> tuple[float, float]:
    """From 0 for errors; accuracies from a round number below the least, as the paper's figures."""
    values = [value for m in shown for value in (m.mean, *m.line.published)]
    if shown[0].line.error:
        return 0.0, max(0.05, 1.05 * max(values))
    return max(0.0, math.floor(10 * min(values) - 0.5) / 10), 1.0


def _one(axes: svg.Axes, x: float, mean: Mean, ink: str) -> str:
    bottom = axes.top + axes.height
    top, middle = axes.y(mean.mean), x + _BAR / 2
    parts = [svg.bar(x + 1, top, _BAR - 2, bottom - top, ink)]
    if mean.standard_error > 0:
        parts.append(
            svg.line(middle, axes.y(mean.mean - mean.standard_error), middle, axes.y(mean.mean + mean.standard_error))
        )
    parts += [svg.mark(middle, axes.y(value), "diamond", "currentColor", 4) for value in mean.line.published]
    return "".join(parts)
