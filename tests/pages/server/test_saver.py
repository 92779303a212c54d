"""The saver: nothing is lost by a restart, a store that fails or a server that hangs; only what changed is written."""

import logging
from dataclasses import replace

import numpy as np
import pytest

from datasets.catalogue import load_dataset
from datasets.proposals import Choices
from datasets.reading import ReadOptions
from pages.server import session, trainings
from pages.server.document import SavedRun, Upload
from pages.server.records import rows_id
from pages.server.store import META, StoreError
from pages.server.trainings import restore_runs
from study.link import to_link


def working(hub, rows=120):
    """Ann's workspace with a table of her own, trained for a while and held."""
    space, wine = hub.open("ann"), load_dataset("wine")
    mine = replace(wine, name="mine", X=wine.X[:rows].copy(), y=wine.y[:rows], row_numbers=wine.row_numbers[:rows])
    own = space.document
    own.keep_data("own:mine.csv", mine)
    own.change(replace(own.recipe, data=own.data_recipe("own:mine.csv"), pace="normal"))
    trainings.show(space, mine)
    trainings.train(space, mine)
    held = space.runs["nca"].run
    assert held.wait_for(4, 60)
    held.pause()
    return space


def written(monkeypatch, saver):
    """Owner and parts of each write from now on."""
    looks, write = [], saver._store.write

    def noted(key, owner, changed, gone):
        looks.append((owner, set(changed)))
        return write(key, owner, changed, gone)

    monkeypatch.setattr(saver._store, "write", noted)
    return looks


def test_table_settings_and_training_are_restored_and_the_training_continues(started):
    hub, saver = started()
    space = working(hub)
    saver.save_all()
    before = space.runs["nca"].run.snapshots_since(0)
    _, saver2 = started()  # the first server was killed
    link = to_link(space.document.recipe)
    assert [saver2.keeps(owner) for owner in ("ann", "bob", "")] == [True, False, False]
    for owner, address in (("bob", link), ("", link), ("ann", {**link, "held_out": "0.1"})):
        assert saver2.restore(owner, address, "b") is None
    again = saver2.restore("ann", link, "a")
    assert saver2.restore("ann", link, "c") is None  # it is here already
    assert not saver2.keeps("ann")
    own, mine = again.document, again.document.own_data["own:mine.csv"]
    assert own.recipe == space.document.recipe
    assert np.array_equal(mine.X, space.document.own_data["own:mine.csv"].X)
    assert own.content("own:mine.csv") == own.recipe.data.content
    assert restore_runs(again, trainings.show(again, mine)).endswith(f"NCA {before[-1].iteration}.")
    trainings.show(again, mine)
    run = again.runs["nca"].run
    back = run.snapshots_since(0)
    assert run.state == "paused"
    for name in ("iteration", "objective", "mean_p", "k_mean_entropy", "seconds", "summation"):
        assert [getattr(each, name) for each in back] == [getattr(each, name) for each in before]
    assert all(np.array_equal(a.transformation, b.transformation) for a, b in zip(back, before, strict=True))
    run.min_interval = 0.0
    run.resume()
    assert run.wait_for(len(before) + 2, 60)
    later = run.snapshots_since(len(before) - 1)
    assert [each.iteration for each in later[:3]] == [before[-1].iteration + k for k in range(3)]
    assert later[1].objective >= later[0].objective
    assert later[1].seconds >= later[0].seconds


def test_only_news_are_written_and_an_ended_training_comes_back_as_it_ended(started, monkeypatch):
    hub, saver = started()
    space = working(hub)
    looks = written(monkeypatch, saver)
    saver.save_all()
    saver.save_all()
    run = space.runs["nca"].run
    done = len(run.snapshots_since(0))
    run.min_interval = 0.0
    run.resume()
    assert run.wait_for_end(60)
    saver.save_all()
    (_, first), (_, last) = looks
    assert first == {META, "table own:mine.csv", "run first 1 000000"}
    assert last == {META, f"run first 1 {done:06d}"}
    again = started()[1].restore("ann", to_link(space.document.recipe), "a")
    restore_runs(again, trainings.show(again, again.document.own_data["own:mine.csv"]))
    back = again.runs["nca"].run
    assert (back.state, back.ended, back.ended_reason) == ("ended", run.ended, run.ended_reason)
    assert len(back.snapshots_since(0)) == len(run.snapshots_since(0))
    trainings.reset(space)
    saver.save_all()  # another server writes it by now
    assert len(looks) == 2


