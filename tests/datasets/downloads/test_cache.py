"""What was downloaded stays: whole, bounded, and where the environment says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from datasets.downloads.cache import Cache, default_folder


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
    assert default_folder() == tmp_path / "own"
    Cache().put("a", b"x")
    assert len(list((tmp_path / "own").iterdir())) == 1
    monkeypatch.delenv("NCA_EXPLORER_CACHE")
    assert default_folder() == tmp_path / "shared" / "nca-explorer"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert default_folder() == Path.home() / ".cache" / "nca-explorer"
