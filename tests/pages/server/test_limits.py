"""Limits: memory of tables, turns, and uploads."""

import asyncio
import gc
import secrets
import threading
import tracemalloc
import weakref
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow
import pytest
from starlette.requests import Request
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from datasets.base.errors import DataError
from datasets.catalogue import load_dataset
from datasets.reading import read_table
from pages.server import compat, limits, trainings
from pages.server.document import Upload
from pages.server.jobs import GivenUp, Turns
from pages.server.limits import AT_ONCE, VARIABLE, UploadsGuard, held_bytes, room_for, waiting_bytes
from pages.server.middleware import COOKIE
from pages.server.workspace import Hub
from study.panel import PanelRecipe
from tests.run_apart import run_apart
from tests.study.some_data import recipe_of
from tests.waiting import until


@pytest.fixture
def most(monkeypatch):
    """100 MB for all tables; a setting that is no number counts as none."""
    usual = limits.most_bytes()
    for words in ("", "much", "-5", "nan"):
        monkeypatch.setenv(VARIABLE, words)
        assert 1e6 <= limits.most_bytes() <= usual
    monkeypatch.setenv(VARIABLE, "100")


def make_room(*asked):
    """Room for a table that is read in no time."""
    with room_for(*asked):
        pass


def full(hub, clock, megabytes, attached=False):
    """A workspace with a table of about that size (the three arrays together)."""
    space, rows = hub.open(), int(megabytes * 125_000 / 3)
    arrays = {"X": np.ones((rows, 1)), "y": np.zeros(rows, np.int64), "row_numbers": np.arange(rows)}
    space.document.keep_data("own:t", replace(load_dataset("wine"), **arrays))
    if attached:
        space.attach_session("s")
    clock.now += 1
    return space


def opened_by_ann(hub, rows):
    """Two tabs with the same table, one of which shows other rows of it on a second page."""
    text = b"a,b,k\n" + b"".join(b"%.6f,%d,%c\n" % (k / 7, k, b"xyz"[k % 3]) for k in range(rows))
    rng, wine = np.random.default_rng(0), load_dataset("wine")
    mine = replace(wine, X=rng.normal(size=(rows, 13)), y=np.arange(rows) % 3, row_numbers=np.arange(rows))
    space = hub.open("ann")
    space.document.upload = Upload("t.csv", text, table=read_table(text, "t.csv"))
    space.document.failed_upload = Upload("u.csv", b"x" * 100 * rows)
    space.document.keep_data("own:t", mine)
    recipe = recipe_of(PanelRecipe("pca"), PanelRecipe("nca"))
    other_rows = replace(recipe, preparation=replace(recipe.preparation, random_state=7))
    for page, shown in ((space, recipe), (hub.open_second(space), other_rows), (hub.open("ann"), recipe)):
        page.document.recipe = shown
        trainings.show(page, mine)


def test_what_is_counted_is_what_is_held(hub):
    """Against the memory that Python and Arrow have allocated."""
    once = Hub()
    opened_by_ann(once, 15_000)  # loads and compiles
    once.shutdown()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0] + pyarrow.total_allocated_bytes()
    opened_by_ann(hub, 15_000)
    gc.collect()
    held = tracemalloc.get_traced_memory()[0] + pyarrow.total_allocated_bytes() - before
    tracemalloc.stop()
    assert held_bytes(hub.tabs()) == pytest.approx(held, rel=0.05)


def test_what_waits_counts_for_those_who_look_and_is_forgotten_with_those_who_left(hub, clock, most):
    spaces = [hub.open(), hub.open()]
    for space in spaces:
        space.document.waiting_upload = Upload("w.csv", b"x" * 40_000_000)
    spaces[0].attach_session("s")
    assert waiting_bytes(hub) == 40_000_000
    assert [held_bytes([space]) for space in spaces] == [0, 40_000_000]
    make_room(hub, spaces[0], 20_000_000, "t.csv")  # 80 MB and the 40 of the one who left are too much
    assert [hub.find(space.token) is not None for space in spaces] == [True, False]


def test_the_oldest_that_nobody_looks_at_is_forgotten_for_others_and_what_is_too_much_is_refused(hub, clock, most):
    old, newer, looked_at = full(hub, clock, 30), full(hub, clock, 30), full(hub, clock, 30, attached=True)
    asks = hub.open()
    make_room(hub, asks, 2_000_000, "t.csv")
    assert hub.find(old.token) is old
    make_room(hub, asks, 9_000_000, "t.csv")
    assert [hub.find(space.token) is not None for space in (old, newer, looked_at, asks)] == [False, True, True, True]
    hub.open_second(full(hub, clock, 50)).attach_socket()  # a tab that shows Compare is in use
    with pytest.raises(DataError, match=r"t\.csv has 50 MB, .* leave room for a file of 5 MB\."):
        make_room(hub, asks, 50_000_000, "t.csv")
    make_room(hub, asks, 4_900_000, "t.csv")
    assert hub.find(asks.token) is asks  # the one that needs room stays


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


