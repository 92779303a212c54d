"""What the tests of the live socket begin with."""

from __future__ import annotations

import time

import pytest
from sqlalchemy import create_engine
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pages.server import live
from pages.server.routes import routes
from pages.server.saver import Saver
from pages.server.store import Store, _metadata
from pages.server.workspace import HUB, Hub
from tests.pages.server.live_socket import scene_with
from tests.pages.server.postgres import postgres_server


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
    made.forget()


@pytest.fixture(scope="session")
def postgres():
    """The address of a PostgreSQL that was started for the tests."""
    with postgres_server() as address:
        yield address


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
        hubs.append(Hub(reap=False))
        saver = Saver(hubs[-1])
        saver._store = Store(address, options.pop("seconds", 1_800), **options)
        stores.append(saver._store)
        return hubs[-1], saver

    yield start
    for hub in hubs:
        hub.shutdown()
    for store in stores:
        store.close()
