"""A workspace: its runs by panel, their numbers and their limit, what rests and wakes, and which rows are shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nca_core.training.config import TrainingConfig
from nca_core.training.gate import Gate
from nca_core.training.run import TrainingRun
from pages.server import workspace as workspace_module
from pages.server.workspace import MOST_LIVE_PANELS, Workspace
from stage import scene as scene_module
from tests.nca_core import textbook
from tests.stage.test_scene import make_scene


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def space(clock):
    made = Workspace("token", clock, Gate())
    yield made
    made.forget()


def make_run(**options):
    X, y = textbook.blobs(n=60)
    return TrainingRun(X, y, TrainingConfig(max_iter=500, tol=1e-15), min_interval=0.02, gate=Gate(), **options)


def started_run():
    run = make_run()
    run.start()
    assert run.wait_for(1, 30)
    return run


def test_each_panel_has_its_run_and_no_number_comes_twice(space):
    seen = []
    for key in ("a", "b", "a", "a"):
        space.set_run(key, make_run())
        seen.append(space.runs[key].number)
    space.set_run("a", None)
    space.set_run("a", make_run())
    seen.append(space.runs["a"].number)
    assert len(set(seen)) == 5
    assert seen == sorted(seen)
    assert space.runs["b"].number == seen[1]


def test_another_run_stops_the_one_before_and_no_other(space):
    first, other = started_run(), started_run()
    space.set_run("a", first)
    space.set_run("b", other)
    before = space.runs
    space.set_run("a", make_run())
    assert first.wait_for_end(30)
    assert other.state == "running"
    assert before["a"].run is first  # whoever looked before sees no mixture


def test_all_pages_of_a_tab_take_one_of_the_places(clock):
    gate = Gate()
    first = Workspace("token", clock, gate)
    beside = Workspace("other", clock, gate, first=first)
    assert beside.place is first.place
    assert Workspace("another tab", clock, gate).place is not first.place


def test_a_tenth_live_panel_is_refused_and_the_nine_go_on(space):
    for k in range(MOST_LIVE_PANELS):
        space.set_run(f"p{k}", make_run())
    with pytest.raises(ValueError, match="At most 9 panels can train side by side"):
        space.set_run("p9", make_run())
    assert len(space.runs) == 9
    assert not any(held.run.state == "ended" for held in space.runs.values())
    space.set_run("p3", make_run())  # training again is no tenth panel
    space.set_run("p0", None)
    space.set_run("p9", make_run())


def test_all_runs_rest_and_only_those_wake_that_rested(space, clock):
    moving, paused, ended = started_run(), started_run(), started_run()
    for key, run in (("a", moving), ("b", paused), ("c", ended)):
        space.set_run(key, run)
    paused.pause()
    ended.stop()
    clock.now += workspace_module.PAUSE_AFTER + 1
    space.look_after()
    assert [run.state for run in (moving, paused, ended)] == ["paused", "paused", "ended"]
    space.attach_socket()
    assert [run.state for run in (moving, paused, ended)] == ["running", "paused", "ended"]
    space.release_socket()
    clock.now += 1_000  # a line that was cut for a quarter of an hour ends nothing
    space.look_after()
    assert [run.state for run in (moving, paused, ended)] == ["paused", "paused", "ended"]
    space.attach_socket()
    assert [run.state for run in (moving, paused, ended)] == ["running", "paused", "ended"]
    space.forget()
    assert moving.wait_for_end(30)
    assert paused.wait_for_end(30)


def test_a_run_that_came_in_the_meantime_is_not_resumed(space, clock):
    space.set_run("a", started_run())
    clock.now += workspace_module.PAUSE_AFTER + 1
    space.look_after()
    later = started_run()
    later.pause()
    space.set_run("a", later)
    space.attach_session("s")
    assert later.state == "paused"


def test_whoever_listens_hears_of_scenes_and_runs_until_he_leaves(space):
    calls = []
    leave = space.subscribe(lambda: calls.append(1))
    space.set_scene(make_scene())
    space.set_run("a", make_run())
    space.keep_runs(())
    assert len(calls) == 3
    leave()
    space.set_scene(make_scene())
    assert len(calls) == 3


def test_a_scene_brings_its_rows_and_its_live_panels(space, monkeypatch):
    monkeypatch.setattr(scene_module, "MAX_POINTS", 300)
    scene = make_scene(n=3000)
    pca, nca = scene.panels
    broken = replace(nca, key="nca-2", frame=None, problem="It cannot be trained.")
    space.set_scene(replace(scene, panels=(pca, broken, nca)))
    shown = space.shown
    assert [(panel.index, panel.key, panel.kind) for panel in shown.live] == [(2, "nca", "matrix")]
    assert shown.samples == 3000
    np.testing.assert_array_equal(space.shown_rows, scene_module.shown_rows(scene))
    assert len(space.shown_rows) == 300
    assert np.any(space.shown_rows != np.arange(300))
    assert space.scene_version == shown.version == 1
