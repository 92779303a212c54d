"""Plain SVG: axes, bars, lines, points. Text and axes take the colour of the page, so that a dark page reads too."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

# Okabe and Ito's colours, told apart by colour-blind people; black is the page's own ink.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#b5a200", "#8c510a", "#5e3c99")
SHAPES = ("circle", "square", "triangle", "diamond", "cross")
_TEXT = 12


def colour(k: int) -> str:
    return COLOURS[k % len(COLOURS)]


def picture(width: float, height: float, parts: Iterable[str], title: str) -> str:
    """A whole SVG that scales with the page; `title` is what a screen reader says."""
    said = escape(title, quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{said}" '
        f'style="max-width:{width:g}px;width:100%" font-family="sans-serif" font-size="{_TEXT}" fill="currentColor">'
        f"{''.join(parts)}</svg>"
    )


def text(x: float, y: float, words: str, anchor: str = "start", bold: bool = False, turned: bool = False) -> str:
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}{turn}>{escape(words)}</text>'


def line(
    x1: float, y1: float, x2: float, y2: float, ink: str = "currentColor", width: float = 1, dash: str = ""
) -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{ink}" stroke-width="{width:g}"{dashes}/>'


def path(points: Sequence[tuple[float, float]], ink: str, dash: str = "") -> str:
    through = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{through}" fill="none" stroke="{ink}" stroke-width="2"{dashes}/>'


def bar(x: float, y: float, width: float, height: float, ink: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{max(0.0, height):.1f}" fill="{ink}"/>'


def mark(x: float, y: float, shape: str, ink: str, size: float = 3.5) -> str:
    """A point; shapes tell classes apart without colours."""
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:g}" fill="{ink}"/>'
    s = size
    if shape == "square":
        return bar(x - s, y - s, 2 * s, 2 * s, ink)
    if shape == "cross":
        return line(x - s, y - s, x + s, y + s, ink, 1.6) + line(x - s, y + s, x + s, y - s, ink, 1.6)
    corners = [(x, y - s), (x + s, y + s), (x - s, y + s)]
    if shape == "diamond":
        corners = [(x, y - s), (x + s, y), (x, y + s), (x - s, y)]
    through = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    return f'<polygon points="{through}" fill="{ink}"/>'


class Axes:
    """A frame with scales; x and y of the data become places in the picture.

    Parameters
    ----------
    box : (left, top, width, height)
        Where it stands.
    x, y : (low, high)
        What it shows.
    """

    def __init__(self, box: tuple[float, float, float, float], x: tuple[float, float], y: tuple[float, float]) -> None:
        self.left, self.top, self.width, self.height = box
        self._x, self._y = _open(x), _open(y)

    def x(self, value: float) -> float:
        low, high = self._x
        return self.left + self.width * (value - low) / (high - low)

    def y(self, value: float) -> float:
        low, high = self._y
        return self.top + self.height * (high - value) / (high - low)

    def frame(self) -> str:
        bottom = self.top + self.height
        return line(self.left, self.top, self.left, bottom) + line(self.left, bottom, self.left + self.width, bottom)

    def y_ticks(self, percent: bool = True) -> str:
        parts = []
        for value in ticks(*self._y):
            at = self.y(value)
            words = f"{100 * value:.3g} %" if percent else f"{value:g}"
            parts += [line(self.left - 4, at, self.left, at), text(self.left - 7, at + 4, words, "end")]
        return "".join(parts)

    def x_ticks(self, values: Iterable[float]) -> str:
        bottom = self.top + self.height
        return "".join(
            line(self.x(value), bottom, self.x(value), bottom + 4)
            + text(self.x(value), bottom + 17, f"{value:g}", "middle")
            for value in values
        )


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from low to high, about so many."""
    raw = (high - low) / about
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= raw * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]


def legend(
    names: Sequence[str], left: float, top: float, width: float, dashes: Sequence[str] = ()
) -> tuple[str, float]:
    """Names beside their colours, in lines of at most `width`; and how high they are."""
    parts, x, y = [], left, top
    for k, name in enumerate(names):
        wide = 26 + 7 * len(name)
        if x > left and x + wide > left + width:
            x, y = left, y + 18
        parts += [bar(x, y - 9, 12, 10, colour(k)), text(x + 17, y, name)]
        x += wide
    return "".join(parts), y - top + 18


def _open(span: tuple[float, float]) -> tuple[float, float]:
    low, high = span
    return (low, high) if high > low else (low - 0.5, high + 0.5)
