"""The figures of K: every row is in the histogram, curves and marks stand where their numbers are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pages.views.k_figures import k_accuracy_figure, local_k_figure
from study.k_curve import KCurve

FOUND = KCurve("NCA", 3, np.array([2.0, 4.0, 8.0, 4.0]), np.array([0.5, 0.6, 0.7, 0.65, 0.6]), np.empty(0), 0)
SPREAD = replace(FOUND, local=np.array([1.0, 10.0, 100.0, 10.0]))


@pytest.mark.parametrize(("found", "log"), [(FOUND, False), (SPREAD, True)], ids=["plain", "logarithmic"])
def test_every_row_is_counted_where_its_k_is_and_both_averages_are_marked(found, log):
    figure = local_k_figure(found)
    bars = figure.data[0]
    assert sum(bars.y) == 4
    full = np.flatnonzero(np.asarray(bars.y))
    for k, (low, high) in zip(np.unique(found.local), bars.customdata[full], strict=True):
        assert low - 1e-9 <= k <= high + 1e-9
    place = np.log10 if log else np.asarray
    marks = [shape.x0 for shape in figure.layout.shapes]
    assert marks == pytest.approx([float(place(k)) for k in (found.mean_entropy, found.mean_perplexity)])
    assert (figure.layout.xaxis.ticktext is not None) == log


def test_rows_with_one_k_have_a_figure():
    assert sum(local_k_figure(replace(FOUND, local=np.full(5, 3.0))).data[0].y) == 5


def test_the_curves_and_the_estimate():
    figure = k_accuracy_figure(FOUND)
    assert [line.name for line in figure.data] == ["training rows, leave-one-out"]
    assert list(figure.data[0].x) == [1, 2, 3, 4, 5]
    assert [shape.x0 for shape in figure.layout.shapes] == [4]
    both = k_accuracy_figure(replace(FOUND, held_out=np.array([0.9, 0.8]), n_held_out=10))
    assert [line.name for line in both.data] == ["training rows, leave-one-out", "held-out rows"]
    assert list(both.data[1].y) == [0.9, 0.8]
    assert not k_accuracy_figure(replace(FOUND, local=np.full(4, 60.0))).layout.shapes  # beyond the chart
