"""The drawing board as a Streamlit component -> the painted points, in units of half the board's height."""

from __future__ import annotations

import re
from pathlib import Path

import streamlit as st

from datasets.drawn import MOST_POINTS, Drawing, drawing_from

HERE = Path(__file__).parent
STAGE_MODULES = HERE.parents[1] / "stage" / "module"


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


def board(*, key: str, drawing: Drawing) -> Drawing:
    """Show the board; `drawing` is what stands on it when it (re)appears. Returns what stands on it now."""
    result = _board(
        key=key,
        data={"points": list(drawing.flat), "limit": MOST_POINTS},
        default={"points": None},
        on_points_change=lambda: None,
    )
    return drawing if result.points is None else drawing_from(result.points)
