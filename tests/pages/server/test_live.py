"""The live socket: every run in full, once, from where the browser has it; states, other scenes, slow browsers."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from nca_core.snapshot import Sampled
from nca_core.training.config import TrainingConfig
from nca_core.training.gate import Gate
from nca_core.training.run import TrainingRun
from pages.server import routes as live_module
from stage.scene import Panel
from stage.wire import NUMBERS
from tests.nca_core import textbook
from tests.pages.server.live_socket import (
    FakeRun,
    connect,
    decoded,
    endless_run,
    finished_run,
    next_batch,
    next_bytes,
    next_state,
    scene_with,
)
from tests.stage.test_scene import make_scene
from tests.stage.test_wire import make_embedding, make_snapshot


def closed_by(socket):
    """Read what comes, acknowledging nothing, until it is closed; the last message."""
    while (message := socket.receive())["type"] != "websocket.close":
        pass
    return message


def test_a_run_that_ended_still_gives_its_whole_history(live_client, live_space):
    run = finished_run()
    live_space.set_run("nca", run)
    with connect(live_client, live_space) as socket:
        panel, number, iterations = next_batch(socket)
        state = next_state(socket)
    assert (panel, number) == (1, live_space.runs["nca"].number)
    assert iterations == list(range(len(run.trajectory.snapshots)))
    told = state["runs"]["nca"]
    assert state["scene"] == 1
    assert told["run"] == number
    assert (told["state"], told["reason"], told["ended"]) == ("ended", run.ended_reason, run.ended)
    assert told["max_iter"] == 8


def test_short_runs_come_before_the_start_they_led_to_the_best_one_last(live_client, live_space):
    X, y = textbook.blobs(n=40)
    assert X.shape[1] == 5
    run = TrainingRun(X, y, TrainingConfig(initialisation="best_of_several", max_iter=2), gate=Gate())
    run.start()
    assert run.wait_for_end(30)
    live_space.set_run("nca", run)
    number = live_space.runs["nca"].number
    heads, frames = [], []
    with connect(live_client, live_space) as socket:
        for _ in range(len(run.trajectory.starts) + 1):
            message = next_bytes(socket)
            socket.send_text("ack")
            heads.append([int(v) for v in np.frombuffer(message, "<f8", 4)])
            frames.append(np.frombuffer(message, "<f4")[-10:])  # 2 x 5
        told = next_state(socket)["runs"]["nca"]["starts"]
    short_runs = [[1, number, k, len(start.path)] for k, start in enumerate(reversed(run.trajectory.starts), start=1)]
    assert heads == [*short_runs, [1, number, 0, len(run.trajectory.snapshots)]]
    assert len(told) == len(run.trajectory.starts) == 5
    assert sorted(told) == ["LDA", "LDA × 3", "PCA", "random normal × 0.1", "whitening Σ^(-1/2)"]
    best = run.trajectory.starts[0]
    np.testing.assert_allclose(frames[4].reshape(best.transformation.shape), best.transformation, rtol=1e-6)
    with connect(live_client, live_space, f"nca:{number}:1") as socket:  # it has begun there already
        assert next_batch(socket)[2][0] == 1


def test_a_client_that_comes_back_gets_only_what_it_has_not(live_client, live_space):
    live_space.set_scene(scene_with("nca", "nca-2"))
    live_space.set_run("nca", finished_run())
    live_space.set_run("nca-2", finished_run())
    numbers = {key: held.number for key, held in live_space.runs.items()}
    with connect(live_client, live_space, f"nca:{numbers['nca']}:5,nca-2:{numbers['nca-2']}:2") as socket:
        first = {panel: iterations[0] for panel, _, iterations in (next_batch(socket), next_batch(socket))}
    assert first == {1: 5, 2: 2}


@pytest.mark.parametrize(
    "after", ["x", "nca:1", "nca:x:3", "nca:1:2:3", "nca:2:-4", "nca:2:9999", "nca:2:" + "9" * 5000, "nca:1:5"]
)
def test_a_senseless_history_and_that_of_another_run_begin_at_the_beginning(live_client, live_space, after):
    live_space.set_run("nca", finished_run(max_iter=6))
    live_space.set_run("nca", finished_run(max_iter=6))
    assert live_space.runs["nca"].number == 2
    with connect(live_client, live_space, after) as socket:
        assert next_batch(socket)[2][0] == 0


@pytest.mark.parametrize("scene", ["0", "2", "x", ""])
def test_a_socket_for_another_scene_is_closed_as_replaced(live_client, live_space, scene):
    with live_client.websocket_connect(f"/nca/{live_space.token}/live?scene={scene}") as socket:
        assert socket.receive()["reason"] == "replaced"


def test_who_loses_the_workspace_to_another_tab_is_asked_to_run_again(live_client, live_space):
    live_space.set_run("nca", finished_run(5))
    with connect(live_client, live_space) as socket:
        next_batch(socket)
        live_space.attach_session("the other tab", take=True)
        message = closed_by(socket)
    assert (message["code"], message["reason"]) == (4404, "kept")
    with connect(live_client, live_space) as socket:  # of the tab that has it now
        assert next_batch(socket)[2][0] == 0


def test_panels_take_turns_however_much_one_has_to_tell_and_large_frames_go_in_small_batches(
    live_client, live_space, monkeypatch
):
    monkeypatch.setattr(live_module, "LARGEST_BATCH", 10)
    live_space.set_scene(scene_with("nca", "nca-2", "nca-3"))
    for key, many in (("nca", 400), ("nca-2", 40), ("nca-3", 40)):
        live_space.set_run(key, FakeRun(make_snapshot(k, D=4) for k in range(many)))
    with connect(live_client, live_space) as socket:
        turns = Counter(next_batch(socket)[0] for _ in range(12))
    assert turns == {1: 4, 2: 4, 3: 4}
    live_space.keep_runs(())
    live_space.set_run("nca", FakeRun(make_snapshot(k, D=4) for k in range(7)))
    for largest, batches in ((100, [[0, 1, 2], [3, 4, 5], [6]]), (1, [[0]])):  # a frame is 2 x 4
        monkeypatch.setattr(live_module, "LARGEST_MESSAGE", largest)
        with connect(live_client, live_space) as socket:
            assert [next_batch(socket)[2] for _ in batches] == batches


def test_coordinates_come_for_the_points_that_are_shown_and_of_other_points_not_at_all(live_client, live_space):
    """A new run may come before its scene does, or a scene before its run."""
    scene, Y = make_scene(), np.random.default_rng(0).normal(size=(20, 2))
    tsne = Panel("tsne", "t-SNE", Y, kind="coordinates", live=True)
    live_space.set_scene(replace(scene, panels=(tsne, *scene.panels)))
    live_space.set_run("tsne", FakeRun([make_embedding(0, Y), make_embedding(1, 2 * Y)]))
    with connect(live_client, live_space) as socket:
        message = next_bytes(socket)
    assert list(np.frombuffer(message, "<f8", 6)) == [0, live_space.runs["tsne"].number, 0, 2, 2, 20]
    back = np.frombuffer(message, "<f4", 40, 48 + 8 * len(NUMBERS)).reshape(2, 20).T
    np.testing.assert_allclose(back, Y - Y.mean(axis=0), atol=1e-6)
    live_space.set_run("tsne", FakeRun([make_embedding(0, np.zeros((21, 2)))]))
    live_space.set_run("nca", finished_run())
    with connect(live_client, live_space) as socket:
        assert next_batch(socket)[0] == 2
        assert next_state(socket)["runs"]["tsne"]["state"] == "running"


def test_another_scene_closes_the_socket_at_once(live_client, live_space):
    live_space.set_run("nca", finished_run())
    with connect(live_client, live_space) as socket:
        next_state(socket)
        next_batch(socket)
        next_state(socket)  # that it ended: all is told
        live_space.set_scene(scene_with("nca", "nca-2"))
        assert socket.receive()["reason"] == "replaced"
    assert live_space.runs["nca"].run.trajectory.snapshots  # its history is still there for the next socket
    with connect(live_client, live_space, f"nca:{live_space.runs['nca'].number}:3") as socket:
        assert next_batch(socket)[2][0] == 3


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
        assert next_batch(socket) == (1, live_space.runs["nca"].number, [1])
        live_space.keep_runs(())
        assert next_state(socket, lambda state: state["runs"] == {})
    assert late.listeners == []
    assert live_space._listeners._listeners == []


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


@pytest.mark.parametrize(("state", "said"), [("paused", ["said"]), ("ended", [40, 50, 60, 70, "said"])])
def test_a_press_is_answered_before_waiting_snapshots_and_the_end_said_after_them(
    live_client, live_space, monkeypatch, state, said
):
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
    assert came == said


def test_a_silent_socket_repeats_the_state_and_says_when_a_store_fails_and_works_again(
    live_client, live_space, monkeypatch
):
    """A browser that hears nothing notices that its line is dead."""
    monkeypatch.setattr(live_module, "HEARTBEAT", 0.2)
    monkeypatch.setattr(live_module, "_AGAIN", 0.05)
    sampled = Sampled(2_000, 1_000_000, 0.0063, 1.2)
    live_space.set_run("nca", FakeRun([replace(make_snapshot(1, D=4), sampled=sampled)]))
    with connect(live_client, live_space) as socket:
        next_batch(socket)
        first = next_state(socket)
        said = "f and K̂ are estimated from 2,000 of 1,000,000 rows (f/n ± 0.006, K̂ ± 1)."
        assert (first["problem"], first["runs"]["nca"]["note"]) == ("", said)
        assert [next_state(socket), next_state(socket)] == [first, first]
        monkeypatch.setattr(live_module, "HEARTBEAT", 1e9)
        for problem in ("The disk is full", ""):
            monkeypatch.setattr(live_module.SAVER, "problem", problem)
            assert next_state(socket, lambda state, problem=problem: state["problem"] == problem)


def test_a_browser_that_does_not_take_what_is_sent_is_dropped(live_client, live_space, monkeypatch):
    monkeypatch.setattr(live_module, "LONGEST_WAIT", 0.3)
    live_space.set_scene(scene_with(*"abcde"))
    for key in "abcde":
        live_space.set_run(key, finished_run(max_iter=2))
    with connect(live_client, live_space) as socket:
        for nonsense in ({"bytes": b"ack"}, {"text": "ack" * 1_000}):  # acknowledges nothing
            socket.send({"type": "websocket.receive", **nonsense})
        assert closed_by(socket)["code"] == live_module.SLOW
    assert not live_space.attached
