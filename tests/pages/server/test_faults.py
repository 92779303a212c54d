"""What fails around the server: each fault has its sentence, loses nothing, is in the log once, and passes."""

from __future__ import annotations

import logging
import shutil
from dataclasses import replace

import pytest

from pages.server import repeated_faults, trainings
from pages.server.belongings import SavedRun
from pages.server.brought_back import bring_back
from pages.server.hub import Hub
from pages.server.repeated_faults import RepeatedFaults
from pages.server.rows_of import rows_of
from pages.server.saver import Saver
from pages.server.store import Store
from study.link import to_link
from tests.pages.server.test_store import files, working


class Clock:
    def __init__(self, now=1_000_000.0):
        self.now = now

    def __call__(self):
        return self.now


@pytest.fixture
def hub():
    made = Hub(reap=False)
    yield made
    made.shutdown()


@pytest.fixture
def second_hub():
    made = Hub(reap=False)
    yield made
    made.shutdown()


def saver_of(hub, address, **options):
    saver = Saver(hub)
    saver._store = Store(str(address), 1_800, **options)
    return saver


def taken_up(hub, address, space, **options):
    """The workspace as another server finds it."""
    return saver_of(hub, address, **options).take_up("ann", to_link(space.belongings.recipe), "a")


def test_a_store_that_cannot_be_written_is_said_and_logged_once_and_nothing_is_lost(hub, second_hub, tmp_path, caplog):
    (tmp_path / "store").write_text("a file where the folder should be")
    space, saver = working(hub), saver_of(hub, tmp_path / "store")
    once = RepeatedFaults()
    logging.getLogger("pages.server.saver").addFilter(once)
    try:
        for _ in range(20):  # a minute of looks
            saver.save_all()
    finally:
        logging.getLogger("pages.server.saver").removeFilter(once)
    assert saver.problem in ("File exists", "Not a directory")
    assert len(caplog.records) == 1
    assert space.runs["nca"].run.latest() is not None
    (tmp_path / "store").unlink()
    saver.save_all()
    assert saver.problem == ""
    assert taken_up(second_hub, tmp_path / "store", space).belongings.own_data


def test_where_nobody_set_up_a_handler_the_log_is_kept_short_as_well(monkeypatch):
    last = logging.Handler()
    monkeypatch.setattr(logging, "lastResort", last)
    repeated_faults.install()
    assert any(isinstance(each, RepeatedFaults) for each in last.filters)


def test_a_store_that_is_emptied_while_the_server_runs_is_filled_again(hub, second_hub, tmp_path):
    space, saver = working(hub), saver_of(hub, tmp_path / "store")
    space.attach_session("s")
    saver.save_all()
    whole = len(files(tmp_path))
    for folder in (tmp_path / "store").glob("[!.]*"):
        shutil.rmtree(folder)
    saver.save_all()
    assert saver.problem == ""
    assert len(files(tmp_path)) == whole
    back = taken_up(second_hub, tmp_path / "store", space)
    assert back.belongings.saved_runs["nca"].snapshots


def test_what_another_server_has_taken_up_is_not_written_again_by_the_one_before(hub, second_hub, tmp_path):
    space, saver = working(hub), saver_of(hub, tmp_path / "store")
    saver.save_all()
    other = saver_of(second_hub, tmp_path / "store")
    assert other.take_up("ann", to_link(space.belongings.recipe), "a") is not None
    other.save_all()
    there = files(tmp_path)
    saver.save_all(again=True)  # nobody looks at it here any more
    assert files(tmp_path) == there


def test_a_clock_that_is_set_back_loses_nothing_and_keeps_nothing_for_ever(hub, second_hub, tmp_path):
    clock, steady = Clock(), Clock(0.0)
    space, saver = working(hub), saver_of(hub, tmp_path / "store", clock=clock, steady=steady)
    saver.save_all()
    clock.now -= 86_400
    store = Store(str(tmp_path / "store"), 1_800, clock=clock, steady=steady)
    store.sweep()
    assert taken_up(second_hub, tmp_path / "store", space, clock=clock, steady=steady) is not None
    steady.now += 1_700
    clock.now += 1_700
    store.sweep()
    assert files(tmp_path)
    steady.now += 200
    clock.now += 200
    store.sweep()
    assert files(tmp_path) == []
    assert list((tmp_path / "store").glob("[!.]*")) == []  # nor the folders of those who went


