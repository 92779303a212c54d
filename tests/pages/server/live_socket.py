"""The live socket by Starlette's test client: what its tests share. The fixtures stand in conftest."""

import json
from dataclasses import replace

import numpy as np

from nca_core.snapshot import Trajectory
from nca_core.training.config import TrainingConfig
from nca_core.training.gate import Gate
from nca_core.training.run import TrainingRun
from stage.scene import Panel
from stage.wire import NUMBERS
from tests.nca_core import textbook
from tests.stage.test_scene import make_scene


def scene_with(*keys):
    scene = make_scene()
    pca = scene.panels[0]
    return replace(scene, panels=(pca, *(Panel(key, key.upper(), np.eye(2, 4), live=True) for key in keys)))


def finished_run(max_iter=8):
    X, y = textbook.blobs(n=40)
    run = TrainingRun(X, y, TrainingConfig(max_iter=max_iter), gate=Gate())
    run.start()
    assert run.wait_for_end(30)
    return run


def endless_run(pace=0.02):
    X, y = textbook.blobs(n=40)
    return TrainingRun(X, y, TrainingConfig(max_iter=500, tol=1e-15), min_interval=pace, gate=Gate())


class FakeRun:
    """A run whose snapshots the test makes; listens as a TrainingRun does."""

    queue_position, min_interval, config, trajectory = 0, 0.0, TrainingConfig(), Trajectory(())
    ended = ended_reason = note = ""
    state = "running"

    def __init__(self, snapshots):
        self.snapshots = list(snapshots)
        self.listeners = []

    def snapshots_since(self, index):
        return self.snapshots[max(index, 0) :]

    def latest(self):
        return self.snapshots[-1] if self.snapshots else None

    def subscribe(self, upload_state):
        self.listeners.append(upload_state)
        return lambda: self.listeners.remove(upload_state)

    def stop(self, timeout=None):
        self.state = "ended"


def connect(client, space, after=""):
    return client.websocket_connect(f"/nca/{space.token}/live?scene={space.shown.version}&after={after}")


def decoded(message):
    """(panel, run, iterations) of a message."""
    panel, run, _, count, rows, columns = (int(v) for v in np.frombuffer(message, "<f8", 6))
    stride = len(NUMBERS) + -(-rows * columns // 2)
    assert len(message) == 8 * (6 + count * stride)
    return panel, run, list(np.frombuffer(message, "<f8")[6::stride].astype(int))


def next_bytes(socket):
    while not (message := socket.receive()).get("bytes"):
        assert message["type"] != "websocket.close"
    return message["bytes"]


def next_batch(socket, acknowledge=True):
    message = next_bytes(socket)
    if acknowledge:
        socket.send_text("ack")
    return decoded(message)


def next_state(socket, wanted=lambda state: True):
    while True:
        message = socket.receive()
        if message.get("bytes"):
            socket.send_text("ack")
        elif message.get("text") and wanted(state := json.loads(message["text"])):
            return state
