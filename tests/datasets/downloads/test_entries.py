"""The papers' sets that are downloaded, their quirks, and the cache: whole, bounded, where the environment says."""

import hashlib
import io
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat
from sklearn.datasets._olivetti_faces import FACES

from datasets.base.errors import DataError
from datasets.downloads.cache import Cache, cache_folder
from datasets.downloads.entries import DOWNLOADS, open_images
from datasets.downloads.olivetti import FacesFile, olivetti_dataset, open_olivetti
from datasets.downloads.openml import open_openml
from tests.datasets.columns.test_images import smooth_images
from tests.datasets.downloads.openml_server import SITE, arff_of


def test_each_entry_asks_for_its_own_set():
    asked = {entry.key: entry.download for entry in DOWNLOADS}
    assert asked["ionosphere"].args == ("59",)
    assert asked["boston"].args == ("531",)
    assert asked["usps"].args == (41082, (16, 16))
    assert asked["umist"].args == (41084, (112, 92))


def housing(n=60):
    rng = np.random.default_rng(0)
    values = rng.random((n, 3)).round(3)
    columns = {"CRIM": "REAL", "CHAS": "{0,1}", "B": "REAL", "LSTAT": "REAL", "MEDV": "REAL"}
    rows = [f"{a},{k % 2},{b},{c},{20 + k * 0.3:.1f}" for k, (a, b, c) in enumerate(values.tolist())]
    return arff_of(columns, rows)


def test_boston_leaves_b_out_and_says_why(openml):
    openml.add(531, "boston", housing(), default_target_attribute="MEDV")
    (entry,) = [entry for entry in DOWNLOADS if entry.key == "boston"]
    opened = entry.download.func(*entry.download.args, server=openml.server, **entry.download.keywords)
    assert opened.dataset.feature_names == ("CRIM", "CHAS", "LSTAT")
    assert opened.dataset.n_classes == 3
    assert opened.plan.label_reason.startswith("OpenML's default target; it holds many different numbers")
    ((name, why),) = opened.plan.left_out
    assert name == "B"
    assert "black residents" in why
    assert any("black residents" in note for note in opened.dataset.notes)
    everything = open_openml("531", server=openml.server)
    assert "B" in everything.dataset.feature_names


def images_arff(X, label="class"):
    columns = {f"V{k + 1}": "INTEGER" for k in range(X.shape[1])} | {label: "{1,2}"}
    rows = [",".join(map(str, row)) + f",{k % 2 + 1}" for k, row in enumerate(X.astype(int).tolist())]
    return arff_of(columns, rows)


@pytest.mark.parametrize("by_columns", [False, True])
def test_images_stand_upright_however_they_are_stored(openml, by_columns):
    X = smooth_images(14, 10)
    stored = X.reshape(-1, 14, 10).transpose(0, 2, 1).reshape(len(X), -1) if by_columns else X
    openml.add(7, "faces", images_arff(stored))
    opened = open_images(7, (14, 10), server=openml.server)
    np.testing.assert_array_equal(opened.dataset.X, X)
    assert opened.dataset.image_shape == (14, 10)
    assert opened.plan.features == opened.dataset.feature_names
    assert opened.dataset.feature_names[1] == ("V15" if by_columns else "V2")


def test_black_pixels_are_kept_so_that_an_image_stays_whole(openml):
    X = smooth_images(8, 8)
    X[:, [0, 7, 56, 63]] = 0
    openml.add(7, "digits", images_arff(X))
    dataset = open_images(7, (8, 8), server=openml.server).dataset
    np.testing.assert_array_equal(dataset.X, X)
    with pytest.raises(DataError, match="has 64 columns, not 100 pixels"):
        open_images(7, (10, 10), server=openml.server)


def test_olivetti_is_the_file_scikit_learn_fetches():
    assert (FacesFile().url, FacesFile().sha256) == (FACES.url, FACES.checksum)


def faces_file():
    pixels = np.random.default_rng(0).integers(10, 200, (64 * 64, 400)).astype(np.uint8)
    file = io.BytesIO()
    savemat(file, {"faces": pixels})
    return file.getvalue(), pixels


