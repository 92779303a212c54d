"""Workspaces: runs, listeners and scene of one; who holds them, when runs pause and end, when they expire."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.catalogue import load_dataset
from nca_core.training.config import TrainingConfig
from nca_core.training.gate import Gate
from nca_core.training.run import TrainingRun
from pages.server import workspace as workspace_module
from pages.server.measurements import measurements, solved_accuracies
from pages.server.workspace import MOST_LIVE_PANELS, Workspace
from stage import scene as scene_module
from study.compare import compare
from study.link import to_link
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from tests.nca_core import textbook
from tests.stage.test_scene import make_scene


@pytest.fixture
def space(clock):
    made = Workspace("token", clock, Gate())
    yield made
    made.discard()


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
    space.keep_runs("b")
    space.set_run("a", make_run())
    seen.append(space.runs["a"].number)
    assert len(set(seen)) == 5
    assert seen == sorted(seen)
    assert space.runs["b"].number == seen[1]
    first, other = started_run(), started_run()
    space.set_run("a", first)
    space.set_run("b", other)
    before = space.runs
    space.set_run("a", make_run())  # stops the one before and no other
    assert first.wait_for_end(30)
    assert other.state == "running"
    assert before["a"].run is first  # whoever looked before sees no mixture


def test_a_tenth_live_panel_is_refused_and_the_nine_go_on(space):
    for k in range(MOST_LIVE_PANELS):
        space.set_run(f"p{k}", make_run())
    with pytest.raises(ValueError, match="At most 9 panels can train side by side"):
        space.set_run("p9", make_run())
    assert len(space.runs) == 9
    assert not any(held.run.state == "ended" for held in space.runs.values())
    space.set_run("p3", make_run())  # training again is no tenth panel
    space.keep_runs(space.runs.keys() - {"p0"})
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
    assert moving.state == "paused"
    later = started_run()
    later.pause()
    space.set_run("d", later)  # paused by the user
    space.attach_session("s")
    assert [run.state for run in (moving, paused, ended, later)] == ["running", "paused", "ended", "paused"]
    space.discard()
    assert moving.wait_for_end(30)
    assert paused.wait_for_end(30)


def test_a_scene_brings_its_rows_and_its_live_panels(space, monkeypatch):
    monkeypatch.setattr(scene_module, "MAX_POINTS", 300)
    scene = make_scene(n=3000)
    pca, nca = scene.panels
    broken = replace(nca, key="nca-2", frame=None, problem="It cannot be trained.")
    space.set_scene(replace(scene, panels=(pca, broken, nca)))
    shown = space.shown
    assert [(panel.index, panel.key, panel.kind) for panel in shown.live] == [(2, "nca", "matrix")]
    np.testing.assert_array_equal(space.shown.rows, scene_module.shown_rows(scene))
    assert len(space.shown.rows) == 300
    assert np.any(space.shown.rows != np.arange(300))
    assert space.shown.version == shown.version == 1


WINE, IRIS = Recipe(data=DataRecipe("wine")), Recipe(data=DataRecipe("iris"))


@pytest.fixture
def run():
    made = started_run()
    yield made
    made.stop()


def test_tokens_cannot_be_guessed_and_the_pages_of_a_tab_take_one_place(hub):
    spaces = [hub.open() for _ in range(50)]
    assert len({space.token for space in spaces}) == 50
    assert min(len(space.token) for space in spaces) >= 24
    assert hub.open_second(spaces[0]).place is spaces[0].place
    assert spaces[1].place is not spaces[0].place


def test_a_closed_tab_pauses_its_run_which_ends_with_the_workspace(hub, clock, run):
    space = hub.open("ann")
    space.attach_session("s")
    space.set_run("nca", run)
    clock.now = 1000.0
    hub.sweep()
    assert run.state == "running"
    space.release_session("s")
    clock.now += workspace_module.PAUSE_AFTER
    hub.sweep()
    assert run.state == "paused"
    assert hub.restore("ann", to_link(space.document.recipe), "new") is space  # a reload
    assert run.state == "running"
    space.release_session("new")
    clock.now += workspace_module.EXPIRE_AFTER - 2 * workspace_module.PAUSE_AFTER
    hub.sweep()
    assert run.state == "paused"
    assert hub.find(space.token) is space
    clock.now += 2 * workspace_module.PAUSE_AFTER
    hub.sweep()
    assert hub.find(space.token) is None
    assert run.wait_for_end(30)
    assert run.trajectory.ended == "stopped"


def test_a_reload_finds_what_its_address_shows_and_no_other_browser_does(hub, clock):
    old = hub.open("ann")
    clock.now += 1
    newer = hub.open("ann")
    newer.document.change(WINE)
    newer.document.change(IRIS)  # this address was not written yet
    old.document.change(WINE)
    of_comparisons = replace(WINE, n_components=3)
    hub.open_second(old).document.change(of_comparisons)
    wine, living = to_link(WINE), {"one", "two"}
    assert hub.restore("bob", wine, "b") is None
    assert hub.restore("", wine, "b") is None
    assert hub.restore("ann", wine | {"held_out": "0.1"}, "a") is None
    assert hub.restore("ann", wine, "one", lambda: "one" in living) is old  # it shows these now
    assert hub.restore("ann", wine, "a") is newer
    assert hub.restore("ann", to_link(of_comparisons), "two", lambda: "two" in living) is None  # a session holds it
    living.discard("one")
    assert hub.restore("ann", to_link(of_comparisons), "two", lambda: "two" in living) is old
    living.add("one")  # its line was cut for a moment only; the workspace is somebody else's now
    assert not old.attach_session("one", lambda: "one" in living)


def test_workspaces_are_forgotten_and_bounded_and_their_memory_is_given_back(hub, clock, monkeypatch):
    given = []
    monkeypatch.setattr(workspace_module, "trim_memory", lambda: given.append(True))
    old = hub.open()
    clock.now += workspace_module.EXPIRE_AFTER
    for _ in range(3):
        hub.sweep()
    assert hub.find(old.token) is None
    assert given == [True]  # once, at the next sweep
    monkeypatch.setattr(workspace_module, "MOST_WORKSPACES", 3)
    spaces = []
    for _ in range(5):
        clock.now += workspace_module.JUST_OPENED
        spaces.append(hub.open())
    assert [hub.find(space.token) is not None for space in spaces] == [False, False, True, True, True]
    for space in spaces[2:]:
        space.attach_session("session", lambda: True)
    clock.now += 100
    loading = [hub.open(), hub.open()]  # two pages that are being loaded while all others are looked at
    assert all(hub.find(space.token) is space for space in loading)
    hub.start()
    reaper = hub._reaper
    assert reaper.is_alive()
    hub.shutdown()
    assert not reaper.is_alive()


def test_of_the_other_tabs_the_one_that_trains_these_settings_is_told(hub, run):
    asks, other, trains = (hub.open("ann") for _ in range(3))
    for space, recipe in ((asks, WINE), (other, IRIS), (trains, WINE)):
        space.document.change(recipe)
    assert hub.trained("ann", to_link(WINE), asks) is None
    other.set_run("nca", run)
    assert hub.trained("ann", to_link(WINE), asks) is None
    trains.set_run("nca", run)
    assert hub.trained("ann", to_link(WINE), asks) is trains
    assert hub.trained("ann", to_link(WINE), trains) is None
    assert hub.trained("bob", to_link(WINE), asks) is None
    assert hub.trained("", to_link(WINE), asks) is None
    trains.document.change(IRIS)
    hub.open_second(trains).document.change(WINE)  # it is Explore that trained
    assert hub.trained("ann", to_link(WINE), asks) is None


def test_the_stage_holds_a_snapshot_of_one_run():
    comparison = compare(
        Recipe(data=DataRecipe("iris"), panels=(PanelRecipe("nca", {"max_iter": 4}), PanelRecipe("pca"))),
        load_dataset("iris"),
    )
    space = Workspace("t", lambda: 0.0)
    assert (space.shown_index("nca"), space.at("nca")) == (-1, None)
    run = comparison.new_run("nca")
    space.set_run("nca", run)
    run.start()
    run.wait_for_end()
    history, number = run.trajectory.snapshots, space.runs["nca"].number
    assert space.at("nca") is history[-1]
    space.held = {"nca": (number, 1)}
    assert space.at("nca") is history[1]
    nca, pca = measurements(space, comparison)
    assert (nca.iteration, nca.mean_p, nca.moment[:14]) == (1, history[1].mean_p, "iteration 1 of")
    assert pca.k == round(history[1].k_mean_entropy) != round(history[-1].k_mean_entropy)
    one = replace(pca, held_out_1nn=0.5, accuracy_1nn=0.75)
    assert solved_accuracies([nca, one]) == {"pca": (0.5, 0.75)}
    for held in ((number + 1, 1), (number, 99), (number, -1)):  # another run, or no snapshot of it
        space.held = {"nca": held}
        assert space.at("nca") is history[-1]
    run.stop()
