"""The figure of singular values: a line for each, and one for the norm."""

from __future__ import annotations

import numpy as np

from pages.views.metric_figure import metric_figure
from study.metric_history import MetricHistory


def test_a_line_for_each_singular_value_and_one_for_the_norm():
    found = MetricHistory("NCA", np.array([0, 1, 4]), np.array([[3.0, 4.0], [6.0, 8.0], [5.0, 12.0]]))
    figure = metric_figure(found)
    lines = {line.name: list(line.y) for line in figure.data}
    assert lines == {"‖A‖": [5, 10, 13], "singular value 1": [3, 6, 5], "singular value 2": [4, 8, 12]}
    assert all(list(line.x) == [0, 1, 4] for line in figure.data)
