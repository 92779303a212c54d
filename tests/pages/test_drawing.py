"""The drawing tab without a browser: what the board sends, the noise beside it, and what the button does."""

import numpy as np
import pytest

from datasets.drawn import CLASSES, MOST_POINTS, Drawing, drawing_from
from pages.server.document import DRAWN
from tests.pages.app_page import click, lines, run_of, space

PAINTED = (-500, 250, 0, -400, 300, 0, 600, -100, 4, 700, -200, 4)


def test_points_are_read_in_units_of_half_the_board():
    drawing = drawing_from(list(PAINTED))
    np.testing.assert_array_equal(drawing.points, [[-0.5, 0.25], [-0.4, 0.3], [0.6, -0.1], [0.7, -0.2]])
    np.testing.assert_array_equal(drawing.codes, [0, 0, 4, 4])
    assert Drawing().points.shape == (0, 2)
    assert len(drawing_from([0, 0, 1] * (MOST_POINTS + 9)).codes) == MOST_POINTS
    assert drawing_from([0, 0, CLASSES - 1, 7]).flat == (0, 0, CLASSES - 1)


def test_what_is_no_point_on_the_board_does_not_count():
    for odd in ((0.5, 0, 1), (1334, 0, 1), (0, -1001, 1), (0, 0, -1), (0, 0, CLASSES), ("a", 0, 1)):
        assert drawing_from(list(odd)) == Drawing()
    for nothing in (None, "1,2,3", 5, {"x": 1}, [1], [[0, 0, 1]]):
        assert drawing_from(nothing) == Drawing()


@pytest.fixture
def page(data_page):
    return data_page


def test_the_drawing_is_chosen_on_explore_and_another_one_replaces_it_and_ends_its_run(page):
    click(page, "draw.use")
    assert "paint at least 3" in page.error[0].value
    assert DRAWN not in space(page).document.own_data
    space(page).document.drawing = Drawing(PAINTED)
    page.slider(key="draw.noise_dimensions").set_value(3).run()
    page.number_input(key="draw.seed").set_value(7).run()
    page.text_input(key="draw.name").set_value("two blobs").run()
    click(page, "draw.use")
    drawn = space(page).document.own_data[DRAWN]
    assert drawn.X.shape == (4, 5)
    assert drawn.class_names == ("class 1", "class 5")
    assert "seed 7" in drawn.notes[0]
    assert page.selectbox(key="explore.data").value == DRAWN
    assert "two blobs: 4 rows, 5 features" in lines(page)
    click(page, "explore.train")
    run = run_of(page)
    page.switch_page("data.py").run()
    space(page).document.drawing = Drawing((*PAINTED, 0, 0, 4))
    click(page, "draw.use")
    assert space(page).document.own_data[DRAWN].n_samples == 5
    assert run.wait_for_end(30)
    assert run_of(page) is None
