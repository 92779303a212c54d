"""The pictures of the catalogue: there is one of every set, of its present data, small, and NCA's is the better one."""

from dataclasses import replace

import numpy as np
import pytest

from datasets import previews
from datasets.catalogue import load_dataset
from datasets.previews import FOLDER, keep_picture, thumbnail, trained_picture
from study.trained_pictures import pictured_keys, trained_points
from tests.study import oracle


@pytest.mark.parametrize("key", pictured_keys())
def test_each_set_has_one_of_its_present_data(key):
    dataset = load_dataset(key)
    picture = trained_picture(key, dataset)
    assert picture is not None, f"python -m study.trained_pictures {key}"
    assert picture.points.shape == thumbnail(dataset).points.shape
    np.testing.assert_array_equal(picture.codes, thumbnail(dataset).codes)
    assert (FOLDER / f"{key}.json").stat().st_size < 5_000


@pytest.mark.parametrize(("key", "least"), [("rings", 0.95), ("xor", 0.95), ("noisy_xor", 0.8), ("digits", 0.7)])
def test_what_pca_mixes_nca_tells_apart(key, least):
    dataset = load_dataset(key)
    before, after = thumbnail(dataset), trained_picture(key, dataset)
    mixed, apart = (oracle.leave_one_out(picture.points, picture.codes, 1) for picture in (before, after))
    assert mixed < 0.7
    assert apart > least


def test_of_other_data_there_is_none():
    assert {path.stem for path in FOLDER.iterdir()} == set(pictured_keys())
    assert trained_picture("wine", load_dataset("iris")) is None
    dataset = load_dataset("turned_faces")
    assert trained_picture("turned_faces", replace(dataset, X=dataset.X * (1.0 + 1e-14))) is not None
    assert trained_picture("turned_faces", replace(dataset, X=dataset.X * (1.0 + 1e-4 * (dataset.X > 0.5)))) is None


def test_what_is_kept_is_the_training_on_the_data(monkeypatch, tmp_path):
    dataset = load_dataset("iris")
    kept = trained_picture("iris", dataset).points
    monkeypatch.setattr(previews, "FOLDER", tmp_path)
    keep_picture("iris", dataset, trained_points(dataset))
    assert np.abs(trained_picture("iris", dataset).points - kept).max() <= 20  # of a thousand: machines round otherwise
