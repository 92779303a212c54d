"""Figures: every number at its place, zero in the middle, names as text."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.base.dataset import Dataset, Source
from datasets.catalogue import load_dataset
from datasets.preparation import PREPROCESSING, PreparationConfig, prepare
from pages.views import figures
from study.learnt import KCurve, MetricHistory, weights_of_features
from study.optima import LineBetween, Optima, Reached, Trial
from study.panel import PanelRecipe
from study.recipe import Recipe
from study.repetitions import Chance

NAN = float("nan")


@pytest.mark.parametrize(("held_out", "decides"), [(0.62, 0.62), (NAN, 0.97)], ids=["held-out rows", "training rows"])
def test_the_line_and_the_bars_are_of_the_rows_that_decide(held_out, decides):
    own, new = np.array([0.91, 0.93, 0.95]), np.array([0.33, 0.41, 0.49])
    if np.isnan(held_out):
        new = np.full(3, NAN)
    figure = figures.chance_figure(Chance(Recipe(panels=(PanelRecipe("nca"),)), "nca", 3, 0.97, held_out, own, new))
    (line,) = figure.layout.shapes
    assert line.x0 == line.x1 == decides
    assert f"{decides:.2f}" in figure.layout.annotations[0].text
    (bars,) = figure.data
    assert sum(bars.y) == 3
    wanted = own if np.isnan(held_out) else new
    for value in wanted:
        assert any(low <= value <= high for low, high in bars.customdata[np.asarray(bars.y) > 0])


K_CURVE = KCurve("NCA", np.array([2.0, 4.0, 8.0, 4.0]), np.array([0.5, 0.6, 0.7, 0.65, 0.6]), np.empty(0))
SPREAD = replace(K_CURVE, local=np.array([1.0, 10.0, 100.0, 10.0]))


@pytest.mark.parametrize(("found", "log"), [(K_CURVE, False), (SPREAD, True)], ids=["plain", "logarithmic"])
def test_every_row_is_counted_where_its_k_is_and_both_averages_are_marked(found, log):
    figure = figures.local_k_figure(found)
    bars = figure.data[0]
    assert sum(bars.y) == 4
    full = np.flatnonzero(np.asarray(bars.y))
    for k, (low, high) in zip(np.unique(found.local), bars.customdata[full], strict=True):
        assert low - 1e-9 <= k <= high + 1e-9
    assert [shape.x0 for shape in figure.layout.shapes] == [found.mean_entropy, found.mean_perplexity]
    assert (figure.layout.xaxis.type == "log") == log
    assert sum(figures.local_k_figure(replace(found, local=np.full(5, 3.0))).data[0].y) == 5  # all have one K


def test_the_curves_and_the_estimate():
    figure = figures.k_accuracy_figure(K_CURVE)
    assert [line.name for line in figure.data] == ["training rows, leave-one-out"]
    assert list(figure.data[0].x) == [1, 2, 3, 4, 5]
    assert [shape.x0 for shape in figure.layout.shapes] == [4]
    both = figures.k_accuracy_figure(replace(K_CURVE, held_out=np.array([0.9, 0.8])))
    assert [line.name for line in both.data] == ["training rows, leave-one-out", "held-out rows"]
    assert list(both.data[1].y) == [0.9, 0.8]
    assert not figures.k_accuracy_figure(replace(K_CURVE, local=np.full(4, 60.0))).layout.shapes  # beyond the chart


def test_a_line_for_each_singular_value_and_one_for_the_norm():
    found = MetricHistory("NCA", np.array([0, 1, 4]), np.array([[3.0, 4.0], [6.0, 8.0], [5.0, 12.0]]))
    figure = figures.metric_figure(found)
    lines = {line.name: list(line.y) for line in figure.data}
    assert lines == {"‖A‖": [5, 10, 13], "singular value 1": [3, 6, 5], "singular value 2": [4, 8, 12]}
    assert all(list(line.x) == [0, 1, 4] for line in figure.data)


A, B = np.eye(2, 4), np.eye(2, 4, 2)
STARTS = (Trial("pca", 0, 1.0), Trial("random", 3, 3.0), Trial("lda", 0, 0.3), Trial("uniform", 2, 1.0))
PREDICTED = ([0, 1], [0, 0], [0, 1], [1, 1])
TRAINED = zip(STARTS, (A, B, A, B + A), (0.7, 0.9, 0.7, 0.8), PREDICTED, strict=True)
REACHED = tuple(Reached(t, M, M, p, 9, False, M, np.array(predicted)) for t, M, p, predicted in TRAINED)
OPTIMA = Optima("NCA", 4, REACHED, (0, 1, 0, 3), np.array([0, 1]), True)


def test_starts_are_bars_from_the_best_and_marks_of_a_map_larger_for_better_ones():
    words = ["PCA", "random normal, seed 3, 3 times as large", "LDA, 0.3 times as large", "random uniform, seed 2"]
    assert [figures.start_words(one) for one in OPTIMA.reached] == words
    bars = figures.optima_bars(OPTIMA).data[0]
    assert list(bars.y) == [0.9, 0.8, 0.7, 0.7]
    assert list(bars.customdata) == [1, 3, 0, 2]
    assert bars.text[0] == f"start 2: {words[1]}"
    best, alone, *equal = bars.marker.color
    assert len({best, alone, equal[0]}) == 3
    assert equal[0] == equal[1]
    marks = figures.optima_map(OPTIMA).data[0]
    assert list(marks.customdata) == [0, 1, 2, 3]
    np.testing.assert_allclose(np.column_stack([marks.x, marks.y]), OPTIMA.map)
    assert marks.marker.size[1] == max(marks.marker.size)
    assert marks.marker.symbol[0] == marks.marker.symbol[2] != marks.marker.symbol[1]
    assert "f/n 0.8000" in marks.text[3]
    assert marks.text[0].endswith("held-out rows: accuracy 1.00, agreement with the best 0.50")


def test_what_lies_between_is_drawn_where_it_is():
    line = figures.line_figure(LineBetween(np.array([0.0, 0.5, 1.0]), np.array([0.7, 0.4, 0.9]), 9, 9), ("one", "two"))
    assert list(line.data[0].y) == [0.7, 0.4, 0.9]
    assert [shape.x0 for shape in line.layout.shapes] == pytest.approx([0, 1])
    heights = np.array([[0.1, 0.2], [0.3, 0.4]])
    plane = figures.plane_figure(np.array([0.0, 1.0]), heights, ("one", "two", "three"))
    assert plane.data[0].z[0][1] == 0.2
    assert [list(plane.data[1].x), list(plane.data[1].y)] == [[0, 1, 0], [0, 0, 1]]


def table(X, names=None):
    D = X.shape[1]
    return Dataset("t", X, np.arange(len(X)) % 2, names or tuple(f"f{k}" for k in range(D)), ("a", "b"), Source("t"))


@pytest.mark.parametrize("step", list(PREPROCESSING))
def test_weights_say_how_far_a_point_moves_when_a_feature_changes(step):
    rng = np.random.default_rng(0)
    X = rng.normal(3.0, [1.0, 5.0, 0.2, 2.0], (60, 4))
    ready = prepare(table(X), PreparationConfig(step=step, held_out_fraction=0.3))
    A = rng.normal(size=(2, ready.dataset.n_features))
    deviations = X[ready.train].std(axis=0)
    for k in range(4):
        moved = X[:1].copy()
        moved[0, k] += deviations[k]
        shift = (ready.apply(moved) - ready.apply(X[:1])) @ A.T
        np.testing.assert_allclose(weights_of_features(ready, A, True)[:, k], shift[0], atol=1e-9)
        np.testing.assert_allclose(weights_of_features(ready, A, False)[:, k], shift[0] / deviations[k], atol=1e-9)


def test_constant_pixels_weigh_nothing():
    ready = prepare(load_dataset("digits"), PreparationConfig())
    A = np.random.default_rng(0).normal(size=(3, 64))
    constant = np.ptp(ready.raw.X, axis=0) == 0
    assert constant.any()
    np.testing.assert_allclose(weights_of_features(ready, A, True), np.where(constant, 0.0, A), rtol=1e-9)


def test_each_row_of_a_is_an_image_with_zero_in_the_middle():
    weights = np.array([[0.0, 1, 2, 3, 4, 5], [-7, 0, 0, 0, 0, 0]])
    figure = figures.transformation_images(weights, (2, 3))
    assert len(figure.data) == 2
    np.testing.assert_array_equal(figure.data[0].z, [[0, 1, 2], [3, 4, 5]])
    scale = figure.layout.coloraxis
    assert {image.coloraxis for image in figure.data} == {"coloraxis"}
    assert (scale.cmin, scale.cmax) == (-7.0, 7.0)
    assert figure.layout.yaxis.autorange == "reversed"  # the first row of pixels on top
    assert figure.layout.yaxis2.scaleanchor == "x2"
    assert dict(scale.colorscale)[0.5] == "rgb(247,247,247)"
    assert figures.transformation_images(np.zeros((2, 4)), (2, 2)).layout.coloraxis.cmax == 1.0
    assert figures.transformation_bars(np.zeros((2, 4)), ("a", "b", "c", "d")).layout.xaxis.range == (-1.05, 1.05)


def test_bars_are_ordered_by_weight_and_limited():
    weights = np.zeros((2, 50))
    weights[0, 7], weights[1, 3], weights[1, 40] = -2.0, 5.0, 1.0
    figure = figures.transformation_bars(weights, tuple(f"f{k}" for k in range(50)))
    assert list(figure.layout.yaxis.ticktext[:3]) == ["f3", "f7", "f40"]
    assert len(figure.data[0].x) == figures.MOST_FEATURES
    np.testing.assert_array_equal(figure.data[0].x[:3], [0, -2, 0])
    np.testing.assert_array_equal(figure.data[1].x[:3], [5, 0, 1])
    names = ("<b>bold</b>", "twin", "twin", "a" * 60)
    figure = figures.transformation_bars(np.array([[4.0, 3, 2, 1]]), names)
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;bold&lt;/b&gt;", "twin", "twin", "a" * 21 + "…"]
    assert list(figure.data[0].y) == [0, 1, 2, 3]  # twins stay two bars


def test_bars_are_the_eigenvalues_and_those_on_the_stage_stand_out():
    bars = figures.spectrum_figure(np.array([5.0, 3.0, 1.0, 0.5]), 2).data[0]
    assert list(bars.y) == [5.0, 3.0, 1.0, 0.5]
    assert bars.marker.color[0] == bars.marker.color[1] != bars.marker.color[2] == bars.marker.color[3]
    assert len(figures.spectrum_figure(np.linspace(9, 0, 200), 2).data[0].y) == figures.MOST_BARS
    for spectrum, percent in (([6.0, 2.0, 1.0, 1.0], "80"), ([0.0] * 4, "100")):
        said = figures.spectrum_sentence("MCML", np.array(spectrum), 2)
        share = f"MCML: the 2 axes on the stage hold {percent}\N{NO-BREAK SPACE}% of the trace of its 4-dimensional"
        assert said == f"{share} metric (blue)."
