"""A tab that another server went on with finds there, back at the first one, what it has become; no work is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pages.server import saver, session
from pages.server.attention import HUNG, Attention
from pages.server.hub import Hub
from pages.server.saver import Saver
from pages.server.store import Store
from study.link import to_link


class Clock:
    now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


class Server:
    """One with a hub and a saver of its own."""

    def __init__(self, folder, clock):
        self.hub = Hub(clock, reap=False)
        self.saver = Saver(self.hub)
        self.saver._store = Store(str(folder), 1_800, clock=clock)

    def opens(self, monkeypatch, link, session_id="new", lives=lambda: True, of_lessons=False):
        """What a new session finds here."""
        monkeypatch.setattr(session, "HUB", self.hub)
        monkeypatch.setattr(session, "SAVER", self.saver)
        return session.found("ann", link, session_id, lives, of_lessons)


@pytest.fixture
def servers(tmp_path, clock):
    made = [Server(tmp_path / "store", clock) for _ in range(2)]
    yield made
    for server in made:
        server.hub.shutdown()


@pytest.fixture
def one(servers):
    return servers[0]


@pytest.fixture
def two(servers):
    return servers[1]


class Tab:
    """A session, which ends where its line is cut."""

    def __init__(self):
        self.there = True

    def lives(self):
        return self.there


def worked_with(space, n_components):
    own = space.belongings
    own.change(replace(own.recipe, n_components=n_components))
    return to_link(own.recipe)


def seconds_pass(clock, space, seconds):
    """With the look that the hub takes every second."""
    for _ in range(seconds):
        clock.now += 1
        space.look_after()


@pytest.fixture
def at_one(one, monkeypatch, clock):
    """(workspace, the tab that shows it, its address) at the first server."""
    tab = Tab()
    space = one.opens(monkeypatch, {}, "first", tab.lives)
    link = worked_with(space, 3)
    seconds_pass(clock, space, 20)
    one.saver.save_all()
    return space, tab, link


def goes_on_at(server, monkeypatch, link, session_id="second"):
    """The tab at another server, where something is changed; (workspace, tab, address)."""
    tab = Tab()
    space = server.opens(monkeypatch, link, session_id, tab.lives)
    there = worked_with(space, 2)
    server.saver.save_all()
    return space, tab, there


@pytest.mark.parametrize("first_of_all", ["the line is cut", "the store is written", "what was pressed is done"])
def test_after_a_hang_the_tab_finds_what_the_other_server_has(one, two, at_one, clock, monkeypatch, first_of_all):
    space, tab, link = at_one
    clock.now += 30  # it hangs
    _, other_tab, there = goes_on_at(two, monkeypatch, link)
    clock.now += 30
    if first_of_all == "what was pressed is done":
        space.attach_session("first", tab.lives)
    elif first_of_all == "the store is written":
        one.saver.save_all()
        space.look_after()
    tab.there = other_tab.there = False
    clock.now += 3
    back = one.opens(monkeypatch, there)
    assert back is not space
    assert to_link(back.belongings.recipe) == there
    assert len(back.belongings.past) == 2
    assert one.hub.firsts() == [back]  # the old state is forgotten
    one.saver.save_all()
    assert len(one.saver._store.metas("ann")) == 1


def test_a_tab_that_hops_again_finds_the_newest_at_each_server(one, two, at_one, clock, monkeypatch):
    _, tab, link = at_one
    for server in (two, one, two, one):
        tab.there = False
        clock.now += 60
        tab = Tab()
        space = server.opens(monkeypatch, link, str(clock.now), tab.lives)
        assert to_link(space.belongings.recipe) == link
        link = worked_with(space, 5 - space.belongings.recipe.n_components)
        seconds_pass(clock, space, 3)
        server.saver.save_all()


def test_a_tab_that_was_looked_at_meanwhile_keeps_its_work(one, two, at_one, clock, monkeypatch):
    space, tab, link = at_one
    goes_on_at(two, monkeypatch, link)  # another tab; each has a copy
    seconds_pass(clock, space, 20)  # a training goes on here
    tab.there = False  # loaded anew
    assert one.opens(monkeypatch, link) is space


def test_a_tab_that_worked_on_after_the_hang_keeps_its_work(one, two, at_one, clock, monkeypatch):
    space, tab, link = at_one
    clock.now += 30  # it hangs
    goes_on_at(two, monkeypatch, link)
    seconds_pass(clock, space, 20)
    space.attach_session("first", tab.lives)
    tab.there = False
    assert one.opens(monkeypatch, link) is space


def test_a_reload_where_no_other_server_was_keeps_the_workspace(one, at_one, clock, monkeypatch):
    space, tab, link = at_one
    tab.there = False
    clock.now += 60
    assert one.opens(monkeypatch, link) is space


def test_a_workspace_stays_where_the_store_is_gone(one, two, at_one, clock, monkeypatch, tmp_path):
    space, tab, link = at_one
    clock.now += 30
    goes_on_at(two, monkeypatch, link)
    (tmp_path / "store").rename(tmp_path / "unmounted")
    tab.there = False
    assert one.opens(monkeypatch, link) is space


def test_a_workspace_stays_where_the_address_is_of_nothing_that_the_other_server_has(
    one, two, at_one, clock, monkeypatch
):
    space, tab, link = at_one
    clock.now += 30
    goes_on_at(two, monkeypatch, link)
    tab.there = False
    one.opens(monkeypatch, {**link, "held_out": "0.1"})
    assert space in one.hub.firsts()


def test_a_workspace_stays_where_what_the_other_server_has_cannot_be_read(one, two, at_one, clock, monkeypatch):
    space, tab, link = at_one
    clock.now += 30
    _, _, there = goes_on_at(two, monkeypatch, link)
    tab.there = False
    monkeypatch.setattr(saver, "take_back", None)
    one.opens(monkeypatch, there)
    assert space in one.hub.firsts()
    assert one.opens(monkeypatch, link) is space


def test_lessons_come_from_the_other_server_too(one, two, at_one, clock, monkeypatch):
    space, tab, _ = at_one
    one.hub.open_lessons(space)
    one.saver.save_all()
    clock.now += 30
    there = two.opens(monkeypatch, {}, of_lessons=True)
    worked_with(there.lessons, 3)
    two.saver.save_all()
    tab.there = False
    back = one.opens(monkeypatch, {}, of_lessons=True)
    assert back.lessons.belongings.recipe.n_components == 3


def test_attention(clock):
    attention = Attention(clock)
    for _ in range(5):
        clock.now += 1
        attention.is_given()
    assert not attention.was_elsewhere(2)
    clock.now += 60
    assert attention.was_elsewhere(30)
    assert not attention.was_elsewhere(62)
    attention.is_asked()
    assert attention.was_elsewhere(30)
    clock.now += HUNG
    assert attention.was_elsewhere(40)
    attention.is_given()
    clock.now += 1
    attention.is_asked()
    assert not attention.was_elsewhere(40)
