"""The drawing board: paint points of several classes in two dimensions."""

from typing import Any

import streamlit as st

from datasets.drawn import MOST_NOISE_DIMENSIONS, MOST_POINTS, Drawing, drawing_from, drawn_dataset
from pages.controls.settings import explore_data
from pages.controls.shell import attempt, show_failure, switch_page_if_chosen
from pages.server.document import DRAWN
from pages.server.workspace import Workspace
from stage.module_files import MODULE, bundle

_FAILED = "draw.failed"


@st.fragment
def drawing_board(space: Workspace) -> None:
    """The board and its settings; a fragment, so that a stroke reruns nothing else."""
    wide, narrow = st.columns([2, 1], gap="medium")
    with wide:
        space.document.drawing = board(key="draw.board", drawing=space.document.drawing)
    with narrow:
        _settings(space)
        show_failure(_FAILED)
    switch_page_if_chosen()


def _use(space: Workspace) -> None:
    drawing, state = space.document.drawing, st.session_state
    noise = state["draw.noise_dimensions"], state["draw.noise_scale"], int(state["draw.seed"])
    space.document.keep_data(DRAWN, drawn_dataset(drawing.points, drawing.codes, *noise, state["draw.name"]))
    explore_data(space, DRAWN)


def _settings(space: Workspace) -> None:
    kept: Any = {"persist_state": "session"}
    about = "Noise columns next to the two you paint: NCA has to find the plane of the drawing."
    n = st.slider("Noise dimensions", 0, MOST_NOISE_DIMENSIONS, 3, key="draw.noise_dimensions", help=about, **kept)
    noise: Any = {"disabled": n == 0, **kept}
    about = "Standard deviation; the board is 2 units high."
    st.slider("Spread of the noise", 0.1, 3.0, 0.5, 0.1, key="draw.noise_scale", help=about, **noise)
    about = "The same seed draws the same noise."
    st.number_input("Seed of the noise", 0, 2**31 - 1, 0, key="draw.seed", help=about, **noise)
    about = "The name of the data set in the list."
    st.text_input("Name", "Drawing", max_chars=60, key="draw.name", help=about, **kept)
    st.button("Use these points", key="draw.use", type="primary", on_click=attempt, args=(_FAILED, _use, space))


_board = st.components.v2.component(
    "nca_drawing_board",
    js=bundle(MODULE / "board.js", MODULE, default="showBoard"),
    css=(MODULE / "board.css").read_text(encoding="utf-8"),
    html='<div class="board"></div>',
)


def board(*, key: str, drawing: Drawing) -> Drawing:
    """The board, which starts with `drawing`; returns the current drawing."""
    data = {"points": list(drawing.flat), "limit": MOST_POINTS}
    result = _board(key=key, data=data, default={"points": None}, on_points_change=lambda: None)
    return drawing if result.points is None else drawing_from(result.points)
