"""The memory of all workspaces: what is counted, who is forgotten for another, what is refused, what is let go."""

from __future__ import annotations

import gc
import threading
import tracemalloc
import weakref
from dataclasses import replace

import numpy as np
import pyarrow
import pytest

from datasets.base.errors import DataError
from datasets.catalogue import load_dataset
from datasets.reading import read_table
from pages.server import trainings
from pages.server.document import Upload
from pages.server.limits import VARIABLE, GivenUp, held_bytes, most_bytes, room_for, waiting_bytes
from pages.server.workspace import Hub
from study.panel import PanelRecipe
from tests.study.some_data import recipe_of


def make_room(*asked):
    """Room for a table that is read in no time."""
    with room_for(*asked):
        pass


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def hub(clock):
    made = Hub(clock, reap=False)
    yield made
    made.shutdown()


def dataset(megabytes):
    rows = int(megabytes * 125_000)
    wine = load_dataset("wine")
    return replace(wine, X=np.ones((rows, 1)), y=np.zeros(rows, np.int64), row_numbers=np.arange(rows))


def full(hub, clock, megabytes, attached=False):
    """A workspace with a table of about that size (the three arrays together)."""
    space = hub.open()
    space.document.keep_data("own:t", dataset(megabytes / 3))
    if attached:
        space.attach_session("s")
    clock.now += 1
    return space


def opened_by_ann(hub, rows):
    """Two tabs with the same table, one of which shows it on two pages."""
    text = b"a,b,k\n" + b"".join(b"%.6f,%d,%c\n" % (k / 7, k, b"xyz"[k % 3]) for k in range(rows))
    rng, wine = np.random.default_rng(0), load_dataset("wine")
    mine = replace(wine, X=rng.normal(size=(rows, 13)), y=np.arange(rows) % 3, row_numbers=np.arange(rows))
    space = hub.open("ann")
    space.document.upload = Upload("t.csv", text, table=read_table(text, "t.csv"))
    space.document.failed_upload = Upload("u.csv", b"x" * 100 * rows)
    space.document.keep_data("own:t", mine)
    for page in (space, hub.open_second(space), hub.open("ann")):
        page.document.recipe = recipe_of(PanelRecipe("pca"), PanelRecipe("nca"))
        trainings.show(page, mine)


def test_what_is_counted_is_what_is_held(hub):
    """Against the memory that Python and Arrow have allocated."""
    once = Hub(reap=False)
    opened_by_ann(once, 40_000)  # loads and compiles
    once.shutdown()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0] + pyarrow.total_allocated_bytes()
    opened_by_ann(hub, 40_000)
    gc.collect()
    held = tracemalloc.get_traced_memory()[0] + pyarrow.total_allocated_bytes() - before
    tracemalloc.stop()
    assert held_bytes(hub.tabs()) == pytest.approx(held, rel=0.05)


def test_what_waits_counts_for_those_who_look_and_is_forgotten_with_those_who_left(hub, clock, monkeypatch):
    monkeypatch.setenv(VARIABLE, "100")
    spaces = [hub.open(), hub.open()]
    for space in spaces:
        space.document.waiting_upload = Upload("w.csv", b"x" * 40_000_000)
    spaces[0].attach_session("s")
    assert waiting_bytes(hub) == 40_000_000
    assert [held_bytes([space]) for space in spaces] == [0, 40_000_000]
    make_room(hub, spaces[0], 20_000_000, "t.csv")  # 80 MB and the 40 of the one who left are too much
    assert [hub.find(space.token) is not None for space in spaces] == [True, False]


def test_those_whom_nobody_looks_at_are_forgotten_for_others_the_oldest_first(hub, clock, monkeypatch):
    monkeypatch.setenv(VARIABLE, "100")
    old, newer, looked_at = full(hub, clock, 30), full(hub, clock, 30), full(hub, clock, 30, attached=True)
    asks = hub.open()
    make_room(hub, asks, 2_000_000, "t.csv")
    assert hub.find(old.token) is old
    make_room(hub, asks, 9_000_000, "t.csv")
    assert [hub.find(space.token) is not None for space in (old, newer, looked_at, asks)] == [False, True, True, True]


def test_what_is_too_much_is_refused_with_what_there_is_room_for(hub, clock, monkeypatch):
    monkeypatch.setenv(VARIABLE, "100")
    full(hub, clock, 80, attached=True)
    asks = hub.open()
    with pytest.raises(DataError, match=r"t\.csv has 50 MB, .* leave room for a file of 5 MB\."):
        make_room(hub, asks, 50_000_000, "t.csv")
    make_room(hub, asks, 4_900_000, "t.csv")
    assert hub.find(asks.token) is asks  # who asks is not forgotten for himself


def test_a_tab_that_shows_its_page_of_comparisons_is_looked_at(hub, clock, monkeypatch):
    monkeypatch.setenv(VARIABLE, "100")
    space = full(hub, clock, 80)
    hub.open_second(space).attach_socket()
    with pytest.raises(DataError):
        make_room(hub, hub.open(), 50_000_000, "t.csv")
    assert hub.find(space.token) is space


def test_a_setting_that_is_no_number_is_passed_over(monkeypatch):
    usual = most_bytes()
    for words in ("", "much", "-5", "nan"):
        monkeypatch.setenv(VARIABLE, words)
        assert 1e6 <= most_bytes() <= usual


def test_forgotten_data_are_let_go_at_once_though_somebody_holds_the_workspace(hub):
    space, wine = hub.open(), load_dataset("wine")
    mine = replace(wine, X=wine.X.copy())
    space.document.keep_data("own:t", mine)
    trainings.show(space, mine)
    trainings.train(space, mine)
    (held,) = space.runs.values()
    assert held.run.wait_for(1, 30)
    end, data = held.run, weakref.ref(mine)
    recipe = space.document.recipe
    del mine, held
    gc.collect()
    gc.disable()  # nothing may hang on a cycle
    try:
        hub.shutdown()
        assert end.wait_for_end(30)
        assert space.shown.encoded() == b""
        assert space.shown.scene is None
        assert space.document.recipe == recipe
        del end
        assert data() is None
    finally:
        gc.enable()


def test_what_is_being_read_counts_though_nobody_knows_yet_what_it_takes(hub, clock, monkeypatch):
    monkeypatch.setenv(VARIABLE, "100")
    events, asks = [], hub.open()

    def bring_another():
        with room_for(hub, asks, 15_000_000, "second.csv"):  # 60 MB beside 60
            events.append("second is read")

    with room_for(hub, hub.open(), 15_000_000, "first.csv"):
        another = threading.Thread(target=bring_another, daemon=True)
        another.start()
        another.join(0.3)
        assert events == []
        events.append("first is read")
    another.join(10)
    assert events == ["first is read", "second is read"]


def test_who_waits_for_room_may_give_up(hub, monkeypatch):
    monkeypatch.setenv(VARIABLE, "100")
    with (
        room_for(hub, hub.open(), 15_000_000, "first.csv"),
        pytest.raises(GivenUp),
        room_for(hub, hub.open(), 15_000_000, "second.csv", lambda: True),
    ):
        raise AssertionError("there was no room")
