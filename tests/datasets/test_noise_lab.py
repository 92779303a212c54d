"""The noise lab does what it is asked, says so, and leaves everything else alone."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.catalogue import load_dataset
from datasets.noise_lab import NoiseConfig, add_noise
from tests.datasets.planned import made

WINE = load_dataset("wine")


@pytest.mark.parametrize(
    "config", [NoiseConfig(), NoiseConfig(factor=5.0), NoiseConfig(rescaled_column="ash"), NoiseConfig(random_state=3)]
)
def test_nothing_asked_nothing_done(config):
    assert config.idle
    assert add_noise(WINE, config) is WINE


def test_noise_columns_come_behind_and_have_their_deviation():
    noisy = add_noise(load_dataset("digits"), NoiseConfig(noise_columns=40, noise_scale=2.0))
    digits = load_dataset("digits")
    np.testing.assert_array_equal(noisy.X[:, :64], digits.X)
    spreads = digits.X.std(axis=0)
    expected = 2.0 * np.median(spreads[spreads > 0])
    np.testing.assert_allclose(noisy.X[:, 64:].std(axis=0), expected, rtol=0.1)
    assert abs(np.corrcoef(noisy.X[:, 64:].T)[np.triu_indices(40, 1)]).max() < 0.12
    assert noisy.feature_names[64:66] == ("added noise 1", "added noise 2")
    assert noisy.image_shape is None
    assert "40 columns of noise were" in noisy.notes[-2]
    assert "no longer shown as an image" in noisy.notes[-1]
    np.testing.assert_array_equal(noisy.y, digits.y)
    assert not noisy.X.flags.writeable


@pytest.mark.parametrize("column", ["magnesium", 4])
def test_one_column_is_rescaled(column):
    scaled = add_noise(WINE, NoiseConfig(rescaled_column=column, factor=-1000.0))
    factors = np.ones(13)
    factors[4] = -1000.0
    np.testing.assert_array_equal(scaled.X, WINE.X * factors)
    assert scaled.notes == (*WINE.notes, "Noise lab: column magnesium was multiplied by -1000.")
    assert scaled.feature_names == WINE.feature_names


def test_rescaling_keeps_the_picture():
    scaled = add_noise(load_dataset("digits"), NoiseConfig(rescaled_column=20, factor=3.0))
    assert scaled.image_shape == (8, 8)


@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_flips_go_to_every_other_class_and_to_no_unlabelled_row(share):
    digits = load_dataset("digits")
    y = digits.y.copy()
    y[:97] = -1
    flipped = add_noise(replace(digits, y=y), NoiseConfig(flipped_share=share))
    changed = flipped.y != y
    assert changed.sum() == round(share * 1700)
    assert not changed[:97].any()
    assert f"{changed.sum():,} of 1,700 labels" in flipped.notes[-1]
    steps = (flipped.y[changed] - y[changed]) % 10
    counts = np.bincount(steps, minlength=10)
    assert counts[0] == 0
    assert np.all(np.abs(counts[1:] - changed.sum() / 9) < 5 * np.sqrt(changed.sum() / 9))
    np.testing.assert_array_equal(flipped.X, digits.X)


def test_of_training_rows_alone_labels_flip():
    train = np.arange(178) % 3 > 0
    flipped = add_noise(WINE, NoiseConfig(flipped_share=0.5), train)
    changed = flipped.y != WINE.y
    assert changed.sum() == round(0.5 * train.sum())
    assert not changed[~train].any()
    assert f"{changed.sum()} of {train.sum()} training labels" in flipped.notes[-1]


def test_flips_know_only_the_classes_that_are_there():
    y = np.array([0, 3] * 10)
    flipped = add_noise(made(np.arange(20.0)[:, None], y), NoiseConfig(flipped_share=1.0))
    np.testing.assert_array_equal(flipped.y, 3 - y)


def test_a_number_label_goes_along():
    y = np.array([0, 1, 2] * 10)
    flipped = add_noise(made(np.arange(30.0)[:, None], y, target=y * 10.0), NoiseConfig(flipped_share=0.6))
    assert (flipped.y != y).sum() == 18
    np.testing.assert_array_equal(flipped.target, flipped.y * 10.0)


def test_the_seed_decides_and_one_change_leaves_the_other_alone():
    config = NoiseConfig(noise_columns=3, flipped_share=0.2)
    one = add_noise(WINE, config)
    np.testing.assert_array_equal(add_noise(WINE, config).X, one.X)
    more = add_noise(WINE, replace(config, noise_columns=5))
    np.testing.assert_array_equal(more.y, one.y)
    np.testing.assert_array_equal(more.X[:, :16], one.X)
    other = add_noise(WINE, replace(config, random_state=1))
    assert (other.y != one.y).any()
    assert (other.X[:, 13:] != one.X[:, 13:]).any()
    scaled = add_noise(WINE, replace(config, rescaled_column="ash", factor=1e6))
    np.testing.assert_array_equal(scaled.X[:, 13:], one.X[:, 13:])


def test_huge_values_and_constant_columns_give_finite_noise():
    X = np.column_stack([np.full(20, 5.0), np.full(20, 1e200) * np.arange(20)])
    noisy = add_noise(made(X, np.arange(20) % 2), NoiseConfig(noise_columns=1))
    assert np.isfinite(noisy.X).all()
    assert np.ptp(noisy.X[:, 2]) > 1e200
    flat = made(np.full((20, 1), 5.0), np.arange(20) % 2)
    assert 0.5 < add_noise(flat, NoiseConfig(noise_columns=1)).X[:, 1].std() < 2.0


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (NoiseConfig(rescaled_column="no such", factor=2.0), "no column 'no such'"),
        (NoiseConfig(rescaled_column=13, factor=2.0), "no column 13"),
        (NoiseConfig(rescaled_column="proline", factor=1e307), "row 1, column proline: .* too large"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(config, words):
    with pytest.raises(DataError, match=words) as caught:
        add_noise(WINE, config)
    assert "\n" not in str(caught.value)


def test_flipping_needs_two_classes():
    with pytest.raises(DataError, match="single class"):
        add_noise(replace(WINE, y=np.zeros(178, dtype=np.int64)), NoiseConfig(flipped_share=0.1))
