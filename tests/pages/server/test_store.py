"""The store: what was there is there again after a restart, to its owner, whole or not at all, and not for ever."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.catalogue import load_dataset
from datasets.proposals import Choices
from datasets.reading import ReadOptions
from nca_core.gate import Gate
from nca_core.run import TrainingRun
from nca_core.training import TrainingConfig
from pages.server import trainings
from pages.server.brought_back import bring_back
from pages.server.hub import Hub
from pages.server.saved import save
from pages.server.saver import Saver
from pages.server.store import Store
from pages.server.upload import Upload
from study.link import to_link
from tests.nca_core import textbook


class Clock:
    now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def server(tmp_path, clock):
    """A function that starts a server on the same store; (hub, saver)."""
    hubs = []

    def start(address=None, **limits):
        hub = Hub(reap=False)
        hubs.append(hub)
        saver = Saver(hub)
        saver._store = Store(address or str(tmp_path / "store"), 1_800, clock=clock, **limits)
        return hub, saver

    yield start
    for hub in hubs:
        hub.shutdown()


def files(folder):
    """All but the mark of the store."""
    there = folder.rglob("*")
    return sorted(path for path in there if path.is_file() and not path.name.startswith(".nca-store-"))


def working(hub, rows=120):
    """Ann's workspace with a table of her own, trained for a while and held."""
    space, wine = hub.open("ann"), load_dataset("wine")
    mine = replace(wine, name="mine", X=wine.X[:rows].copy(), y=wine.y[:rows], row_numbers=wine.row_numbers[:rows])
    own = space.belongings
    own.keep_data("own:mine.csv", mine)
    own.change(replace(own.recipe, data=own.data_recipe("own:mine.csv"), pace="normal"))
    trainings.show(space, mine)
    trainings.train(space, mine)
    held = space.runs["nca"].run
    assert held.wait_for(4, 60)
    held.pause()
    return space


def test_after_a_restart_table_settings_and_training_are_back_and_the_training_goes_on(server):
    hub, saver = server()
    space = working(hub)
    saver.save_all()
    before = space.runs["nca"].run.snapshots_since(0)
    _, saver2 = server()  # the first server was killed
    link = to_link(space.belongings.recipe)
    assert saver2.keeps("ann")  # so that her open page is told to come back
    assert not saver2.keeps("bob")
    assert not saver2.keeps("")
    assert saver2.take_up("bob", link, "b") is None
    assert saver2.take_up("", link, "b") is None
    assert saver2.take_up("ann", {**link, "held_out": "0.1"}, "a") is None
    again = saver2.take_up("ann", link, "a")
    own, mine = again.belongings, again.belongings.own_data["own:mine.csv"]
    assert own.recipe == space.belongings.recipe
    assert np.array_equal(mine.X, space.belongings.own_data["own:mine.csv"].X)
    assert own.content("own:mine.csv") == own.recipe.data.content
    words = bring_back(again, trainings.show(again, mine))
    assert words.endswith(f"NCA {before[-1].iteration}.")
    trainings.show(again, mine)
    run = again.runs["nca"].run
    back = run.snapshots_since(0)
    assert run.state == "paused"
    assert [each.iteration for each in back] == [each.iteration for each in before]
    for name in ("objective", "mean_p", "k_mean_entropy", "accuracy_1nn", "seconds", "summation"):
        assert [getattr(each, name) for each in back] == [getattr(each, name) for each in before]
    assert all(np.array_equal(a.transformation, b.transformation) for a, b in zip(back, before, strict=True))
    run.min_interval = 0.0
    run.resume()
    assert run.wait_for(len(before) + 2, 60)
    later = run.snapshots_since(len(before) - 1)
    assert [each.iteration for each in later[:3]] == [before[-1].iteration + k for k in range(3)]
    assert later[1].objective >= later[0].objective
    assert later[1].seconds >= later[0].seconds


