"""Painted points become a data set; what cannot be one gets a sentence."""

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.drawn import drawn_dataset

POINTS = np.array([[-1.0, 0.5], [1.0, -0.5], [0.25, 0.0], [0.0, 1.0]])


def test_points_and_classes_come_out_as_painted():
    drawn = drawn_dataset(POINTS, np.array([4, 1, 4, 1]), name=" two blobs ")
    assert drawn.name == "two blobs"
    np.testing.assert_array_equal(drawn.X, POINTS)
    assert drawn.class_names == ("class 2", "class 5")
    np.testing.assert_array_equal(drawn.y, [1, 0, 1, 0])
    assert drawn.feature_names == ("x", "y")
    assert drawn.notes == ()
    assert drawn.source.title


def test_noise_columns_have_their_spread_and_leave_the_points_alone():
    rng = np.random.default_rng(3)
    points, codes = rng.uniform(-1, 1, (4_000, 2)), np.arange(4_000) % 3
    drawn = drawn_dataset(points, codes, noise_dimensions=5, noise_scale=0.5, random_state=7)
    assert drawn.X.shape == (4_000, 7)
    assert drawn.feature_names[2:] == ("noise 1", "noise 2", "noise 3", "noise 4", "noise 5")
    np.testing.assert_array_equal(drawn.X[:, :2], points)
    noise = drawn.X[:, 2:]
    # Standard errors: 0.5 / √4000 = 0.008 of a mean, 0.5 / √8000 = 0.0056 of a deviation.
    np.testing.assert_allclose(noise.std(axis=0), 0.5, atol=0.03)
    np.testing.assert_allclose(noise.mean(axis=0), 0.0, atol=0.04)
    assert np.abs(np.corrcoef(noise.T) - np.eye(5)).max() < 0.08
    assert "5 noise dimensions" in drawn.notes[0]
    assert "0.5" in drawn.notes[0]


@pytest.mark.parametrize(
    ("points", "codes", "words"),
    [
        (POINTS[:0], [], "There are 0 points on the board; paint at least 3"),
        (POINTS[:2], [0, 1], "There are 2 points"),
        (POINTS, [2, 2, 2, 2], "one class; pick another class"),
        (POINTS, [0, 1, 2, 3], "4 classes on the board has a single point"),
    ],
)
def test_what_cannot_be_a_data_set_gets_a_sentence(points, codes, words):
    with pytest.raises(DataError) as error:
        drawn_dataset(points, np.array(codes, dtype=int))
    assert words in str(error.value)
    assert str(error.value).endswith(".")
    assert "\n" not in str(error.value)
