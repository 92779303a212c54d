"""The stage's routes by Starlette's test client: who gets in, what comes, and what a run that ended still gives."""

from __future__ import annotations

import json

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from nca_core.gate import Gate
from nca_core.run import TrainingRun
from nca_core.training import TrainingConfig
from pages.stage.hub import HUB
from pages.stage.routes import FOREIGN, ROUTES, UNKNOWN, module_version
from tests.nca_core import textbook
from tests.pages.stage.test_wire import make_scene


@pytest.fixture
def client():
    with TestClient(Starlette(routes=ROUTES)) as made:
        yield made


@pytest.fixture
def space():
    made = HUB.open()
    made.set_scene(make_scene())
    yield made
    made.set_run(None)


def finished_run():
    X, y = textbook.blobs(n=40)
    run = TrainingRun(X, y, TrainingConfig(max_iter=8), gate=Gate())
    run.start()
    assert run.wait_for_end(30)
    return run


def iterations(message):
    count, d, D = (int(v) for v in np.frombuffer(message, "<f8", 3))
    stride = (88 + 8 * -(-d * D // 2)) // 8
    return list(np.frombuffer(message, "<f8")[3::stride][:count].astype(int))


def test_a_run_that_ended_still_gives_its_whole_history(client, space):
    run = finished_run()
    space.set_run(run)
    with client.websocket_connect(f"/nca/{space.token}/live") as socket:
        assert iterations(socket.receive_bytes()) == list(range(len(run.trajectory.snapshots)))
        socket.send_text("ack")
        state = json.loads(socket.receive_text())
    assert state["state"] == "ended"
    assert state["reason"] == run.ended_reason


def test_a_client_that_comes_back_gets_only_what_it_has_not(client, space):
    space.set_run(finished_run())
    with client.websocket_connect(f"/nca/{space.token}/live?after=5") as socket:
        assert iterations(socket.receive_bytes())[0] == 5


@pytest.mark.parametrize("after", ["x", "-3", ""])
def test_a_senseless_number_begins_at_the_beginning(client, space, after):
    space.set_run(finished_run())
    with client.websocket_connect(f"/nca/{space.token}/live?after={after}") as socket:
        assert iterations(socket.receive_bytes())[0] == 0


def test_a_live_run_is_told_as_it_goes(client, space):
    X, y = textbook.blobs(n=40)
    run = TrainingRun(X, y, TrainingConfig(max_iter=500, tol=1e-15), min_interval=0.02, gate=Gate())
    space.set_run(run)
    with client.websocket_connect(f"/nca/{space.token}/live") as socket:
        assert json.loads(socket.receive_text())["state"] == "ready"
        run.start()
        seen = []
        while len(seen) < 5:
            message = socket.receive()
            if message.get("bytes"):
                seen += iterations(message["bytes"])
                socket.send_text("ack")
        assert seen == list(range(len(seen)))
        run.stop()


def test_no_more_than_three_messages_wait_for_an_answer(client, space):
    X, y = textbook.blobs(n=40)
    run = TrainingRun(X, y, TrainingConfig(max_iter=500, tol=1e-15), min_interval=0.1, gate=Gate())
    space.set_run(run)
    run.start()
    with client.websocket_connect(f"/nca/{space.token}/live") as socket:
        got = 0
        while got < 3:
            got += "bytes" in socket.receive()
        assert run.wait_for(12, 60)
        socket.send_text("ack")
        batch = []
        while not batch:
            message = socket.receive()
            if "bytes" in message:
                batch = iterations(message["bytes"])
        assert len(batch) > 3
    run.stop()


def test_a_wrong_token_is_turned_away(client):
    with client.websocket_connect("/nca/wrong/live") as socket, pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_text()
    assert closed.value.code == UNKNOWN
    assert client.get("/nca/wrong/scene/1").status_code == 404


def test_a_page_of_another_site_is_turned_away(client, space):
    headers = {"origin": "http://evil.example"}
    with (
        client.websocket_connect(f"/nca/{space.token}/live", headers=headers) as socket,
        pytest.raises(WebSocketDisconnect) as closed,
    ):
        socket.receive_text()
    assert closed.value.code == FOREIGN


def test_the_own_page_is_let_in(client, space):
    with client.websocket_connect(f"/nca/{space.token}/live", headers={"origin": "http://testserver"}) as socket:
        assert json.loads(socket.receive_text())["state"] == "none"


def test_a_socket_attaches_and_leaves(client, space):
    assert not space.attached
    with client.websocket_connect(f"/nca/{space.token}/live") as socket:
        socket.receive_text()
        assert space.attached
    assert not space.attached


def test_another_run_closes_the_socket_of_the_old_one(client, space):
    space.set_run(finished_run())
    with client.websocket_connect(f"/nca/{space.token}/live") as socket:
        socket.receive_bytes()
        socket.send_text("ack")
        space.set_run(None)
        message = socket.receive()
        while message["type"] != "websocket.close":
            message = socket.receive()
    assert message["reason"] == "replaced"


def test_scene_and_module_files(client, space):
    assert client.get(f"/nca/{space.token}/scene/1").content == space.scene_payload()
    module = client.get(f"/nca/module/{module_version()}/stage.js")
    assert module.headers["content-type"].startswith("text/javascript")
    assert "immutable" in module.headers["cache-control"]
    assert client.get("/nca/module/old/stage.js").headers["cache-control"] == "no-store"
    for name in ("nothing.js", "../hub.py", "%2e%2e%2fhub.py", "hub.py"):
        assert client.get(f"/nca/module/1/{name}").status_code == 404
