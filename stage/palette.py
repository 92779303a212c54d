"""Colours and shapes of classes, from module/palette.json, which the browser reads too."""

import json
import math

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
    if not slices:
        return class_colours(dark)[label % len(CLASS_COLOURS)]
    scale, share = PALETTE["scale"], label / (slices - 1) if slices > 1 else 0.0
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


def shape_corners(shape: int) -> list[tuple[float, float]]:
    """Corners of a shape, its radius 5, y downward; a disc has 40."""
    around = (math.tau * k / 40 for k in range(40))
    return PALETTE["shapes"][shape] or [(5 * math.cos(angle), 5 * math.sin(angle)) for angle in around]


def marker_radius(points: int, side: float) -> float:
    """Radius of a marker in pixels, as markerRadius in palette.js; `side` is that of the square fitted into a panel."""
    least = 2.1 if points <= 3000 else 1.7 if points <= 12000 else 1.2
    return max(least, min(4.8, 0.3 * side / math.sqrt(max(1, points))))
