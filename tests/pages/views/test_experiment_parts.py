"""A figure of a report on a page: in the ink of the theme, and as large as it was drawn."""

from __future__ import annotations

from pages.views.experiment_parts import frame_of, svg_in
from study.experiments.base import svg
from study.experiments.base.document import Table


def test_a_figure_stands_alone():
    drawn = svg.picture(420, 250.5, [svg.line(0, 0, 1, 1), svg.text(1, 1, "a < b")], "Title")
    dark, light = svg_in(drawn, dark=True), svg_in(drawn, dark=False)
    assert dark.startswith('<svg width="420" height="250.5" ')
    assert "currentColor" not in dark + light
    assert "#e4e9ee" in dark
    assert "#1d2733" in light


def test_columns_of_the_same_name_are_both_there():
    frame = frame_of(Table(["a", "", ""], [["1", "2", "3"]]))
    assert list(frame.iloc[0]) == ["1", "2", "3"]
    assert frame.columns.is_unique
