"""The colours of the stage, for figures: read from the very file that the browser reads."""

from __future__ import annotations

import json
from pathlib import Path

PALETTE = json.loads((Path(__file__).parents[1] / "stage" / "module" / "palette.json").read_text(encoding="utf-8"))
CLASS_COLOURS: tuple[str, ...] = tuple(PALETTE["classes"]["light"])
UNLABELLED_COLOUR: str = PALETTE["unlabelled"]["light"]


def class_colours(dark: bool) -> tuple[str, ...]:
    """Of the classes, as the stage has them in the dark theme or in the light one."""
    return tuple(PALETTE["classes"]["dark" if dark else "light"])


def line_colours(dark: bool) -> tuple[str, ...]:
    """Of lines in charts, likewise."""
    return tuple(PALETTE["lines"]["dark" if dark else "light"])