def test_a_restored_workspace_is_the_same_one_and_what_is_gone_is_deleted(started):
    hub, saver = started()
    space = working(hub)
    saver.save_all()
    _, saver2 = started()
    again = saver2.restore("ann", to_link(space.document.recipe), "a")
    saver2.save_all()
    (found,) = saver2._store.find("ann")
    assert set(saver2._store.claim(found)) == {META, "table own:mine.csv", "run first nca"}
    trainings.reset(again)
    again.document.own_data.clear()
    saver2.save_all()
    assert set(saver2._store.claim(found)) == {META}


def test_the_file_and_what_was_said_about_it_come_back_to_be_looked_over(started, monkeypatch):
    hub, saver = started()
    own = working(hub).document
    said = {"options": ReadOptions(separator=";"), "choices": Choices(label="k")}
    own.upload = Upload("mine.csv", b"a;b;k\n" * 5_000, **said, key="own:mine.csv", image_shape=(2, 1))
    own.waiting_upload = replace(own.upload, filename="next.csv", data=b"another", key="", image_shape=None)
    saver.save_all()
    looks = written(monkeypatch, saver)
    own.upload = own.upload.with_choices(Choices(label="b", roles=(("a", "left_out"),)))
    saver.save_all()
    assert looks == [("ann", {META})]  # only what was said is written again
    back = started()[1].restore("ann", to_link(own.recipe), "a").document
    assert back.upload is None
    before, waiting = back.upload_before, back.waiting_upload
    for name in ("filename", "data", "options", "sheet", "choices", "image_shape", "key"):
        assert getattr(before, name) == getattr(own.upload, name)
    assert (waiting.filename, waiting.data, waiting.key) == ("next.csv", own.waiting_upload.data, "")
    own.waiting_upload, own.upload = None, Upload("mine.csv", b"a;b", error="It waits for an answer.")
    own.change(replace(own.recipe, n_components=3))
    hub2, saver2 = started()
    hub2.open("ann").document = own
    saver2.save_all()
    back = started()[1].restore("ann", to_link(own.recipe), "a").document
    assert back.upload_before is None
    assert back.waiting_upload.data == b"a;b"


def test_large_tables_wait_for_the_trainings_of_others(started, monkeypatch):
    hub, saver = started()
    for name in ("ann", "bea", "cid"):
        space = hub.open(name)
        if name != "bea":
            space.document.keep_data("own:mine.csv", load_dataset("wine"))
    looks = written(monkeypatch, saver)
    saver.save_all()
    order = [owner for owner, _ in looks]
    assert order[0] == "bea"
    assert sorted(order) == ["ann", "bea", "cid"]


def test_the_changes_that_had_not_reached_the_address_do_not_hide_a_workspace(started):
    hub, saver = started()
    own = hub.open("ann").document
    link = to_link(own.recipe)
    for random_state in (5, 6, 7):
        own.change(replace(own.recipe, preparation=replace(own.recipe.preparation, random_state=random_state)))
    saver.save_all()
    back = started()[1].restore("ann", link, "a")
    assert back.document.recipe == own.recipe


def test_a_read_that_fails_leaves_nothing_half_read_and_another_version_s_is_passed_over(started, monkeypatch):
    hub, saver = started()
    space = working(hub)
    saver.save_all()
    link = to_link(space.document.recipe)
    hub2, saver2 = started()
    claim = saver2._store.claim
    monkeypatch.setattr(saver2._store, "claim", lambda found: {**claim(found), "table own:mine.csv": b"torn"})
    assert saver2.restore("ann", link, "a") is None
    assert hub2.of("ann") == []
    monkeypatch.undo()
    assert saver2.restore("ann", link, "a").document.saved_runs["nca"].snapshots  # the next reload
    saver2._store.write("old", "ann", {META: b"of a version before"})
    assert started()[1].restore("ann", link, "a") is not None


def test_a_training_that_no_longer_fits_is_named(started):
    space = working(started()[0])
    own, mine = space.document, space.document.own_data["own:mine.csv"]
    before, panel = space.runs["nca"], replace(own.recipe.panel("nca"), title="Mine")
    run = SavedRun(panel, tuple(space.runs["nca"].run.snapshots_since(0)), rows_id(own, own.comparison))
    said = "The server restarted. These no longer fit the panels and the data, so train them again: Mine."
    for n_components, start in ((3, panel.start), (2, "gone@1")):  # the saved views have two axes
        own.recipe, own.comparison = replace(own.recipe, n_components=n_components), None
        own.saved_runs = {"nca": replace(run, panel=replace(panel, start=start))}
        assert restore_runs(space, trainings.show(space, mine)) == said
        assert space.runs.get("nca") in (before, None)  # nothing was put in its place


