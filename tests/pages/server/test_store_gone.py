"""A store that goes while the server runs, or has another one in its place: nothing is written there, nothing lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from datasets.catalogue import load_dataset
from pages.server.hub import Hub
from pages.server.saver import Saver
from pages.server.store import Store
from study.link import to_link

GONE = "The store is gone, or another one is in its place"


@pytest.fixture
def hubs():
    made = [Hub(reap=False), Hub(reap=False)]
    yield made
    for hub in made:
        hub.shutdown()


@pytest.fixture(params=["disk", "memory"])
def address(request, tmp_path):
    if request.param == "disk":
        return str(tmp_path / "store")
    return f"memory://{tmp_path.name}/store"


@pytest.fixture
def server(hubs, address):
    """A saver; a function that gives Ann another table; one that asks the next server for the name of her table."""
    space, wine = hubs[0].open("ann"), load_dataset("wine")
    space.attach_session("s")
    saver, own = Saver(hubs[0]), space.belongings
    saver._store = Store(address, 1_800)

    def bring(name):
        own.keep_data("own:mine.csv", replace(wine, name=name))
        own.change(replace(own.recipe, data=own.data_recipe("own:mine.csv")))

    def found():
        other = Saver(hubs[1])
        other._store = Store(address, 1_800)
        back = other.take_up("ann", to_link(own.recipe), "a")
        return None if back is None else back.belongings.own_data["own:mine.csv"].name

    bring("first")
    saver.save_all()
    assert saver.problem == ""
    return saver, bring, found


def move(store, name):
    store._fs.mv(store._root, name, recursive=True)


def below(store):
    return store._fs.find(store._root) if store._fs.exists(store._root) else []


@pytest.mark.parametrize("instead", ["nothing", "an empty folder", "a folder of somebody else's", "another store"])
def test_a_store_that_goes_is_said_until_it_is_back_and_then_all_is_there(server, address, instead):
    saver, bring, found = server
    store = saver._store
    move(store, f"{store._root}-aside")
    if instead == "an empty folder":
        store._fs.makedirs(store._root)
    elif instead == "a folder of somebody else's":
        store._fs.makedirs(f"{store._root}/photos/summer")
        store._fs.pipe_file(f"{store._root}/photos/summer/sea.jpg", b"not ours")
    elif instead == "another store":
        Store(address, 1_800).recognise()
    there = below(store)
    bring("second")
    for again in (False, True):
        saver.save_all(again)
        assert saver.problem == GONE
        with pytest.raises(FileNotFoundError):
            store.sweep()
        assert below(store) == there
    come_back(store)
    saver.save_all()
    assert saver.problem == ""
    assert found() == "second"


def leaving(store, monkeypatch):
    """Have the store go as the next part is written, which is then written in the folder that takes its place."""
    write = store.write

    def leaves(folder, name, content):
        monkeypatch.setattr(store, "write", write)
        move(store, f"{store._root}-aside")
        write(folder, name, content)

    monkeypatch.setattr(store, "write", leaves)


def come_back(store):
    if store._fs.exists(store._root):
        store._fs.rm(store._root, recursive=True)
    store._fs.mv(f"{store._root}-aside", store._root, recursive=True)


def test_what_went_to_another_place_as_the_store_left_is_written_once_more(server, monkeypatch):
    saver, bring, found = server
    bring("second")
    leaving(saver._store, monkeypatch)
    saver.save_all()
    assert saver.problem == GONE
    come_back(saver._store)
    saver.save_all()
    assert saver.problem == ""
    assert found() == "second"


def test_what_a_workspace_takes_the_place_of_goes_also_where_the_store_left_meanwhile(server, hubs, monkeypatch):
    saver, _, _ = server
    store, link = saver._store, to_link(hubs[0].of("ann")[0].belongings.recipe)
    (before,) = (folder for folder, _ in store.metas("ann"))
    other = Saver(hubs[1])
    other._store = store
    assert other.take_up("ann", link, "a") is not None
    leaving(store, monkeypatch)
    other.save_all()
    assert other.problem == GONE
    come_back(store)
    other.save_all()
    (after,) = (folder for folder, _ in store.metas("ann"))
    assert after != before


def test_the_log_has_it_once(server, caplog):
    saver, _, _ = server
    move(saver._store, f"{saver._store._root}-aside")
    looks = iter([False] * 45)

    class Ending:
        def wait(self, seconds):
            return next(looks, True)

    saver._ending = Ending()
    saver._watch()
    (record,) = [each for each in caplog.records if each.name == "pages.server.saver"]
    assert record.getMessage().startswith(f"The store of people's work cannot be written: [Errno 2] {GONE}: ")
    assert not record.exc_info


def test_what_grew_old_while_the_store_was_away_is_renewed_before_it_is_swept(server, address):
    saver, _, found = server
    store = saver._store
    move(store, f"{store._root}-aside")
    saver.save_all()
    come_back(store)
    late = store._clock() + 3_600
    store._clock = lambda: late
    saver.save_all()
    store.sweep()
    assert found() == "first"


def test_servers_that_share_a_store_know_it_by_the_same_mark_also_where_they_began_together(hubs, tmp_path):
    stores = [Store(str(tmp_path / "store"), 1_800) for _ in range(3)]
    stores[0].recognise()
    stores[1].recognise()
    (mark,) = Path(tmp_path / "store").iterdir()
    stores[2]._mark = str(mark.with_name(".nca-store-00"))  # made as the first one looked
    Path(stores[2]._mark).touch()
    for store in [*stores, *stores]:
        store.recognise()
    mark.unlink()
    stores[2].recognise()
    with pytest.raises(FileNotFoundError, match=GONE):
        stores[0].recognise()