def test_a_run_goes_on_from_where_an_earlier_one_was():
    X, y = textbook.blobs(n=60)
    config = TrainingConfig(max_iter=9, tol=1e-15)
    first = TrainingRun(X, y, config, gate=Gate())
    first.start()
    assert first.wait_for_end(30)
    past = first.snapshots_since(0)[:4]
    run = TrainingRun(X, y, config, gate=Gate(), past=past)
    assert run.state == "paused"
    run.resume()
    assert run.wait_for_end(30)
    after = run.trajectory.snapshots
    assert [each.iteration for each in after] == list(range(len(after)))
    assert len(after) <= 10
    assert after[3] is past[3]
    assert after[-1].objective > past[-1].objective


def test_an_ended_training_comes_back_as_it_ended_and_only_news_are_written(server, tmp_path):
    hub, saver = server()
    space = working(hub)
    saver.save_all()
    parts = {path: path.stat().st_mtime_ns for path in files(tmp_path) if path.name != "meta.json.gz"}
    run = space.runs["nca"].run
    run.min_interval = 0.0
    run.resume()
    assert run.wait_for_end(60)
    saver.save_all()
    now = {path: path.stat().st_mtime_ns for path in files(tmp_path)}
    assert parts.items() <= now.items()  # what was written stays as it is
    metas = [path for path in now if path.name == "meta.json.gz"]
    written = now[metas[0]]
    saver.save_all()
    assert metas[0].stat().st_mtime_ns == written  # nothing has changed
    _, saver2 = server()
    again = saver2.take_up("ann", to_link(space.belongings.recipe), "a")
    bring_back(again, trainings.show(again, again.belongings.own_data["own:mine.csv"]))
    back = again.runs["nca"].run
    assert (back.state, back.ended, back.ended_reason) == ("ended", run.ended, run.ended_reason)
    assert len(back.snapshots_since(0)) == len(run.snapshots_since(0))


def test_a_table_that_takes_long_to_pack_waits_for_the_trainings_of_others(server, monkeypatch):
    hub, saver = server()
    wine, order = load_dataset("wine"), []
    for name in ("ann", "bea", "cid"):
        space = hub.open(name)
        if name != "bea":
            space.belongings.keep_data("own:mine.csv", wine)
    monkeypatch.setattr(
        "pages.server.saver.save", lambda space, *rest: (order.append(space.owner), save(space, *rest))[1]
    )
    saver.save_all()
    assert order[0] == "bea"
    assert len(order) == 3
    hub.firsts()[1].belongings.keep_data("own:more.csv", wine)
    order.clear()
    saver.save_all()
    assert order[-1] == hub.firsts()[1].owner, "what is written already does not count"


def test_neither_cookies_nor_tokens_stand_in_the_store(server, tmp_path):
    hub, saver = server()
    space = hub.open("a-cookie-of-ann")
    saver.save_all()
    assert files(tmp_path)
    for path in files(tmp_path):
        assert "a-cookie" not in str(path)
        assert space.token not in str(path)
        assert b"a-cookie" not in path.read_bytes()


@pytest.mark.parametrize("cut", [0, 20, -1])
def test_a_torn_file_is_passed_over(server, tmp_path, cut):
    hub, saver = server()
    space = working(hub)
    saver.save_all()
    for path in files(tmp_path):
        path.write_bytes(path.read_bytes()[:cut])
    _, saver2 = server()
    assert saver2.take_up("ann", to_link(space.belongings.recipe), "a") is None


def test_what_fails_while_writing_leaves_what_was_there(server, tmp_path, monkeypatch):
    hub, saver = server()
    space = working(hub)
    saver.save_all()
    assert saver.problem == ""
    before = {path: path.read_bytes() for path in files(tmp_path)}
    space.belongings.change(replace(space.belongings.recipe, n_components=3))

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(saver._store._fs, "pipe_file", full)
    saver.save_all()
    assert saver.problem == "No space left on device"
    assert {path: path.read_bytes() for path in files(tmp_path)} == before
    monkeypatch.undo()
    saver.save_all()
    assert saver.problem == ""
    _, saver2 = server()
    assert saver2.take_up("ann", to_link(space.belongings.recipe), "a").belongings.recipe.n_components == 3


