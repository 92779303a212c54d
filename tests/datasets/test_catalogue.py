"""One contract for every entry of the catalogue: shapes, names, licence, sliders, seeds."""

from collections import Counter

import numpy as np
import pytest

from datasets.base.entry import Parameter
from datasets.bundled import balance
from datasets.catalogue import DATASETS, load_dataset
from datasets.preparation import PreparationConfig, prepare

BUILT_IN = [key for key, entry in DATASETS.items() if entry.kind in ("bundled", "generator")]
GENERATORS = [key for key, entry in DATASETS.items() if entry.kind == "generator"]


def check(dataset):
    assert dataset.X.dtype == np.float64
    assert dataset.y.dtype == np.int64
    assert dataset.X.shape == (len(dataset.y), len(dataset.feature_names))
    assert np.isfinite(dataset.X).all()
    assert not dataset.X.flags.writeable
    assert set(np.unique(dataset.y)) == set(range(dataset.n_classes))
    assert len(set(dataset.feature_names)) == dataset.n_features
    assert len(set(dataset.class_names)) == dataset.n_classes >= 2
    assert all(isinstance(name, str) and name for name in (*dataset.feature_names, *dataset.class_names))
    if dataset.image_shape:
        assert np.prod(dataset.image_shape) == dataset.n_features


@pytest.mark.parametrize("key", BUILT_IN)
def test_entry_and_its_data_set(key):
    entry = DATASETS[key]
    assert entry.key == key == key.lower()
    assert entry.title
    assert "\n" not in entry.description
    assert 20 <= len(entry.description) <= 120
    assert entry.description.endswith(".")
    dataset = load_dataset(key)
    check(dataset)
    assert dataset.source is entry.source
    assert dataset.source.licence
    assert dataset.source.url or entry.kind == "generator"
    assert load_dataset(key, **entry.defaults) is dataset  # kept
    assert prepare(dataset, PreparationConfig()).train.all()


def test_every_entry_names_itself_differently():
    assert len({entry.title for entry in DATASETS.values()}) == len(DATASETS)


@pytest.mark.parametrize("key", GENERATORS)
def test_what_is_left_out_is_as_its_slider_begins(key):
    entry = DATASETS[key]
    dataset = load_dataset(key, random_state=3)
    np.testing.assert_array_equal(dataset.X, entry.load(**entry.defaults | {"random_state": 3}).X)
    assert str(dataset.n_samples) in dataset.name
    for p in entry.parameters:
        assert p.minimum <= p.default <= p.maximum
        assert len({type(value) for value in (p.default, p.minimum, p.maximum, p.step)}) == 1  # as sliders want it
        places = (p.default - p.minimum) / p.step
        assert abs(places - round(places)) < 1e-9


@pytest.mark.parametrize("key", GENERATORS)
def test_the_seed_decides_all(key):
    entry = DATASETS[key]
    one, again, other = (entry.load(**entry.defaults | {"random_state": seed}) for seed in (3, 3, 4))
    np.testing.assert_array_equal(one.X, again.X)
    np.testing.assert_array_equal(one.y, again.y)
    assert (one.X != other.X).any()


@pytest.mark.parametrize("key", GENERATORS)
def test_every_end_of_every_slider_works(key):
    entry = DATASETS[key]
    for parameter in entry.parameters:
        for value in (parameter.minimum, parameter.maximum):
            small = min(value, 2_000) if parameter.name == "n_samples" else value
            dataset = entry.load(**entry.defaults | {parameter.name: small})
            check(dataset)
            if parameter.name == "n_samples":
                assert dataset.n_samples == small
            counts = np.bincount(dataset.y)
            if key != "noisy_xor":
                assert np.ptp(counts) <= 32  # up to the last round of all classes or combinations
            assert counts.min() >= 2
    lowest = {p.name: p.minimum for p in entry.parameters}
    check(entry.load(**lowest))


@pytest.mark.parametrize(
    ("value", "words"), [(1, "outside"), (10**9, "outside"), (float("nan"), "outside"), (100.5, "whole number")]
)
def test_a_value_outside_the_slider_is_one_sentence(value, words):
    with pytest.raises(ValueError, match=f"Points: .* {words}"):
        load_dataset("moons", n_samples=value)


def test_unknown_names_list_what_there_is():
    with pytest.raises(ValueError, match="there are: wine"):
        load_dataset("wines")
    with pytest.raises(ValueError, match="no parameter 'n'"):
        load_dataset("rings", n=3)


def test_fractions_may_be_whole_numbers():
    Parameter("noise", "Noise", 0.1, 0.0, 1.0, 0.1).check(1)


def test_balance_follows_its_rule():
    dataset = balance()
    assert Counter(dataset.class_names[code] for code in dataset.y) == {"L": 288, "B": 49, "R": 288}
    assert dataset.feature_names == ("left_weight", "left_distance", "right_weight", "right_distance")
    assert len({tuple(row) for row in dataset.X}) == 625
    for row, code in zip(dataset.X, dataset.y, strict=True):
        tilt = row[0] * row[1] - row[2] * row[3]
        assert dataset.class_names[code] == ("B" if tilt == 0 else "L" if tilt > 0 else "R")