def test_what_is_being_read_counts_though_nobody_knows_yet_what_it_takes(hub, clock, most):
    events, asks = [], hub.open()

    def bring_another():
        with room_for(hub, asks, 15_000_000, "second.csv"):  # 60 MB beside 60
            events.append("second is read")

    with room_for(hub, hub.open(), 15_000_000, "first.csv"):
        another = start(bring_another)
        another.join(0.3)
        assert events == []
        events.append("first is read")
    another.join(10)
    assert events == ["first is read", "second is read"]
    with room_for(hub, hub.open(), 15_000_000, "first.csv"), pytest.raises(GivenUp):
        make_room(hub, asks, 15_000_000, "second.csv", lambda: True)


def start(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_two_at_a_time_and_the_others_in_their_order():
    turns, inside, begun, go = Turns(2), [], [], threading.Event()
    most, places = [], {}

    def work(k):
        with turns.turn(waits=lambda place: places.setdefault(k, place)):
            begun.append(k)
            inside.append(k)
            most.append(len(inside))
            go.wait(10)
            inside.remove(k)

    for k in range(5):
        start(lambda k=k: work(k))
        until(lambda k=k: k in begun or k in places)
        if k == 2:
            with pytest.raises(GivenUp), turns.turn(given_up=lambda: True):
                pytest.fail("it was not its turn")
    assert begun == [0, 1]
    assert places == {2: 1, 3: 2, 4: 3}  # without the one that gave up
    go.set()
    until(lambda: sorted(begun) == [0, 1, 2, 3, 4] and not inside)
    assert max(most) == 2


OF_S = "/_stcore/upload_file/s/f"


def asks(path="", method="PUT", kind="http", size=b"1000", owner=None):
    """Each of another browser and session, where it is not said which."""
    new = secrets.token_urlsafe(32)
    headers = [(b"content-length", size), (b"cookie", f"{COOKIE}={owner or new}".encode())]
    path = path or f"/_stcore/upload_file/{new}/f"
    limits.bind_uploads(path.split("/")[-2], owner or new)
    return {"type": kind, "method": method, "path": path, "headers": headers}


def sending(piece, pause=0.0):
    """A browser that sends the same piece again and again."""

    async def receive():
        await asyncio.sleep(pause)
        return {"type": "http.request", "body": piece, "more_body": True}

    return receive


class Server:
    """Reads so many messages of each upload and answers 204; notes which began and when."""

    def __init__(self, reads=1):
        self.reads, self.began, self.statuses = reads, [], []

    async def __call__(self, scope, receive, send):
        self.began.append(asyncio.get_running_loop().time())
        for _ in range(self.reads):
            await receive()
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def send(self, message):
        if message["type"] == "http.response.start":
            self.statuses.append(message["status"])


@pytest.fixture
def files(monkeypatch):
    """Where Streamlit keeps what was uploaded."""
    manager = MemoryUploadedFileManager("/_stcore/upload_file")
    monkeypatch.setattr(compat.runtime, "exists", lambda: True)
    monkeypatch.setattr(compat.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=manager))
    return manager


def test_the_largest_session_loses_its_oldest_files(files, monkeypatch):
    def keep(session, names):
        for name in names:
            files.add_file(session, UploadedFileRec(name, f"{name}.csv", "text/csv", b"x" * 10))

    keep("s", "ab")
    keep("other", "abcde")
    monkeypatch.setattr(limits, "KEPT_BYTES", 65)

    async def app(scope, receive, send):
        keep("s", "n")

    run_apart(UploadsGuard(app)(asks(OF_S), None, None))
    assert {session: list(kept) for session, kept in files.file_storage.items()} == {"s": [*"abn"], "other": [*"cde"]}


@pytest.mark.parametrize("below", ["", "/tools/nca"])
def test_few_arrive_at_a_time_and_all_of_them_in_the_end(files, below):
    inside, most, done = 0, 0, []

    async def app(scope, receive, send):
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.01)
        inside -= 1
        done.append(scope)

    async def all_at_once():
        guard = UploadsGuard(app)
        scopes = [asks(f"{below}/_stcore/upload_file/{k}/f", size=b"2000000") for k in range(3 * AT_ONCE)]
        await asyncio.gather(*(guard(scope, None, None) for scope in scopes))

    run_apart(all_at_once())
    assert (most, len(done)) == (AT_ONCE, 3 * AT_ONCE)


