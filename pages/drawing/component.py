"""The drawing board as a Streamlit component -> the painted points, in units of half the board's height."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from datasets.drawn import MOST_POINTS

HERE = Path(__file__).parent
STAGE_MODULES = HERE.parent / "stage" / "module"
CLASSES = 9
HALF_HEIGHT, HALF_WIDTH = 1000, 1333  # as in board.js: thousandths of half the board's height


def bundled(*files: Path) -> str:
    """One module out of several: the imports between them go, as each name stands in the same scope then.

    An imported JSON file becomes a constant.
    """
    return "\n".join(_alone(file) for file in files)


def _alone(file: Path) -> str:
    """The module without its imports."""
    text = re.sub(r'^import \{.*\} from "\./.*";\n', "", file.read_text(encoding="utf-8"), flags=re.MULTILINE)

    def constant(found: re.Match[str]) -> str:
        return f"const {found[1]} = {(file.parent / found[2]).read_text(encoding='utf-8').strip()};"

    return re.sub(r'^import (\w+) from "\./(.*\.json)" with \{ type: "json" \};$', constant, text, flags=re.MULTILINE)


_board = st.components.v2.component(
    "nca_drawing_board",
    js=bundled(STAGE_MODULES / "palette.js", STAGE_MODULES / "theme.js", HERE / "board.js"),
    css=(HERE / "board.css").read_text(encoding="utf-8"),
    html='<div class="board"></div>',
)


@dataclass(frozen=True)
class Drawing:
    """Painted points: `flat` is x, y, class, x, y, class, … as whole numbers, x and y in thousandths."""

    flat: tuple[int, ...] = ()

    @property
    def points(self) -> np.ndarray:
        """Coordinates, (n, 2): y in [-1, 1] upwards, x in [-1.333, 1.333]."""
        return self._table()[:, :2] / HALF_HEIGHT

    @property
    def codes(self) -> np.ndarray:
        """Class of each point, (n,), 0 … 8."""
        return self._table()[:, 2]

    def _table(self) -> np.ndarray:
        return np.array(self.flat, dtype=np.int64).reshape(-1, 3)


def drawing_from(sent: Any) -> Drawing:
    """What a browser sent as a drawing; only whole points on the board count, and only as many as it holds."""
    if not isinstance(sent, Sequence) or isinstance(sent, (str, bytes)):
        return Drawing()
    kept: list[int] = []
    for x, y, code in zip(*[iter(sent)] * 3, strict=False):
        if not all(isinstance(value, int) for value in (x, y, code)):
            continue
        if abs(x) <= HALF_WIDTH and abs(y) <= HALF_HEIGHT and 0 <= code < CLASSES:
            kept += (x, y, code)
    return Drawing(tuple(kept[: 3 * MOST_POINTS]))


def board(*, key: str, drawing: Drawing) -> Drawing:
    """Show the board; `drawing` is what stands on it when it (re)appears. Returns what stands on it now."""
    result = _board(
        key=key,
        data={"points": list(drawing.flat), "limit": MOST_POINTS},
        default={"points": None},
        on_points_change=lambda: None,
    )
    return drawing if result.points is None else drawing_from(result.points)
