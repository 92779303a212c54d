"""Figures of optima: every start has its bar and its mark, which name it; equal optima look alike."""

from __future__ import annotations

import numpy as np
import pytest

from pages.views.optima_figures import line_figure, optima_bars, optima_map, plane_figure, start_words
from study.landscape import Line
from study.optima import Optima, Reached, Trial

A, B = np.eye(2, 4), np.eye(2, 4, 2)
STARTS = (Trial("pca", 0, 1.0), Trial("random", 3, 3.0), Trial("lda", 0, 0.3), Trial("uniform", 2, 1.0))
TOLD = ([0, 1], [0, 0], [0, 1], [1, 1])
MADE = zip(STARTS, (A, B, A, B + A), (0.7, 0.9, 0.7, 0.8), TOLD, strict=True)
REACHED = tuple(Reached(t, M, M, p, 9, False, M, np.array(told)) for t, M, p, told in MADE)
FOUND = Optima("NCA", 4, REACHED, (0, 1, 0, 3), np.array([0, 1]), True)


def test_a_start_is_told_in_words():
    words = ["PCA", "random normal, seed 3, 3 times as large", "LDA, 0.3 times as large", "random uniform, seed 2"]
    assert [start_words(one) for one in FOUND.reached] == words


def test_bars_stand_from_the_best_and_name_their_start():
    bars = optima_bars(FOUND).data[0]
    assert list(bars.y) == [0.9, 0.8, 0.7, 0.7]
    assert list(bars.customdata) == [1, 3, 0, 2]
    assert bars.text[0] == "start 2: random normal, seed 3, 3 times as large"
    best, alone, *equal = bars.marker.color
    assert len({best, alone, equal[0]}) == 3
    assert equal[0] == equal[1]


def test_the_map_has_a_mark_for_each_and_larger_ones_for_better():
    marks = optima_map(FOUND).data[0]
    assert list(marks.customdata) == [0, 1, 2, 3]
    np.testing.assert_allclose(np.column_stack([marks.x, marks.y]), FOUND.map)
    assert marks.marker.size[1] == max(marks.marker.size)
    assert marks.marker.symbol[0] == marks.marker.symbol[2] != marks.marker.symbol[1]
    assert "f/n 0.8000" in marks.text[3]
    assert marks.text[0].endswith("held-out rows: right 1.00, as in the best 0.50")


def test_what_lies_between_is_drawn_where_it_is():
    line = line_figure(Line(np.array([0.0, 0.5, 1.0]), np.array([0.7, 0.4, 0.9]), 9, 9), ("one", "two"))
    assert list(line.data[0].y) == [0.7, 0.4, 0.9]
    assert [shape.x0 for shape in line.layout.shapes] == pytest.approx([0, 1])
    heights = np.array([[0.1, 0.2], [0.3, 0.4]])
    plane = plane_figure(np.array([0.0, 1.0]), heights, ("one", "two", "three"))
    assert plane.data[0].z[0][1] == 0.2
    assert [list(plane.data[1].x), list(plane.data[1].y)] == [[0, 1, 0], [0, 0, 1]]
