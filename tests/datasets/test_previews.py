"""Previews: sizes and pictures as the data sets have them; the worker makes each once and goes."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from datasets.base.dataset import Source
from datasets.base.entry import Entry
from datasets.base.errors import DataError
from datasets.catalogue import DATASETS, load_dataset
from datasets.previews import Previews, thumbnail
from tests.datasets.planned import made
from tests.waiting import until


def entry(key="t", load=lambda: load_dataset("wine"), version=""):
    return Entry(key, "T", "A test.", "folder", Source("t"), load, version=version)


def no_worker():
    return not [thread for thread in threading.enumerate() if thread.name == "previews"]


def test_now_makes_it_once_for_each_version():
    loads = []
    load = lambda: loads.append(1) or load_dataset("iris")  # noqa: E731
    previews = Previews()
    first = previews.now(entry(load=load, version="1"))
    assert previews.now(entry(load=load, version="1")) is first
    assert previews.now(entry(load=load, version="2")) is not first
    assert len(loads) == 2
    assert previews.known(entry("other")) is None


def test_the_worker_makes_one_after_the_other_and_ends():
    go, at_once, most = threading.Event(), [0], [0]

    def load():
        at_once[0] += 1
        most[0] = max(most[0], at_once[0])
        go.wait(20)
        at_once[0] -= 1
        return load_dataset("wine")

    previews, asked = Previews(), [entry(f"t{k}", load) for k in range(5)]
    for _ in range(3):  # a page that comes by again asks for nothing twice
        assert [previews.ask(each) for each in asked] == [None] * 5
    go.set()
    until(lambda: all(previews.known(each) for each in asked))
    until(no_worker)
    assert most == [1]
    assert previews.ask(asked[0]).n_samples == 178
    assert no_worker()


@pytest.mark.parametrize(
    ("error", "sentence"),
    [(DataError("t.csv has no label."), "t.csv has no label."), (ZeroDivisionError("secret"), "an error that is ours")],
)
def test_what_cannot_be_loaded_is_a_sentence_and_the_next_one_comes(error, sentence, caplog):
    def load():
        raise error

    previews, broken, sound = Previews(), entry("broken", load), entry("sound")
    previews.ask(broken)
    previews.ask(sound)
    until(lambda: previews.known(sound))
    assert sentence in previews.known(broken).error
    assert "secret" not in previews.known(broken).error
    assert previews.known(broken).picture is None
    assert ("ZeroDivisionError" in caplog.text) == ("ours" in sentence)  # ours can be looked up, a bad file is no fault


def test_a_generator_is_shown_as_its_sliders_stand_at_first():
    preview = Previews().now(DATASETS["rings"])
    np.testing.assert_array_equal(preview.picture.points, thumbnail(load_dataset("rings")).points)


def test_only_so_many_are_kept():
    previews = Previews(most=3)
    for k in range(5):
        previews.now(entry(f"t{k}"))
    assert [previews.known(entry(f"t{k}")) is not None for k in range(5)] == [False, False, True, True, True]


def test_it_is_the_pca_of_the_standardised_rows():
    wine = load_dataset("wine")
    picture = thumbnail(wine)
    theirs = PCA(2).fit_transform(StandardScaler().fit_transform(wine.X))
    np.testing.assert_allclose(picture.points * np.sign((picture.points * theirs).sum(axis=0)), theirs, atol=1e-9)
    np.testing.assert_array_equal(picture.codes, wine.y)


def test_large_sets_are_sampled_by_class():
    digits = load_dataset("digits")
    picture = thumbnail(digits)
    assert picture.points.shape == (300, 2)
    assert np.all(np.abs(np.bincount(picture.codes) - np.bincount(digits.y) * 300 / 1797) <= 1.0)


@pytest.mark.parametrize("key", [key for key, entry in DATASETS.items() if entry.kind in ("bundled", "generator")])
def test_every_entry_has_one(key):
    picture = thumbnail(load_dataset(key))
    assert picture.points.shape == (len(picture.codes), 2)
    assert len(picture.codes) <= 300
    assert np.isfinite(picture.points).all()
    assert np.ptp(picture.points, axis=0).min() > 0
    assert not picture.points.flags.writeable


@pytest.mark.parametrize(
    "X", [[[1.0], [2.0], [4.0]], [[5.0, 5.0]] * 4, [[1.0, 2.0]], [[1e200, 0], [-1e250, 1], [1e-300, 3]], np.eye(6)]
)
def test_odd_sets_stay_finite(X):
    picture = thumbnail(made(X, np.arange(len(X)) % 2))
    assert picture.points.shape == (len(X), 2)
    assert np.isfinite(picture.points).all()


def test_it_is_kept_for_its_data_set_only():
    wine = load_dataset("wine")
    assert thumbnail(wine) is thumbnail(wine)
    twin = replace(wine)
    assert thumbnail(twin) is not thumbnail(wine)
    np.testing.assert_array_equal(thumbnail(twin).points, thumbnail(wine).points)