def test_what_is_old_goes_then_the_oldest_of_what_is_too_much(server, tmp_path, clock):
    hub, saver = server()
    links = []
    for name in ("wine", "iris", "digits"):
        space = hub.open("ann")
        space.belongings.change(replace(space.belongings.recipe, data=replace(space.belongings.recipe.data, key=name)))
        links.append(to_link(space.belongings.recipe))
        saver.save_all()
        clock.now += 100
    size = sum(path.stat().st_size for path in files(tmp_path))
    saver._store._most_bytes = 0.8 * size
    saver._store.sweep()
    _, saver2 = server()
    assert saver2.take_up("ann", links[0], "a") is None
    assert saver2.take_up("ann", links[2], "a") is not None
    clock.now += 1_800 - 150
    _, saver3 = server()
    assert saver3.take_up("ann", links[1], "a") is None  # nobody has looked at it for half an hour
    saver3._store.sweep()
    assert len(files(tmp_path)) <= 1


def test_any_store_that_fsspec_reaches_will_do(server):
    hub, saver = server("memory://nca-test-store")
    space = working(hub)
    saver.save_all()
    assert saver.problem == ""
    _, saver2 = server("memory://nca-test-store")
    assert saver2.take_up("ann", to_link(space.belongings.recipe), "a") is not None


def test_a_workspace_that_was_taken_up_takes_the_place_of_the_one_before(server, tmp_path):
    hub, saver = server()
    space = working(hub)
    saver.save_all()
    there = len(list((tmp_path / "store").glob("*/*")))
    link = to_link(space.belongings.recipe)
    _, saver2 = server()
    assert saver2.take_up("ann", link, "a") is not None
    saver2.save_all()
    assert len(list((tmp_path / "store").glob("*/*"))) == there == 1
    _, saver3 = server()  # killed before its first picture
    again = saver3.take_up("ann", link, "a")
    assert again.belongings.saved_runs["nca"].snapshots


def dropped(own, **said):
    """A file in the hands of a page, read and answered."""
    return Upload("mine.csv", b"a;b;k\n" * 50_000, ReadOptions(separator=";"), None, Choices(label="k"), **said)


def test_the_file_and_what_was_said_about_it_come_back_to_be_looked_over(server, tmp_path):
    hub, saver = server()
    space = working(hub)
    own = space.belongings
    own.upload = dropped(own, key="own:mine.csv", image_shape=(2, 1))
    own.waiting_upload = replace(dropped(own), filename="next.csv")
    saver.save_all()
    parts = [path for path in files(tmp_path) if path.name.startswith("file-")]
    assert len(parts) == 1  # the same bytes
    stamp = parts[0].stat().st_mtime_ns
    own.upload = own.upload.with_choices(Choices(label="b", roles=(("a", "left_out"),)))
    saver.save_all()
    assert parts[0].stat().st_mtime_ns == stamp  # only what was said is written again
    _, saver2 = server()
    back = saver2.take_up("ann", to_link(own.recipe), "a").belongings
    assert back.upload is None
    before, waiting = back.upload_before, back.waiting_upload
    for name in ("filename", "data", "options", "sheet", "choices", "image_shape", "key"):
        assert getattr(before, name) == getattr(own.upload, name)
    assert (waiting.filename, waiting.data, waiting.key) == ("next.csv", own.waiting_upload.data, "")
    saver2.save_all()  # killed once more before the page was run
    _, saver3 = server()
    again = saver3.take_up("ann", to_link(own.recipe), "a").belongings
    assert again.upload_before == before
    assert again.waiting_upload == waiting


def test_a_table_that_could_not_be_built_is_read_as_if_it_came_now(server):
    hub, saver = server()
    space = working(hub)
    space.belongings.upload = dropped(space.belongings, error="It waits for an answer.")
    saver.save_all()
    _, saver2 = server()
    back = saver2.take_up("ann", to_link(space.belongings.recipe), "a").belongings
    assert back.upload_before is None
    assert back.waiting_upload.choices == Choices(label="k")
