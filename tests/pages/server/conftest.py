"""What the tests of the live socket begin with."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pages.server import routes as live
from pages.server.routes import routes
from pages.server.saver import Saver
from pages.server.store import Store, _metadata
from pages.server.workspace import HUB, Hub
from tests.pages.server.live_socket import scene_with


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def hub(clock):
    made = Hub(clock)
    yield made
    made.shutdown()


@pytest.fixture
def live_client(monkeypatch):
    """The routes' client. Whoever waits to be called, and is not, waits for long; each test must be quicker."""
    monkeypatch.setattr(live, "_AGAIN", 20.0)
    began = time.monotonic()
    with TestClient(Starlette(routes=routes())) as made:
        yield made
    assert time.monotonic() - began < 15


@pytest.fixture
def live_space():
    """A workspace with PCA and one panel that trains."""
    made = HUB.open()
    made.set_scene(scene_with("nca"))
    yield made
    made.discard()


def _program(name):
    found = shutil.which(name) or next(iter(sorted(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")))), None)
    if found is None:
        raise RuntimeError(f"There is no {name}: install PostgreSQL.")
    return found


@pytest.fixture(scope="session")
def postgres():
    """The address of a PostgreSQL started for the tests, in a temporary folder."""
    user = {"user": "postgres"} if os.getuid() == 0 else {}  # it refuses to be started by root
    folder = Path(tempfile.mkdtemp())  # pytest's own folders are root's alone
    if user:
        shutil.chown(folder, "postgres")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(*words):
        # Not captured: the server goes on writing there.
        subprocess.run(words, check=True, cwd="/tmp", stdout=subprocess.DEVNULL, timeout=60, **user)

    data = str(folder / "data")
    run(_program("initdb"), "-A", "trust", "-U", "postgres", "-D", data)
    control = _program("pg_ctl")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
    run(control, "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
    finally:
        run(control, "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def address(request, tmp_path):
    """The address of an empty store."""
    if request.param == "sqlite":
        return str(tmp_path / "store")
    there = request.getfixturevalue("postgres")
    engine = create_engine(there.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        _metadata.drop_all(connection)
    engine.dispose()
    return there


@pytest.fixture
def started(address):
    """A function that starts a server on the same store, without its thread; (hub, saver)."""
    hubs, stores = [], []

    def start(**options):
        hubs.append(Hub())
        saver = Saver(hubs[-1])
        saver._store = Store(address, 1_800, **options)
        stores.append(saver._store)
        return hubs[-1], saver

    yield start
    for hub in hubs:
        hub.shutdown()
    for store in stores:
        store.close()
