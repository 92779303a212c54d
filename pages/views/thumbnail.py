"""The small picture of a data set, as SVG in an HTML image."""

import base64
import html

import numpy as np

from datasets.previews import Thumbnail
from stage.palette import CLASS_COLOURS, UNLABELLED_COLOUR

# Of the light theme; the ninth would vanish on a dark page.
COLOURS = CLASS_COLOURS[:8]
_WIDTH, _HEIGHT, _RIM, _GAP = 240, 130, 6, 8
_UNDER = "flex: 1; text-align: center; font-size: 0.8rem; opacity: 0.8"


def thumbnail_image(picture: Thumbnail | None, label: str, trained: Thumbnail | None = None) -> str:
    """`thumbnail_svg` as an HTML image; `label` is its alternative text.

    With `trained`, the projection by NCA is drawn next to the one by PCA.
    """
    data = base64.b64encode(thumbnail_svg(picture, trained).encode()).decode()
    names = "" if trained is None else "".join(f'<span style="{_UNDER}">{name}</span>' for name in ("PCA", "NCA"))
    return (
        f'<img src="data:image/svg+xml;base64,{data}" alt="{html.escape(label)}" style="width: 100%; display: block">'
        + (f'<div style="display: flex">{names}</div>' if names else "")
    )


def thumbnail_svg(picture: Thumbnail | None, trained: Thumbnail | None = None) -> str:
    """The points in class colours, both axes to one scale; empty without a picture, two halves with `trained`."""
    body = ""
    if picture is not None and trained is None:
        body = _points(picture, 0.0, _WIDTH)
    elif picture is not None and trained is not None:
        half = (_WIDTH - _GAP) / 2
        body = _points(picture, 0.0, half) + _points(trained, half + _GAP, half)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}">{body}</svg>'


def _points(picture: Thumbnail, left: float, wide: float) -> str:
    points = picture.points
    if not len(points):
        return ""
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.array([wide - 2 * _RIM, _HEIGHT - 2 * _RIM])
    scale = (room / np.maximum(high - low, 1e-12)).min() if np.any(high > low) else 1.0
    places = (points - (low + high) / 2) * (scale, -scale) + (left + wide / 2, _HEIGHT / 2)
    width = (5.0 if len(points) <= 160 else 4.0) * (1.0 if wide == _WIDTH else 0.75)
    paths = []
    for code in np.unique(picture.codes):
        # A line of length zero with round ends is a dot.
        dots = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in places[picture.codes == code])
        colour = UNLABELLED_COLOUR if code < 0 else COLOURS[code % len(COLOURS)]
        paths.append(f'<path d="{dots}" stroke="{colour}"/>')
    return f'<g fill="none" stroke-linecap="round" stroke-width="{width}" stroke-opacity="0.9">{"".join(paths)}</g>'