def test_what_is_looked_at_for_hours_without_a_change_does_not_expire(started):
    class Ending:
        """Time passes ten times as fast as the thread believes, which looks fewer times."""

        now = 1_000_000.0

        def wait(self, seconds):
            self.now += 10 * seconds
            there.append(len(saver._store.find("ann")))
            return self.now > 1_003_600

    ending, there = Ending(), []
    hub, saver = started(clock=lambda: ending.now)
    hub.open("ann").attach_session("s")
    saver._ending = ending
    saver._watch()
    assert len(there) > 100
    assert set(there[2:]) == {1}
    hub.tabs()[0].release_session("s")
    ending.now += 1_801
    saver.save_all(touch=True)
    assert not saver._store.find("ann")


# -- two servers


@pytest.fixture
def opens(monkeypatch):
    """A function that opens a page at a server; (workspace, tab, which lives until it is cleared)."""

    def at(server, link, of_lessons=False):
        monkeypatch.setattr(session, "HUB", server[0])
        monkeypatch.setattr(session, "SAVER", server[1])
        tab = ["open"]
        return session.found("ann", link, str(id(tab)), lambda: bool(tab), of_lessons), tab

    return at


def worked_with(space):
    """Change something; gives the address."""
    own = space.document
    own.change(replace(own.recipe, n_components=5 - own.recipe.n_components))
    return to_link(own.recipe)


def test_a_tab_that_hops_finds_the_newest_at_each_server(started, opens):
    servers = [started(), started()]
    link = {}
    for k in range(5):
        space, tab = opens(servers[k % 2], link)
        assert not link or to_link(space.document.recipe) == link
        link = worked_with(space)
        servers[k % 2][1].save_all()
        tab.clear()
    assert len(servers[0][1]._store.find("ann")) == 1


def test_a_server_that_hung_forgets_what_another_one_has(started, opens):
    one, two = started(), started()
    space, tab = opens(one, {})
    link = worked_with(space)
    one[1].save_all()
    there, _ = opens(two, link)  # the first server hangs
    after = worked_with(there)
    two[1].save_all()
    worked_with(space)
    one[1].save_all()  # it does not know yet that its tab is gone
    assert one[0].tabs() == [space]
    tab.clear()
    one[1].save_all()
    assert one[0].tabs() == []
    assert to_link(opens(two, after)[0].document.recipe) == after


def test_two_tabs_at_two_servers_get_a_copy_each(started, opens):
    one, two = started(), started()
    space, _ = opens(one, {})
    link = worked_with(space)
    one[1].save_all()
    other, _ = opens(two, link)
    assert to_link(other.document.recipe) == link
    for _ in range(4):
        one[1].save_all()
        two[1].save_all()
    assert one[0].tabs() == [space]
    assert two[0].tabs() == [other]
    assert len(one[1]._store.find("ann")) == 2


# -- what fails


def test_a_store_that_cannot_be_written_is_said_and_logged_once_and_nothing_is_lost(started, monkeypatch, caplog):
    hub, saver = started()
    space = working(hub)

    def fails(*_, **__):
        raise StoreError("The disk is full")

    monkeypatch.setattr(saver._store, "write", fails)
    for _ in range(20):  # a minute of looks
        saver.save_all()
    assert saver.problem == "The disk is full"
    assert [each.getMessage() for each in caplog.records] == ["Saved work cannot be written: The disk is full"]
    assert caplog.records[0].exc_info is None
    monkeypatch.undo()
    saver.save_all()
    assert saver.problem == ""
    assert caplog.records[-1].levelno == logging.WARNING
    space.document.change(replace(space.document.recipe, n_components=3))
    caplog.clear()
    with monkeypatch.context() as faulty:
        faulty.setattr(saver._store, "write", lambda *_: 1 / 0)
        saver.save_all()
    assert saver.problem == "ZeroDivisionError"
    assert caplog.records[0].exc_info[0] is ZeroDivisionError  # an error of the program, with its place
    saver.save_all()
    assert started()[1].restore("ann", to_link(space.document.recipe), "a").document.own_data


def test_a_store_that_is_emptied_is_filled_again(started):
    hub, saver = started()
    space = working(hub)
    space.attach_session("s")
    saver.save_all()
    other = started()[1]._store
    other._most_bytes = 0
    other.sweep()
    for _ in range(3):
        saver.save_all()
    assert saver.problem == ""
    assert started()[1].restore("ann", to_link(space.document.recipe), "a").document.saved_runs["nca"].snapshots