def test_what_another_server_has_only_begun_to_write_is_not_swept_away(tmp_path):
    clock, steady = Clock(), Clock(0.0)
    store = Store(str(tmp_path), 1_800, clock=clock, steady=steady)
    folder = store.folder("ann", "t")
    store.write(folder, "run-a1-000000.npz", b"the first part")
    store.sweep()
    assert store.read(folder, "run-a1-000000.npz") == b"the first part"
    steady.now += 1_801
    store.sweep()
    assert files(tmp_path) == []


def test_what_a_killed_server_left_half_written_goes_with_the_next_writing(hub, tmp_path):
    space, saver = working(hub), saver_of(hub, tmp_path / "store")
    saver.save_all()
    folder = next(path.parent for path in files(tmp_path) if path.name == "meta.json.gz")
    (folder / ".run-a1-000004.npz.4711").write_bytes(b"half")
    space.belongings.change(replace(space.belongings.recipe, n_components=3))
    saver.save_all()
    assert not [path for path in files(tmp_path) if path.name.startswith(".")]


def test_a_read_that_fails_once_leaves_nothing_half_read_to_find_or_to_write(hub, second_hub, tmp_path, monkeypatch):
    space = working(hub)
    saver_of(hub, tmp_path).save_all()
    there, link = files(tmp_path), to_link(space.belongings.recipe)
    other = saver_of(second_hub, tmp_path)
    read, names = other._store.read, []

    def second_fails(folder, name):
        names.append(name)
        if [each.endswith(".npz") for each in names].count(True) == 2:
            raise OSError("The disk was away for a moment")
        return read(folder, name)

    monkeypatch.setattr(other._store, "read", second_fails)
    assert other.take_up("ann", link, "a") is None
    assert names[-1].startswith("run-")  # the table had been read
    assert second_hub.of("ann") == []
    other.save_all()
    assert files(tmp_path) == there
    monkeypatch.undo()
    back = other.take_up("ann", link, "a")  # the next reload
    assert back.belongings.saved_runs["nca"].snapshots


def test_what_somebody_looks_at_for_hours_without_a_change_does_not_grow_old(hub, tmp_path):
    clock, there = Clock(), []
    until = clock.now + 3_600

    class Ending:
        """Time passes as the thread waits."""

        def wait(self, seconds):
            clock.now += seconds
            there.append(bool(files(tmp_path)))
            return clock.now > until

    space, saver = hub.open("ann"), saver_of(hub, tmp_path, clock=clock, steady=clock)
    space.attach_session("s")
    saver._ending = Ending()
    saver._watch()
    assert all(there[1:])  # no sweep took it, even for a moment


def test_the_changes_that_had_not_reached_the_address_do_not_hide_a_workspace(hub, second_hub, tmp_path):
    space = hub.open("ann")
    own = space.belongings
    link = to_link(own.recipe)
    for random_state in (5, 6, 7):
        own.change(replace(own.recipe, preparation=replace(own.recipe.preparation, random_state=random_state)))
    saver_of(hub, tmp_path).save_all()
    back = saver_of(second_hub, tmp_path).take_up("ann", link, "a")
    assert back.belongings.recipe == own.recipe


def test_what_does_not_come_back_is_said(hub):
    space = working(hub)
    own, mine = space.belongings, space.belongings.own_data["own:mine.csv"]
    snapshots, rows = tuple(space.runs["nca"].run.snapshots_since(0)), rows_of(own, own.comparison)
    run = SavedRun(replace(own.recipe.panel("nca"), title="Mine"), snapshots, rows)
    before = space.runs["nca"]
    own.recipe, own.comparison = replace(own.recipe, n_components=3), None  # the views have two axes
    own.saved_runs = {"nca": run}
    said = "The server was started again. This no longer fits the panels and the data, so train it again: Mine."
    assert bring_back(space, trainings.show(space, mine)) == said
    own.recipe, own.comparison = replace(own.recipe, n_components=2), None
    gone = replace(run, panel=replace(run.panel, start="gone@1"))
    own.saved_runs = {"nca": gone}
    assert bring_back(space, trainings.show(space, mine)) == said
    assert space.runs.get("nca") in (before, None)  # nothing was put in its place
