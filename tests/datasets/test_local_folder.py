"""A folder of one's own in the catalogue: what is listed, what is passed over, and the papers' tables read right."""

import gzip
import os
from pathlib import Path

import numpy as np
import pytest

from datasets import local_folder
from datasets.base.errors import DataError
from datasets.local_folder import MOST_FILES, VARIABLE, local_entries

PLAIN = "a,b,label\n1,2,x\n2,1,y\n3,5,x\n4,4,y\n"
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
# name: (rows, features, classes, image shape); ionosphere loses a column that is 0 in every row.
PAPERS = {
    "balance.csv": (625, 4, 3, None),
    "faces.csv.gz": (624, 560, 20, (28, 20)),
    "housing.csv": (506, 13, 3, None),
    "housing_medv.csv": (506, 13, 3, None),
    "ionosphere.csv": (351, 33, 2, None),
    "iris.csv": (150, 4, 3, None),
    "usps.csv.gz": (11000, 256, 10, (16, 16)),
    "usps_8x8.csv.gz": (11000, 64, 10, (8, 8)),
    "wine.csv": (178, 13, 3, None),
}


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "tables"
    place.mkdir()
    (place / "first_one.csv").write_text(PLAIN)
    return place


def test_tables_are_listed_and_read_when_asked(folder):
    (folder / "second.tsv.gz").write_bytes(gzip.compress(PLAIN.replace(",", "\t").encode()))
    entries = local_entries(folder)
    assert list(entries) == ["folder:first_one.csv", "folder:second.tsv.gz"]
    assert [entry.title for entry in entries.values()] == ["first one", "second"]
    assert {entry.kind for entry in entries.values()} == {"folder"}
    assert all(key == entry.key for key, entry in entries.items())
    for entry in entries.values():
        dataset = entry.load()
        np.testing.assert_array_equal(dataset.X, [[1, 2], [2, 1], [3, 5], [4, 4]])
        assert dataset.class_names == ("x", "y")
        assert dataset.name == entry.title
        assert dataset.source.title.startswith("local file: ")


def test_what_is_no_table_is_passed_over(folder, tmp_path):
    (tmp_path / "secret.csv").write_text(PLAIN)
    for name in ("README.txt", "readme.csv", ".hidden.csv", "picture.png", "model.pkl", "~$open.xlsx"):
        (folder / name).write_text(PLAIN)
    (folder / "sub").mkdir()
    (folder / "sub" / "deep.csv").write_text(PLAIN)
    (folder / "folder.csv").mkdir()
    (folder / "escape.csv").symlink_to(tmp_path / "secret.csv")
    (folder / "broken.csv").symlink_to(tmp_path / "nothing.csv")
    (folder / "alias.csv").symlink_to(folder / "first_one.csv")
    assert list(local_entries(folder)) == ["folder:alias.csv", "folder:first_one.csv"]


def test_the_environment_names_several_folders(folder, tmp_path, monkeypatch):
    other = tmp_path / "more"
    other.mkdir()
    (other / "first_one.csv").write_text(PLAIN)
    monkeypatch.setenv(VARIABLE, os.pathsep.join([str(folder), "", str(tmp_path / "missing"), str(other)]))
    assert list(local_entries()) == ["folder:first_one.csv", "folder:first_one.csv (2)"]
    monkeypatch.delenv(VARIABLE)
    assert local_entries() == {}


def test_at_most_two_hundred(folder):
    for k in range(MOST_FILES + 5):
        (folder / f"t{k:03d}.csv").write_text(PLAIN)
    assert len(local_entries(folder)) == MOST_FILES


def test_read_once_until_the_file_changes(folder, monkeypatch):
    reads = []
    original = local_folder.read_table
    monkeypatch.setattr(local_folder, "read_table", lambda *args: reads.append(args[1]) or original(*args))
    entry = local_entries(folder)["folder:first_one.csv"]
    assert entry.load() is entry.load()
    assert local_entries(folder)["folder:first_one.csv"].load() is entry.load()
    assert len(reads) == 1
    (folder / "first_one.csv").write_text(PLAIN + "9,9,x\n")
    assert entry.load().n_samples == 5
    assert len(reads) == 2


def test_a_broken_file_gets_one_sentence_without_its_folder(folder):
    (folder / "bad.csv").write_text('a,label\n1,"x\n2,y\n')
    with pytest.raises(DataError, match=r"bad\.csv.*line 2") as caught:
        local_entries(folder)["folder:bad.csv"].load()
    assert str(folder) not in str(caught.value)


def test_a_file_that_is_gone_or_too_large_gets_one_sentence(folder, monkeypatch):
    entry = local_entries(folder)["folder:first_one.csv"]
    with (folder / "large.csv").open("wb") as file:
        file.truncate(51_000_000)
    with pytest.raises(DataError, match=r"large.csv has 51 MB; at most 50 MB"):
        local_entries(folder)["folder:large.csv"].load()
    (folder / "first_one.csv").unlink()
    with pytest.raises(DataError, match="no longer in its folder"):
        entry.load()


@pytest.mark.skipif(not SHARED.is_dir(), reason="the papers' tables (shared/data) are not on this machine")
@pytest.mark.parametrize("name", PAPERS)
def test_the_papers_tables_load_right(name):
    rows, features, classes, image_shape = PAPERS[name]
    dataset = local_entries(SHARED)[f"folder:{name}"].load()
    assert dataset.X.shape == (rows, features)
    assert dataset.n_classes == classes
    assert dataset.image_shape == image_shape
    counts = np.bincount(dataset.y)
    expected = {"ionosphere.csv": [126, 225], "balance.csv": [49, 288, 288], "housing.csv": [166, 169, 171]}
    expected["housing_medv.csv"] = [166, 169, 171]  # terciles, as in housing.csv
    if name in expected:
        assert sorted(counts) == expected[name]
    if name.startswith("usps"):
        assert set(counts) == {1100}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the papers' tables (shared/data) are not on this machine")
def test_every_table_of_the_papers_is_listed_and_tried():
    tables = {path.name for path in SHARED.iterdir() if not path.name.startswith("README")}
    assert {key.removeprefix("folder:") for key in local_entries(SHARED)} == tables == set(PAPERS)
