"""Draw a data set: the board, noise beside it, and the button that takes it to Explore."""

from __future__ import annotations

import streamlit as st

from datasets.base.errors import DataError
from datasets.drawn import MOST_NOISE_DIMENSIONS, drawn_dataset
from pages.controls.base.asked import pressed
from pages.controls.base.messages import show_error
from pages.controls.base.persistence import IN_SESSION
from pages.controls.drawing.component import board
from pages.controls.recipe.explore_data import explore_data
from pages.server.belongings import DRAWN
from pages.server.workspace import Workspace


@st.fragment
def drawing_board(space: Workspace) -> None:
    """A fragment, so that a stroke reruns nothing else; the drawing survives reruns, reloads and other pages."""
    wide, narrow = st.columns([2, 1], gap="medium")
    with wide:
        drawing = board(key="draw.board", drawing=space.belongings.drawing)
    space.belongings.drawing = drawing
    with narrow:
        use = _settings()
    if use is None:
        return
    try:
        dataset = drawn_dataset(drawing.points, drawing.codes, *use)
    except DataError as error:
        with narrow:
            show_error(error)
        return
    space.belongings.keep_data(DRAWN, dataset)
    explore_data(space, DRAWN)


def _settings() -> tuple[int, float, int, str] | None:
    """Noise dimensions, their spread, the seed and the name, where the button was pressed; else None."""
    noise_dimensions = st.slider(
        "Noise dimensions",
        0,
        MOST_NOISE_DIMENSIONS,
        0,
        key="draw.noise_dimensions",
        **IN_SESSION,
        help="Columns of pure noise beside the two that you paint: NCA has to find the plane of the drawing.",
    )
    quiet = noise_dimensions == 0
    noise_scale = st.slider(
        "Spread of the noise",
        0.1,
        3.0,
        0.5,
        0.1,
        key="draw.noise_scale",
        **IN_SESSION,
        disabled=quiet,
        help="Standard deviation; the board is 2 units high.",
    )
    seed = st.number_input(
        "Seed of the noise",
        0,
        2**31 - 1,
        0,
        key="draw.seed",
        **IN_SESSION,
        disabled=quiet,
        help="The same seed draws the same noise.",
    )
    name = st.text_input(
        "Name",
        "Drawing",
        max_chars=60,
        key="draw.name",
        **IN_SESSION,
        help="What the data set is called in the list.",
    )
    if pressed("Use these points", "draw.use", type="primary"):
        return noise_dimensions, noise_scale, int(seed), name
    return None
