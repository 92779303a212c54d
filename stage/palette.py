"""Colours and shapes of classes, from module/palette.json, which the browser reads too."""

import json
import math
from functools import lru_cache

import numpy as np

from stage.module_files import MODULE

PALETTE = json.loads((MODULE / "palette.json").read_text(encoding="utf-8"))
CLASS_COLOURS: tuple[str, ...] = tuple(PALETTE["classes"]["light"])
UNLABELLED_COLOUR: str = PALETTE["unlabelled"]["light"]


def class_colours(dark: bool) -> tuple[str, ...]:
    """Colours of the classes in the dark or the light theme."""
    return tuple(PALETTE["classes"]["dark" if dark else "light"])


def line_colours(dark: bool) -> tuple[str, ...]:
    """Colours of the lines in charts."""
    return tuple(PALETTE["lines"]["dark" if dark else "light"])


def colour_of(label: int, dark: bool, slices: int = 0) -> str:
    """Colour "#rrggbb" of a class; `slices` is the number of ranges of a number, 0 for classes without an order."""
    if label < 0:
        return str(PALETTE["unlabelled"]["dark" if dark else "light"])
    if slices:
        return _on_scale(label / (slices - 1) if slices > 1 else 0.0, dark)
    colours = class_colours(dark)
    return colours[label % len(colours)]


def _on_scale(share: float, dark: bool) -> str:
    scale = PALETTE["scale"]
    at = 3 + 7 * share if dark else 8 * share  # each theme leaves out the end that its background swallows
    below = min(len(scale) - 2, math.floor(at))
    ends = [[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in scale[below : below + 2]]
    mixed = (round(a + (at - below) * (b - a)) for a, b in zip(*ends, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def shape_of(label: int, classes: int) -> int:
    """Index of a class's shape: one each for up to ten classes, else shapes tell apart those that share a colour."""
    if label < 0:
        return 0
    colours = len(CLASS_COLOURS)
    return (label if classes <= colours else label // colours) % len(PALETTE["shapes"])


def marker_radius(points: int, side: float) -> float:
    """Radius of a marker in pixels, as markerRadius in palette.js; `side` is that of the square fitted into a panel."""
    least = 2.1 if points <= 3000 else 1.7 if points <= 12000 else 1.2
    return max(least, min(4.8, 0.3 * side / math.sqrt(max(1, points))))


@lru_cache(maxsize=64)
def marker_coverage(shape: int, radius: float, hollow: bool) -> tuple[np.ndarray, np.ndarray]:
    """Share of each pixel covered by a marker's ink and by ink and rim together, as makeSprite in palette.js.

    Returns two arrays of shape (side, side), the marker's centre in the middle pixel.
    """
    if radius < 2:
        side = max(2, round(1.6 * radius))
        share = np.ones(side * side)
        share[1::2] = 0.0 if hollow else 1.0
        share = np.pad(share.reshape(side, side), ((0, 1 - side % 2), (0, 1 - side % 2)))
        return share, share
    rim = 0.9 if radius >= 2.5 and not hollow else 0.0
    reach = math.ceil(radius * 1.2 + rim + 1)
    distance = _distance(np.asarray(PALETTE["shapes"][shape]) * radius / 5.0, radius, reach)
    body = np.abs(distance + 0.4) - max(0.6, 0.16 * radius) if hollow else distance
    inside = np.clip(0.5 - body, 0.0, 1.0)
    return inside, inside if hollow else np.clip(0.5 - (distance - rim), 0.0, 1.0)


def _distance(corners: np.ndarray, radius: float, reach: int) -> np.ndarray:
    """Signed distance of each pixel from the outline, negative inside; without corners the shape is a disc."""
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(float)
    if not len(corners):
        return np.hypot(x, y) - radius
    least, inside = np.full(x.shape, np.inf), np.zeros(x.shape, dtype=bool)
    for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        t = np.clip(((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / ((x1 - x0) ** 2 + (y1 - y0) ** 2), 0.0, 1.0)
        least = np.minimum(least, np.hypot(x - x0 - t * (x1 - x0), y - y0 - t * (y1 - y0)))
        if y0 != y1:
            inside ^= ((y0 > y) != (y1 > y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return np.where(inside, -least, least)
