"""The store: parts are written whole or not at all, to their owner only, by one server at a time, and they expire."""

import os
import sqlite3
import stat
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from types import SimpleNamespace

import pytest
from sqlalchemy import event

from pages.server import saver as saver_module
from pages.server.saver import Saver
from pages.server.store import FILE, META, MOST_VARIABLE, VARIABLE, Store, StoreError, default_folder, store_of_settings
from pages.server.workspace import Hub
from study.link import to_link
from tests.waiting import until


@pytest.fixture
def server(address, clock):
    """A function that opens the store as another server does."""
    stores = []

    def start(**options):
        stores.append(Store(address, 1_800, clock=clock, **options))
        return stores[-1]

    yield start
    for store in stores:
        store.close()


def keys(store, owner="ann"):
    return [found.workspace for found in store.find(owner)]


def test_what_was_written_is_found_by_its_owner_only_and_by_the_same_scope(server):
    store = server()
    assert store.write("w", "ann", {META: b"m", "table": b"t" * 100_000, "gone": b"g"})
    assert store.write("w", "ann", {"table": b"u"}, gone=["gone"])
    other = server()
    (found,) = other.find("ann")
    assert (found.workspace, found.meta) == ("w", b"m")
    assert keys(other, "bob") == keys(server(scope="8502")) == []
    assert other.claim(found) == {META: b"m", "table": b"u"}


def test_only_the_server_that_claimed_a_workspace_last_writes_it(server):
    one, two = server(), server()
    one.write("w", "ann", {META: b"1", "p": b"1"})
    found = two.find("ann")[0]
    assert two.claim(found) is not None
    assert server().claim(found) is None  # another server was faster
    assert not one.write("w", "ann", {META: b"2", "p": b"2"})
    assert not one.write("w", "ann", {"p": b"2"}, gone=["p"])
    assert two.writers(["w", "unknown"]) == {"w": two.server}
    assert two.write("w", "ann", {"p": b"3"})
    assert server().claim(server().find("ann")[0]) == {META: b"1", "p": b"3"}


def test_a_write_that_fails_changes_nothing(server):
    store = server()
    store.write("w", "ann", {META: b"1", "p": b"1"})
    with pytest.raises((StoreError, TypeError, AttributeError)):
        store.write("w", "ann", {META: b"2", "p": b"2", "q": object()} | {"r": None})
    assert server().claim(server().find("ann")[0]) == {META: b"1", "p": b"1"}


def test_what_is_not_used_expires_and_what_is_used_does_not(server, clock):
    store = server()
    for name in ("used", "left"):
        store.write(name, "ann", {META: b"1", "p": b"1"})
    clock.now += 1_700
    store.touch(["used"])
    clock.now += 200
    assert keys(store) == ["used"]
    store.sweep()
    clock.now -= 200
    assert keys(store) == ["used"]
    assert store.writers(["left"]) == {}
    clock.now -= 86_400  # a clock that is set back
    store.sweep()
    assert keys(store) == ["used"]


def test_of_too_much_those_used_longest_ago_go(server, clock):
    store = server(most_bytes=2_500)
    for name in ("first", "second", "third"):
        store.write(name, "ann", {META: b"1", "p": b"x" * 1_000})
        clock.now += 10
    store.touch(["first"])
    store.sweep()
    assert keys(store) == ["first", "third"]


# -- SQLite's file


def no_room(connection):
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = "SQLITE_IOERR_WRITE"
    raise error


@pytest.mark.parametrize(
    ("fault", "free", "said"),
    [
        (lambda connection: connection.execute("PRAGMA max_page_count = 9"), 1e9, "The disk is full"),
        (lambda connection: connection.execute("PRAGMA query_only = ON"), 1e9, "The disk is read-only"),
        (no_room, 0, "The disk is full"),
        (no_room, 1e9, "The disk cannot be read or written"),
    ],
)
def test_what_a_disk_does_not_take_is_a_sentence_and_changes_nothing(tmp_path, monkeypatch, fault, free, said):
    store = Store(str(tmp_path), 1_800)
    store.write("w", "ann", {META: b"1"})
    event.listen(store._engine, "connect", lambda connection, _: fault(connection))
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    with pytest.raises(StoreError, match=said):
        store.write("w", "ann", {META: b"2", "table": b"x" * 200_000})
    assert Store(str(tmp_path), 1_800).find("ann")[0].meta == b"1"


