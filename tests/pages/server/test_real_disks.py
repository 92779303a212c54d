"""Disks that are really full, read-only or gone, where the system lets us mount some."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from datasets.catalogue import load_dataset
from pages.server.hub import Hub
from pages.server.saver import Saver
from pages.server.store import Store
from study.link import to_link


def mount(*words):
    return subprocess.run(["mount", *words], capture_output=True).returncode == 0


@pytest.fixture
def disk(tmp_path):
    """A disk of half a megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if not sys.platform.startswith("linux") or not mount("-t", "tmpfs", "-o", "size=512k", "none", str(folder)):
        pytest.skip("No disk can be mounted here.")
    yield folder
    while subprocess.run(["umount", "-l", str(folder)], capture_output=True).returncode == 0:
        pass


@pytest.fixture
def hubs():
    made = [Hub(reap=False), Hub(reap=False)]
    yield made
    for hub in made:
        hub.shutdown()


@pytest.fixture
def server(hubs, disk):
    """A saver; a function that gives Ann another table; one that asks the next server for the name of her table."""
    space, wine = hubs[0].open("ann"), load_dataset("wine")
    space.attach_session("s")
    saver, other = Saver(hubs[0]), Saver(hubs[1])
    saver._store, other._store = (Store(str(disk / "store"), 1_800) for _ in range(2))
    own = space.belongings

    def bring(name, scale=1.0):
        own.keep_data("own:mine.csv", replace(wine, name=name, X=wine.X * scale))
        own.change(replace(own.recipe, data=own.data_recipe("own:mine.csv")))

    def found():
        back = other.take_up("ann", to_link(own.recipe), "a")
        return None if back is None else back.belongings.own_data["own:mine.csv"].name

    bring("first")
    saver.save_all()
    assert saver.problem == ""
    return saver, bring, found


def said(caplog):
    told = [each for each in caplog.records if each.name == "pages.server.saver"]
    assert not any(each.exc_info for each in told)
    return [each.getMessage() for each in told]


def test_a_full_disk(server, disk, caplog):
    saver, bring, found = server
    with pytest.raises(OSError, match="No space left"):
        (disk / "other").write_bytes(b"x" * 600_000)
    bring("second", 2.0)
    for _ in range(20):  # a minute of looks
        saver.save_all()
    assert saver.problem == "No space left on device"
    assert said(caplog) == ["The store of people's work cannot be written: [Errno 28] No space left on device"]
    assert not [path for path in disk.rglob(".*") if not path.name.startswith(".nca-store-")]  # nothing half written
    (disk / "other").unlink()
    saver.save_all()
    assert saver.problem == ""
    assert said(caplog)[1:] == ["The store of people's work can be written again."]
    assert found() == "second"


def test_a_disk_that_is_read_only(server, disk, caplog):
    saver, bring, found = server
    assert mount("-o", "remount,ro", str(disk))
    bring("second", 2.0)
    for _ in range(20):
        saver.save_all()
    assert saver.problem == "Read-only file system"
    assert len(said(caplog)) == 1
    assert mount("-o", "remount,rw", str(disk))
    saver.save_all()
    assert saver.problem == ""
    assert found() == "second"


def test_a_disk_that_goes_while_the_server_runs_and_comes_back(server, disk, tmp_path, caplog):
    saver, bring, found = server
    aside = tmp_path / "aside"
    aside.mkdir()
    assert mount("--bind", str(disk), str(aside))
    try:
        subprocess.run(["umount", str(disk)], check=True)
        bring("second", 2.0)
        for _ in range(20):
            saver.save_all()
        assert list(disk.iterdir()) == []  # nothing in the folder beneath
        assert saver.problem == "The store is gone, or another one is in its place"
        assert len(said(caplog)) == 1
        assert mount("--bind", str(aside), str(disk))
        saver.save_all()
    finally:
        subprocess.run(["umount", "-l", str(aside)], check=True)
    assert saver.problem == ""
    assert said(caplog)[1:] == ["The store of people's work can be written again."]
    assert found() == "second"
