"""Markers of classes as on the stage, from the same palette: a colour and a shape each, for pictures made here."""

from __future__ import annotations

import json
import math
import re
from functools import lru_cache
from typing import Any

from PIL import Image, ImageDraw

from pages.stage.module_files import MODULE

_SHAPES = 8
_PART = re.compile(r"([MLHV])(-?[\d.]+)(?: (-?[\d.]+))?")
_REACH = 6.0  # of the shapes as they stand in the palette
_FINE = 4  # times as large are they drawn before they are made small


@lru_cache(maxsize=1)
def palette() -> dict[str, Any]:
    """What the browser reads."""
    return dict(json.loads((MODULE / "palette.json").read_text(encoding="utf-8")))


def colour_of(label: int, dark: bool, slices: int = 0) -> str:
    """ "#rrggbb" of a class; `slices`: how many ranges of a number there are, 0 for classes without an order."""
    theme = "dark" if dark else "light"
    if label < 0:
        return str(palette()["unlabelled"][theme])
    if slices:
        return _on_scale(label / (slices - 1) if slices > 1 else 0.0, dark)
    colours = palette()["classes"][theme]
    return str(colours[label % len(colours)])


def _on_scale(share: float, dark: bool) -> str:
    scale = palette()["scale"]
    at = 3 + 7 * share if dark else 8 * share
    below = min(len(scale) - 2, math.floor(at))
    ends = [[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in scale[below : below + 2]]
    mixed = (round(a + (at - below) * (b - a)) for a, b in zip(*ends, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def shape_of(label: int, classes: int) -> int:
    """Which shape a class has: one each for up to ten classes, else shapes tell apart those that share a colour."""
    if label < 0:
        return 0
    colours = len(palette()["classes"]["light"])
    return (label if classes <= colours else label // colours) % _SHAPES


def corners(shape: int) -> list[tuple[float, float]]:
    """Of a shape in a box of -6 to 6; of the disc none."""
    found: list[tuple[float, float]] = []
    path = palette()["shapes"][shape]
    if "A" in path:
        return found
    for command, first, second in _PART.findall(path):
        x, y = found[-1] if found else (0.0, 0.0)
        if command == "H":
            found.append((float(first), y))
        elif command == "V":
            found.append((x, float(first)))
        else:
            found.append((float(first), float(second)))
    return found


@lru_cache(maxsize=256)
def marker(shape: int, radius: float, hollow: bool) -> Image.Image:
    """How much of each pixel the marker covers, as a picture of 0 to 255."""
    reach = math.ceil(radius * 1.25) + 1
    size = _FINE * (2 * reach + 1)
    scale, middle = _FINE * radius / (_REACH - 0.4), size / 2
    whole = Image.new("L", (size, size), 0)
    draw, width = ImageDraw.Draw(whole), max(1, round(_FINE * max(1.0, radius * 0.3)))
    points = [(middle + scale * x, middle + scale * y) for x, y in corners(shape)]
    if not points:
        box = [middle - 5 * scale, middle - 5 * scale, middle + 5 * scale, middle + 5 * scale]
        draw.ellipse(box, fill=None if hollow else 255, outline=255, width=width)
    elif hollow:
        draw.line([*points, points[0], points[1]], fill=255, width=width, joint="curve")
    else:
        draw.polygon(points, fill=255)
    return whole.reduce(_FINE)