@pytest.mark.parametrize(
    ("stalls", "goes_on"),
    [
        (lambda: [asks(size=b"2000000") for _ in range(AT_ONCE)], lambda: asks(size=b"20")),
        (lambda: [asks(OF_S, owner="a" * 43) for _ in range(10 * AT_ONCE)], asks),
    ],
    ids=["a small file beside large ones", "another session"],
)
def test_who_does_not_wait(files, stalls, goes_on):
    arrived, another = [], goes_on()

    async def app(scope, receive, send):
        arrived.append(scope)
        if scope is not another:
            await asyncio.sleep(60)

    async def beside_stalled_ones():
        guard = UploadsGuard(app)
        stalled = [asyncio.create_task(guard(scope, None, None)) for scope in stalls()]
        await asyncio.sleep(0.02)
        await asyncio.wait_for(guard(another, None, None), 5)
        for upload in stalled:
            upload.cancel()

    run_apart(beside_stalled_ones())
    assert len(arrived) == (AT_ONCE if len(stalls()) == AT_ONCE else 1) + 1  # a session has one turn


@pytest.mark.parametrize(
    ("piece", "longest", "status"),
    [(b"a", 900, 408), (b"a" * limits.LEAST, 900, 204), (b"a" * limits.LEAST, 0.1, 408)],
    ids=["trickles", "keeps the pace", "takes too long"],
)
def test_an_upload_must_keep_the_pace_and_end(files, monkeypatch, piece, longest, status):
    monkeypatch.setattr(limits, "PACE", 0.5)
    monkeypatch.setattr(limits, "LONGEST", longest)
    app = Server(reads=8)
    run_apart(asyncio.wait_for(UploadsGuard(app)(asks(), sending(piece, 0.1), app.send), 5))
    assert app.statuses == [status]

    async def gone():
        return {"type": "http.disconnect"}

    async def read(scope, receive, send):
        await Request(scope, receive).body()

    run_apart(UploadsGuard(read)(asks(), gone, None))  # a browser that leaves is no error


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_only_the_browser_of_a_session_may_upload_to_it(files, monkeypatch, method):
    app = Server(reads=0)
    own, foreign = asks(OF_S, method, owner="a" * 43), asks(method=method, owner="b" * 43)
    unknown = {**foreign, "path": "/_stcore/upload_file/nobody/f"}
    for scope in (own, {**foreign, "path": OF_S}, unknown):
        run_apart(UploadsGuard(app)(scope, sending(b"a"), app.send))
    assert app.statuses == [204, 403, 403]
    monkeypatch.setattr(limits, "MOST_SESSIONS", 2)
    for session in "abac":
        limits.bind_uploads(session, "owner")
    assert list(limits._owners) == ["a", "c"]


def test_while_many_wait_to_be_read_the_next_stays_in_its_browser(files, monkeypatch):
    monkeypatch.setattr(limits, "LOOK", 0.01)
    waiting, app = [limits.WAITING_BYTES + 1], Server()

    async def until_there_is_room():
        guard = UploadsGuard(app, waiting=lambda: waiting[0])
        upload = asyncio.create_task(guard(asks(), sending(b"a"), app.send))
        await asyncio.sleep(0.1)
        assert not app.began
        waiting[0] = 0
        monkeypatch.setattr(limits, "WAITING_BYTES", 10)  # the largest file arrives if nothing else waits
        await asyncio.wait_for(upload, 5)

    run_apart(until_there_is_room())
    assert app.began


@pytest.mark.parametrize("size", [b"50000000", b"", b"much"])
def test_uploads_under_way_count_before_they_have_arrived(files, monkeypatch, size):
    """An upload without a size counts as the largest."""
    monkeypatch.setattr(limits, "LOOK", 0.01)
    monkeypatch.setattr(limits, "_TAKEN_WITHIN", 0.1)
    app = Server()

    async def two_beside_what_waits():
        guard = UploadsGuard(app, waiting=lambda: 70e6)
        await asyncio.gather(*(guard(asks(size=size), sending(b"a"), app.send) for _ in range(2)))

    run_apart(two_beside_what_waits())
    first, second = app.began
    assert second - first >= 0.1  # also what has just come, until a page has taken it
