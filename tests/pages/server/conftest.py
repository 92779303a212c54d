"""What the tests of the live socket begin with."""

from __future__ import annotations

import time
from collections import OrderedDict

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pages.server import live, repeated_faults
from pages.server.hub import HUB, Hub
from pages.server.routes import routes
from pages.server.saver import Saver
from pages.server.store import Store
from tests.pages.server.live_socket import scene_with


@pytest.fixture(autouse=True)
def nothing_logged_yet(monkeypatch):
    """What another test has put into the log is no repetition here."""
    monkeypatch.setattr(repeated_faults._ONCE, "_told", OrderedDict())


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


@pytest.fixture
def started(tmp_path):
    """A function that starts a server on the same store, without its thread; (hub, saver)."""
    hubs = []

    def start():
        hubs.append(Hub(reap=False))
        saver = Saver(hubs[-1])
        saver._store = Store(str(tmp_path / "store"), 1_800)
        return hubs[-1], saver

    yield start
    for hub in hubs:
        hub.shutdown()
