"""A thumbnail as SVG: small, without a background, so that it suits light and dark pages."""

from __future__ import annotations

import base64
import html

import numpy as np

from datasets.thumbnails import Thumbnail
from pages.views.palette import CLASS_COLOURS, UNLABELLED_COLOUR

# Those of a light page; a dark page shows these as well, and would swallow the ninth.
COLOURS = CLASS_COLOURS[:8]
_WIDTH, _HEIGHT, _RIM = 240, 130, 6


def thumbnail_image(picture: Thumbnail | None, label: str) -> str:
    """`thumbnail_svg` as an HTML image; `label` is what a screen reader says, any text."""
    data = base64.b64encode(thumbnail_svg(picture).encode()).decode()
    return (
        f'<img src="data:image/svg+xml;base64,{data}" alt="{html.escape(label)}" style="width: 100%; display: block">'
    )


def thumbnail_svg(picture: Thumbnail | None) -> str:
    """The points in their class colours, both axes in one scale; an empty frame where there is no picture."""
    body = "" if picture is None else _points(picture)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}">{body}</svg>'


def _points(picture: Thumbnail) -> str:
    points = picture.points
    if not len(points):
        return ""
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.array([_WIDTH - 2 * _RIM, _HEIGHT - 2 * _RIM])
    scale = (room / np.maximum(high - low, 1e-12)).min() if np.any(high > low) else 1.0
    places = (points - (low + high) / 2) * (scale, -scale) + (_WIDTH / 2, _HEIGHT / 2)
    width = 5.0 if len(points) <= 160 else 4.0
    paths = []
    for code in np.unique(picture.codes):
        # A line of no length with round ends is a dot: one short element for a whole class.
        dots = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in places[picture.codes == code])
        colour = UNLABELLED_COLOUR if code < 0 else COLOURS[code % len(COLOURS)]
        paths.append(f'<path d="{dots}" stroke="{colour}"/>')
    return f'<g fill="none" stroke-linecap="round" stroke-width="{width}" stroke-opacity="0.9">{"".join(paths)}</g>'
