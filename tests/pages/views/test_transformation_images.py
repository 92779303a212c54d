"""The figures of A: every weight at its pixel or feature, zero in the middle, names as text."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.base.dataset import Dataset, Source
from datasets.catalogue import load_dataset
from datasets.preparation import PREPROCESSING, PreparationConfig, prepare
from pages.views.transformation_images import (
    MOST_FEATURES,
    transformation_bars,
    transformation_images,
    weights_of_features,
)


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


def test_standardised_weights_per_deviation_are_a_itself_and_constant_pixels_weigh_nothing():
    ready = prepare(load_dataset("digits"), PreparationConfig())
    A = np.random.default_rng(0).normal(size=(3, 64))
    weights = weights_of_features(ready, A, True)
    constant = np.ptp(ready.raw.X, axis=0) == 0
    assert constant.any()
    np.testing.assert_allclose(weights[:, ~constant], A[:, ~constant], rtol=1e-9)
    assert (weights[:, constant] == 0).all()


def test_each_row_of_a_is_an_image_with_zero_in_the_middle():
    weights = np.array([[0.0, 1, 2, 3, 4, 5], [-7, 0, 0, 0, 0, 0]])
    figure = transformation_images(weights, (2, 3))
    assert len(figure.data) == 2
    np.testing.assert_array_equal(figure.data[0].z, [[0, 1, 2], [3, 4, 5]])
    for image in figure.data:
        assert (image.zmin, image.zmax) == (-7.0, 7.0)
        assert image.colorscale == figure.data[0].colorscale
    assert figure.layout.yaxis.autorange == "reversed"  # the first row of pixels on top
    assert figure.layout.yaxis2.scaleanchor == "x2"
    middle = dict(figure.data[0].colorscale)[0.5]
    assert middle == "rgb(247,247,247)"


def test_an_a_of_zeros_can_be_drawn():
    assert transformation_images(np.zeros((2, 4)), (2, 2)).data[0].zmax == 1.0
    assert transformation_bars(np.zeros((2, 4)), ("a", "b", "c", "d")).layout.xaxis.range == (-1.05, 1.05)


def test_bars_are_ordered_by_weight_and_limited():
    weights = np.zeros((2, 50))
    weights[0, 7], weights[1, 3], weights[1, 40] = -2.0, 5.0, 1.0
    figure = transformation_bars(weights, tuple(f"f{k}" for k in range(50)))
    assert list(figure.layout.yaxis.ticktext[:3]) == ["f3", "f7", "f40"]
    assert len(figure.data[0].x) == MOST_FEATURES
    np.testing.assert_array_equal(figure.data[0].x[:3], [0, -2, 0])
    np.testing.assert_array_equal(figure.data[1].x[:3], [5, 0, 1])


def test_names_are_text_and_twins_stay_two_bars():
    names = ("<b>bold</b>", "twin", "twin", "a" * 60)
    figure = transformation_bars(np.array([[4.0, 3, 2, 1]]), names)
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;bold&lt;/b&gt;", "twin", "twin", "a" * 21 + "…"]
    assert list(figure.data[0].y) == [0, 1, 2, 3]
