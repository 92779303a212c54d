"""The live socket while things change: states of runs, other runs and scenes, and browsers that do not keep up."""

from __future__ import annotations

import json

import pytest

from pages.server import live as live_module
from tests.pages.server.live_socket import (
    FakeRun,
    connect,
    decoded,
    endless_run,
    finished_run,
    next_batch,
    next_state,
    scene_with,
)
from tests.stage.test_wire import make_snapshot


def test_another_scene_closes_the_socket_at_once(live_client, live_space):
    live_space.set_run("nca", finished_run())
    with connect(live_client, live_space) as socket:
        next_state(socket)
        next_batch(socket)
        next_state(socket)  # that it ended: all is told
        live_space.set_scene(scene_with("nca", "nca-2"))
        message = socket.receive()
    assert (message["type"], message["reason"]) == ("websocket.close", "replaced")
    assert live_space.runs["nca"].run.trajectory.snapshots  # its history is still there for the next socket
    with connect(live_client, live_space, f"nca:{live_space.runs['nca'].number}:3") as socket:
        assert next_batch(socket)[2][0] == 3


def test_live_runs_are_told_as_they_go(live_client, live_space):
    live_space.set_scene(scene_with("nca", "nca-2"))
    runs = {1: endless_run(), 2: endless_run()}
    live_space.set_run("nca", runs[1])
    live_space.set_run("nca-2", runs[2])
    with connect(live_client, live_space) as socket:
        assert [told["state"] for told in next_state(socket)["runs"].values()] == ["ready", "ready"]
        for run in runs.values():
            run.start()
        seen = {1: [], 2: []}
        while min(map(len, seen.values())) < 5:
            panel, _, iterations = next_batch(socket)
            seen[panel] += iterations
    for iterations in seen.values():
        assert iterations == list(range(len(iterations)))


def test_a_run_replaced_while_the_socket_is_open_comes_under_its_own_number(live_client, live_space):
    first = endless_run()
    live_space.set_run("nca", first)
    first.start()
    with connect(live_client, live_space) as socket:
        number = next_batch(socket)[1]
        again = endless_run()
        live_space.set_run("nca", again)
        again.start()
        panel, later, iterations = next_batch(socket)
        while later == number:
            panel, later, iterations = next_batch(socket)
        assert (panel, later) == (1, live_space.runs["nca"].number)
        assert iterations[0] == 0
        assert next_state(socket, lambda s: s["runs"]["nca"]["run"] == later)
        live_space.set_run("nca", None)
        assert next_state(socket, lambda s: s["runs"] == {})
        live_space.set_run("nca", finished_run())
        assert next_state(socket, lambda s: "nca" in s["runs"])


def test_a_run_that_comes_later_is_listened_to_and_left_at_the_end(live_client, live_space):
    early, late = FakeRun([make_snapshot(0, D=4)]), FakeRun([make_snapshot(0, D=4)])
    live_space.set_run("nca", early)
    with connect(live_client, live_space) as socket:
        next_batch(socket)
        assert len(early.listeners) == 1
        live_space.set_run("nca", late)
        next_batch(socket)
        assert early.listeners == []
        assert len(late.listeners) == 1
        late.snapshots.append(make_snapshot(1, D=4))
        late.listeners[0]()
        assert next_batch(socket)[2] == [1]
    assert late.listeners == []
    assert live_space._listeners == []


def test_no_more_than_three_messages_wait_for_an_answer(live_client, live_space):
    run = endless_run(pace=0.1)
    live_space.set_run("nca", run)
    run.start()
    with connect(live_client, live_space) as socket:
        for _ in range(3):
            next_batch(socket, acknowledge=False)
        assert run.wait_for(12, 60)
        socket.send_text("ack")
        assert len(next_batch(socket)[2]) > 3


def told_with_snapshots_waiting(live_client, live_space, monkeypatch, state):
    """What comes while 40 snapshots wait and the run's state changes: "said" or the number of the last snapshot."""
    monkeypatch.setattr(live_module, "LARGEST_BATCH", 10)
    run = FakeRun([make_snapshot(0, D=4)])
    live_space.set_run("nca", run)
    came = []
    with connect(live_client, live_space) as socket:
        next_state(socket)
        next_batch(socket)
        run.snapshots += [make_snapshot(k, D=4) for k in range(1, 71)]
        run.listeners[0]()
        for _ in range(3):
            next_batch(socket, acknowledge=False)
        run.state = state
        socket.send_text("ack")
        while not came or came[-1] != "said":
            message = socket.receive()
            if message.get("bytes"):
                came.append(decoded(message["bytes"])[2][-1])
                socket.send_text("ack")
            else:
                assert json.loads(message["text"])["runs"]["nca"]["state"] == state
                came.append("said")
    return came


def test_what_was_pressed_is_answered_before_the_snapshots_that_wait(live_client, live_space, monkeypatch):
    assert told_with_snapshots_waiting(live_client, live_space, monkeypatch, "paused") == ["said"]


def test_that_a_run_ended_is_told_after_its_last_snapshot(live_client, live_space, monkeypatch):
    assert told_with_snapshots_waiting(live_client, live_space, monkeypatch, "ended") == [40, 50, 60, 70, "said"]


def test_a_silent_socket_repeats_the_state_so_that_a_dead_line_is_noticed(live_client, live_space, monkeypatch):
    monkeypatch.setattr(live_module, "HEARTBEAT", 0.2)
    monkeypatch.setattr(live_module, "_AGAIN", 0.1)
    live_space.set_run("nca", finished_run(max_iter=2))
    with connect(live_client, live_space) as socket:
        next_batch(socket)
        first = next_state(socket, lambda state: state["runs"]["nca"]["state"] == "ended")
        assert [next_state(socket), next_state(socket)] == [first, first]


def test_a_store_that_fails_and_works_again_is_told_at_once(live_client, live_space, monkeypatch):
    monkeypatch.setattr(live_module, "_AGAIN", 0.05)
    with connect(live_client, live_space) as socket:
        assert next_state(socket)["problem"] == ""
        for problem in ("The disk is full", ""):
            monkeypatch.setattr(live_module.SAVER, "problem", problem)
            assert next_state(socket)["problem"] == problem


def closed_by(socket):
    """Read what comes, acknowledging nothing, until it is closed; the code."""
    while (message := socket.receive())["type"] != "websocket.close":
        pass
    return message["code"]


def test_a_browser_that_does_not_take_what_is_sent_is_dropped(live_client, live_space, monkeypatch):
    monkeypatch.setattr(live_module, "LONGEST_WAIT", 0.3)
    live_space.set_scene(scene_with(*"abcde"))
    for key in "abcde":
        live_space.set_run(key, finished_run(max_iter=2))
    with connect(live_client, live_space) as socket:
        assert closed_by(socket) == live_module.SLOW
    assert not live_space.attached


@pytest.mark.parametrize("nonsense", [b"ack", "ack" * 1_000], ids=["binary", "long"])
def test_who_speaks_another_language_is_sent_away_without_an_error(live_client, live_space, nonsense, caplog):
    live_space.set_run("nca", finished_run(max_iter=2))
    with connect(live_client, live_space) as socket:
        socket.send({"type": "websocket.receive", "bytes" if isinstance(nonsense, bytes) else "text": nonsense})
        assert closed_by(socket) == live_module.NONSENSE
    assert not live_space.attached
    assert not caplog.records