def test_olivetti_is_opened_as_scikit_learn_opens_it():
    data, pixels = faces_file()
    dataset = olivetti_dataset(data)
    faces = np.float32(pixels.T)  # the lines of fetch_olivetti_faces
    faces = faces - faces.min()
    faces /= faces.max()
    faces = faces.reshape((400, 64, 64)).transpose(0, 2, 1)
    np.testing.assert_allclose(dataset.X, faces.reshape(400, -1), atol=1e-6)
    np.testing.assert_array_equal(dataset.y, np.arange(400) // 10)
    assert dataset.image_shape == (64, 64)
    assert len(dataset.feature_names) == 4096
    assert dataset.n_classes == 40


def test_olivetti_is_fetched_checked_and_kept(openml):
    data, _ = faces_file()
    openml.pages["/faces"] = data
    place = FacesFile(f"{openml.base}/faces", hashlib.sha256(data).hexdigest(), SITE, Cache(openml.server.cache.folder))
    assert open_olivetti(place=place).dataset.n_samples == 400
    openml.pages.clear()
    (kept,) = place.cache.folder.iterdir()
    file = kept.stat().st_ino
    assert open_olivetti(place=place).dataset.n_samples == 400
    assert kept.stat().st_ino == file  # read, not written anew
    with pytest.raises(DataError, match="arrived damaged"):
        open_olivetti(place=replace(place, sha256="0" * 64))
    with pytest.raises(DataError, match="answered with error 404"):
        open_olivetti(place=place)


def test_bytes_come_back_as_they_went_in(tmp_path):
    cache = Cache(tmp_path / "deep" / "cache")
    assert cache.get("a") is None
    for data in (b"", b"\n", b"x" * 70_000, bytes(range(256))):
        cache.put("../../a", data)
        assert cache.get("../../a") == data
    assert [path.parent for path in tmp_path.rglob("*.cached")] == [tmp_path / "deep" / "cache"]
    cache.remove("../../a")
    cache.remove("../../a")
    assert cache.get("../../a") is None


@pytest.mark.parametrize("harm", [lambda data: data[:-1], lambda data: b"", lambda data: data[:-1] + b"?"])
def test_a_damaged_file_counts_as_missing_and_goes(tmp_path, harm):
    cache = Cache(tmp_path)
    cache.put("a", b"content")
    (path,) = tmp_path.iterdir()
    path.write_bytes(harm(path.read_bytes()))
    assert cache.get("a") is None
    assert list(tmp_path.iterdir()) == []


def test_what_was_not_used_for_longest_goes(tmp_path):
    cache = Cache(tmp_path, most_bytes=1000)
    for age, key in enumerate("abc"):
        cache.put(key, key.encode() * 200)
        os.utime(cache._path(key), (1_000_000 + age, 1_000_000 + age))
    assert cache.get("a") == b"a" * 200  # young again
    cache.put("d", b"d" * 200)
    assert [key for key in "abcd" if cache.get(key)] == ["a", "c", "d"]
    cache.put("e", b"e" * 900)
    assert [key for key in "abcde" if cache.get(key)] == ["e"]
    cache.put("f", b"f" * 1001)
    assert cache.get("f") is None
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 1000


def test_what_a_crash_left_half_written_goes_in_its_turn_and_foreign_files_stay(tmp_path):
    old, young, foreign = tmp_path / "old.part", tmp_path / "young.part", tmp_path / "thesis.tex"
    for path in (old, young, foreign):
        path.write_bytes(b"half" * 100)
    for path in (old, foreign):
        os.utime(path, (1_000_000, 1_000_000))
    Cache(tmp_path, most_bytes=1000).put("a", b"x" * 400)
    assert (old.exists(), young.exists(), foreign.exists()) == (False, True, True)


def test_a_folder_that_cannot_be_made_keeps_nothing(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    cache = Cache(tmp_path / "file" / "cache")
    cache.put("a", b"x")
    assert cache.get("a") is None


def test_the_environment_says_where(tmp_path, monkeypatch):
    monkeypatch.setenv("NCA_EXPLORER_CACHE", str(tmp_path / "own"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "shared"))
    assert cache_folder() == tmp_path / "own"
    Cache().put("a", b"x")
    assert len(list((tmp_path / "own").iterdir())) == 1
    monkeypatch.delenv("NCA_EXPLORER_CACHE")
    assert cache_folder() == tmp_path / "shared" / "nca-explorer"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "nca-explorer"
