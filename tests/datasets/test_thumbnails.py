"""Thumbnails against scikit-learn's PCA; small, repeatable, finite."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from datasets.base.dataset import Dataset, Source
from datasets.catalogue import DATASETS, load_dataset
from datasets.thumbnails import thumbnail


def made(X):
    X = np.array(X, dtype=float)
    y = np.arange(len(X)) % 2
    return Dataset("made", X, y, tuple(f"f{k}" for k in range(X.shape[1])), ("a", "b"), Source("made"))


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
    picture = thumbnail(DATASETS[key].load())
    assert picture.points.shape == (len(picture.codes), 2)
    assert len(picture.codes) <= 300
    assert np.isfinite(picture.points).all()
    assert np.ptp(picture.points, axis=0).min() > 0
    assert not picture.points.flags.writeable


@pytest.mark.parametrize(
    "X", [[[1.0], [2.0], [4.0]], [[5.0, 5.0]] * 4, [[1.0, 2.0]], [[1e200, 0], [-1e250, 1], [1e-300, 3]], np.eye(6)]
)
def test_odd_sets_stay_finite(X):
    data = made(X)
    picture = thumbnail(data)
    assert picture.points.shape == (len(data.X), 2)
    assert np.isfinite(picture.points).all()


def test_it_is_kept_for_its_data_set_only():
    wine = load_dataset("wine")
    assert thumbnail(wine) is thumbnail(wine)
    twin = replace(wine)
    assert thumbnail(twin) is not thumbnail(wine)
    np.testing.assert_array_equal(thumbnail(twin).points, thumbnail(wine).points)