def test_the_file_is_the_user_s_alone_and_holds_neither_cookies_nor_tokens(tmp_path):
    store = Store(str(tmp_path / "a" / "store"), 1_800)
    store.write("w", "a-cookie-of-ann", {META: b"1", "table": os.urandom(1_000_000)})
    folder = tmp_path / "a" / "store"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
    assert not any(b"a-cookie" in path.read_bytes() for path in folder.iterdir())
    Store(str(folder), 1_800, most_bytes=0).sweep()
    assert (folder / FILE).stat().st_size < 100_000
    assert keys(Store(str(folder), 1_800), "a-cookie-of-ann") == []


def tree(folder):
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("strange", ["photo.jpg", ".bashrc"])
def test_a_folder_that_holds_anything_else_is_refused_and_left_alone(tmp_path, strange):
    (tmp_path / "lost+found").mkdir()
    (tmp_path / strange).write_bytes(b"not ours")
    before = tree(tmp_path)
    with pytest.raises(ValueError, match="also holds other files") as refused:
        Store(str(tmp_path), 1_800)
    assert f"{tmp_path} also holds {strange}." in str(refused.value.__cause__)  # for the log alone
    assert str(tmp_path) not in str(refused.value)
    assert tree(tmp_path) == before
    (tmp_path / strange).unlink()
    store = Store(str(tmp_path), 1_800)
    store.write("w", "ann", {META: b"1"})


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path):
    (tmp_path / FILE).write_bytes(b"The notes of somebody.\n" * 400)
    before = tree(tmp_path)
    with pytest.raises(ValueError, match="is no database"):
        Store(str(tmp_path), 1_800)
    assert tree(tmp_path) == before
    with pytest.raises(ValueError, match="is a file"):
        Store(str(tmp_path / FILE), 1_800)


@pytest.mark.parametrize("instead", ["nothing", "an empty folder"])
def test_a_file_that_goes_is_noticed_and_nothing_is_written_in_its_place(tmp_path, instead):
    folder, aside = tmp_path / "store", tmp_path / "aside"
    store = Store(str(folder), 1_800)
    store.write("w", "ann", {META: b"1"})
    folder.rename(aside)
    if instead != "nothing":
        folder.mkdir()
    before = tree(tmp_path)
    for use in (lambda: store.write("w", "ann", {META: b"2"}), store.sweep, lambda: store.find("ann")):
        with pytest.raises(StoreError, match="The database file cannot be opened"):
            use()
    assert tree(tmp_path) == before
    if instead != "nothing":
        folder.rmdir()
    aside.rename(folder)
    assert store.write("w", "ann", {META: b"2"})
    assert store.find("ann")[0].meta == b"2"


def test_servers_that_start_at_once_open_one_file_and_one_claims_a_workspace(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(lambda _: Store(str(tmp_path / "store"), 1_800), range(8)))
        for k, store in enumerate(stores):
            assert store.write(f"w{k}", "ann", {META: b"1"})
        assert len(keys(stores[0])) == 8
        found = stores[0].find("ann")[0]
        claimed = list(pool.map(lambda store: store.claim(found), stores))
    assert len([each for each in claimed if each is not None]) == 1
    assert os.listdir(tmp_path) == ["store"]


@pytest.mark.postgres
def test_a_database_that_cannot_be_reached_is_told_without_its_address(postgres):
    with pytest.raises(StoreError, match=r"^The database cannot be used now$"):
        Store(postgres.replace("postgres@127.0.0.1:", "postgres@127.0.0.1:1"), 1_800)
    Store(postgres, 1_800).close()  # which can be reached


