"""Draw a data set: the board, noise beside it, and the button that takes it to Explore."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from datasets.drawn import MOST_NOISE_DIMENSIONS, drawn_dataset
from datasets.errors import DataError
from pages.controls.data_choice import CHOICE
from pages.drawing.component import Drawing, board
from pages.shared.messages import show_error
from pages.shared.session import keep_data
from pages.stage.hub import Workspace

KEY = "own:drawing"
EXPLORE = str(Path(__file__).parents[1] / "explore.py")


@st.fragment
def drawing_board(space: Workspace) -> None:
    """A fragment, so that a stroke reruns nothing else; the drawing survives reruns, reloads and other pages."""
    drawing = board(key="draw.board", drawing=space.saved.get("drawing", Drawing()))
    space.saved["drawing"] = drawing
    left, middle, right = st.columns(3)
    noise_dimensions = left.slider(
        "Noise dimensions",
        0,
        MOST_NOISE_DIMENSIONS,
        0,
        key="draw.noise_dimensions",
        persist_state="session",
        help="Columns of pure noise beside the two that you paint: NCA has to find the plane of the drawing.",
    )
    noise_scale = middle.slider(
        "Spread of the noise",
        0.1,
        3.0,
        0.5,
        0.1,
        key="draw.noise_scale",
        persist_state="session",
        disabled=noise_dimensions == 0,
        help="Standard deviation; the board is 2 units high.",
    )
    seed = right.number_input(
        "Seed of the noise",
        0,
        2**31 - 1,
        0,
        key="draw.seed",
        persist_state="session",
        disabled=noise_dimensions == 0,
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name", "Drawing", max_chars=60, key="draw.name", persist_state="session", width=260)
        use = st.button("Use these points", key="draw.use", type="primary")
    if not use:
        return
    try:
        dataset = drawn_dataset(drawing.points, drawing.codes, noise_dimensions, noise_scale, int(seed), name)
    except DataError as error:
        show_error(error)
        return
    keep_data(space, KEY, dataset)
    st.session_state[CHOICE] = KEY
    st.switch_page(EXPLORE)