# -- settings


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.delenv(VARIABLE, raising=False)
    return tmp_path / "home"


@pytest.fixture
def at_port():
    """A function that starts a server under a port, without its thread; (hub, saver)."""
    hubs = []

    def start(port):
        hubs.append(Hub())
        saver = Saver(hubs[-1])
        saver._store = store_of_settings(1_800, port)
        return hubs[-1], saver

    yield start
    for hub in hubs:
        hub.shutdown()


def test_work_is_saved_in_a_private_folder_where_each_port_has_its_own(at_port, home):
    hub, saver = at_port(8501)
    link = to_link(hub.open("ann").document.recipe)
    saver.save_all()
    assert (home / ".local" / "state" / "nca-explorer" / FILE).stat().st_mode & 0o777 == 0o600
    hub2, other = at_port(8502)  # the same browser sends it the same cookie
    assert not other.keeps("ann")
    assert other.restore("ann", link, "b") is None
    hub2.open("ann")
    other.save_all(touch=True)
    assert at_port(8501)[1].restore("ann", link, "c") is not None


@pytest.mark.parametrize("said", ["off", " OFF ", ""])
def test_one_setting_turns_it_off_and_a_database_needs_its_driver(monkeypatch, home, said, caplog):
    monkeypatch.setenv(VARIABLE, said)
    assert store_of_settings(1_800, 8501) is None
    assert not home.exists()
    assert not [each for each in caplog.records if each.name == store_of_settings.__module__]
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.setenv(VARIABLE, "postgresql://127.0.0.1/nca")
    with pytest.raises(ImportError, match="NCA_EXPLORER_STORE needs psycopg: pip install"):
        store_of_settings(1_800, 8501)


def test_the_default_folder_is_one_of_states_and_costs_one_sentence_where_it_cannot_be_written(
    monkeypatch, tmp_path, home, caplog
):
    """A relative one counts as none, as the XDG specification asks; else data would lie wherever the server started."""
    for states, parent in (("states", home / ".local" / "state"), (str(home / "states"), home / "states")):
        monkeypatch.setenv("XDG_STATE_HOME", states)
        assert default_folder() == parent / "nca-explorer"
    monkeypatch.delenv("XDG_STATE_HOME")
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    assert store_of_settings(1_800, 8501) is None
    (line,) = [each.getMessage() for each in caplog.records]
    assert line.startswith(f"Work is not saved: {tmp_path}/file/.local/state/nca-explorer cannot be used")


@pytest.mark.parametrize(
    ("variable", "said", "why"),
    [
        (VARIABLE, "s3://bucket/nca", "NCA_EXPLORER_STORE takes a folder or a postgresql:// address"),
        pytest.param(
            *(VARIABLE, "postgresql://nca-explorer.invalid/nca", "The database cannot be used now"),
            marks=pytest.mark.skipif(find_spec("psycopg") is None, reason="psycopg is not installed."),
        ),
        (MOST_VARIABLE, "much", "could not convert string"),
    ],
)
def test_a_store_that_cannot_be_used_is_said_on_the_page_and_once_in_the_log(
    monkeypatch, tmp_path, caplog, variable, said, why
):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "here"))
    monkeypatch.setenv(variable, said)
    monkeypatch.setattr(saver_module, "SECONDS", 0.01)
    saver = Saver(Hub())
    saver.start(lambda: store_of_settings(1_800, 8501))
    assert saver.problem.startswith(why)
    time.sleep(0.2)
    (record,) = [each for each in caplog.records if each.name == saver_module.__name__]
    assert record.getMessage().startswith("Saved work cannot be opened: ")
    assert record.exc_info is None
    monkeypatch.setenv(VARIABLE, str(tmp_path / "here"))  # as when a network is back
    monkeypatch.setenv(MOST_VARIABLE, "100")
    until(lambda: saver.problem == "")
    assert saver._store is not None
    saver.close()
