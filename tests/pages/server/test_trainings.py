"""Trainings of a workspace without a page: where a frame of another panel comes from, and when runs have to end."""

import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from nca_core.training.gate import Gate, Place
from pages.server import measurements, trainings
from pages.server.workspace import HUB, Hub, Workspace
from study.panel import PanelRecipe
from study.recipe import PACES
from tests.study.some_data import overlapping, recipe_of

FRAME = 2


@pytest.fixture
def space():
    space = Workspace("token", time.monotonic)
    few = {"max_iter": 4}
    panels = PanelRecipe("nca", few), PanelRecipe("nca-2", few, start=f"nca@{FRAME}")
    space.document.recipe = replace(recipe_of(*panels), pace="full_speed")
    yield space
    space.discard()


def trained(space):
    """The trajectories by panel, once all have ended."""
    trainings.train(space, overlapping())
    assert all(held.run.wait_for_end(60) for held in space.runs.values())
    return {key: held.run.trajectory.snapshots for key, held in space.runs.items()}


def test_a_frame_is_taken_from_a_run_only_while_it_has_the_settings_of_the_recipe(space):
    own = space.document
    first = trained(space)
    again = trained(space)
    np.testing.assert_array_equal(again["nca-2"][0].transformation, first["nca"][FRAME].transformation)
    nca = own.recipe.panel("nca")
    own.change(own.recipe.with_panel(replace(nca, settings={**dict(nca.settings), "objective": "g"})))
    other = trained(space)
    start = other["nca-2"][0].transformation
    np.testing.assert_allclose(start, other["nca"][FRAME].transformation, rtol=1e-6)
    assert not np.allclose(start, first["nca"][FRAME].transformation, rtol=1e-3)
    nca, branch = own.recipe.panels
    own.change(own.recipe.with_panel(replace(branch, start=f"{nca.key}@50")))  # which the run never reaches
    late = trained(space)
    np.testing.assert_allclose(late["nca-2"][0].transformation, late["nca"][-1].transformation, rtol=1e-6)


def test_runs_end_with_the_rows_that_they_were_trained_on(space):
    own = space.document
    for change in (
        lambda recipe: {"noise": replace(recipe.noise, noise_columns=2)},
        lambda recipe: {"preparation": replace(recipe.preparation, random_state=5)},
        lambda recipe: {"n_components": 3},
    ):
        trained(space)
        assert not own.ended_by_change
        own.change(replace(own.recipe, **change(own.recipe)))
        comparison = trainings.show(space, overlapping())
        assert not space.runs
        assert not own.started
        assert comparison.recipe == own.recipe
        assert own.ended_by_change  # the page says so
        assert trainings.restore_runs(space, comparison) == ""


def test_undo_brings_the_trainings_back_and_leaves_those_of_the_change_for_another_undo(space):
    own, data = space.document, overlapping()

    def shown():
        words = trainings.restore_runs(space, trainings.show(space, data))
        trainings.show(space, data)
        return words

    def of_the_runs():
        return {key: (held.run.trajectory.snapshots, held.run.ended) for key, held in space.runs.items()}

    def run():
        trainings.train(space, data)
        assert all(held.run.wait_for_end(60) for held in space.runs.values())

    run()
    flat = of_the_runs()
    own.change(replace(own.recipe, n_components=3))
    assert shown() == ""
    run()
    deep = of_the_runs()
    own.undo()
    assert shown() == "Trainings restored up to their last saved iteration: NCA 4, NCA 2 4."
    assert of_the_runs() == flat
    assert not own.ended_by_change
    assert not trainings.differs(space)
    trainings.reset(space)
    assert shown() == ""  # Reset was meant
    own.change(replace(own.recipe, n_components=3))
    shown()
    assert of_the_runs() == deep
    for n_components in (2, 3, 2):
        own.change(replace(own.recipe, n_components=n_components, noise=replace(own.recipe.noise, noise_columns=1)))
        shown()
        run()
        own.change(replace(own.recipe, noise=replace(own.recipe.noise, noise_columns=0)))
        shown()
        run()
    assert len(own.parked) == 2


def test_runs_go_on_with_another_pace_and_are_calm_until_one_is_chosen(space):
    own = space.document
    trained(space)
    runs, version = dict(space.runs), space.shown.version
    for chosen, pace in (("calm", "calm"), ("normal", "normal"), ("full_speed", "full_speed"), ("auto", "calm")):
        own.change(replace(own.recipe, pace=chosen))
        trainings.show(space, overlapping())
        trainings.apply_pace(space)
        assert trainings.pace_now(space) == pace
        assert dict(space.runs) == runs
        assert space.shown.version == version
        assert {held.run.min_interval for held in runs.values()} == {PACES[pace]}


def test_classifiers_are_asked_again_at_another_iteration(space):
    trained(space)
    comparison, held = space.document.comparison, space.runs["nca"]
    last = measurements.rules(space, comparison)[1]
    space.held["nca"] = (held.number, 0)  # the stage shows the start
    first = measurements.rules(space, comparison)[1]
    assert first.by_rule != last.by_rule
    assert measurements.rules(space, comparison)[1] is first  # and not twice at one


def test_classifiers_are_asked_only_in_panels_that_place_held_out_rows(space, monkeypatch):
    trained(space)
    monkeypatch.setattr(measurements, "measure_rules", lambda comparison, key, at: (key, at))
    kinds = {"a": ("embedding", ""), "b": ("solved", "broken"), "c": ("trained", ""), "nca": ("trained", "")}
    panels = [
        SimpleNamespace(
            key=key, problem=why, trains=kind == "trained", recipe=SimpleNamespace(method=SimpleNamespace(kind=kind))
        )
        for key, (kind, why) in kinds.items()
    ]
    found = measurements.rules(space, SimpleNamespace(panels=panels))
    assert found == [(None, None), ("nca", space.at("nca"))]


def test_what_runs_or_waits_is_held_and_what_is_held_goes_on():
    """Whatever the button says by then: two presses in quick succession are not one of each."""
    states, made = ["running", "waiting", "paused", "ended"], []

    def run(state):
        return SimpleNamespace(
            state=state, pause=lambda: made.append(("pause", state)), resume=lambda: made.append(("resume", state))
        )

    space = SimpleNamespace(runs={state: SimpleNamespace(run=run(state)) for state in states})
    trainings.pause(space)
    assert made == [("pause", "running"), ("pause", "waiting")]
    made.clear()
    trainings.resume(space)
    assert made == [("resume", "paused")]


def test_the_neighbours_that_pause_asks_for_are_found_by_the_training(space, monkeypatch):
    own, asked, find = space.document, [], measurements.query_points

    def found(*of):
        asked.append((threading.current_thread().name, space.runs["nca"].run.latest().iteration))
        return find(*of)

    monkeypatch.setattr(measurements, "query_points", found)
    own.recipe = replace(own.recipe, panels=(PanelRecipe("pca"), own.recipe.panel("nca")))
    comparison = trainings.show(space, overlapping())
    assert all(np.isnan(one.k) for one in measurements.measurements(space, comparison))
    last = trained(space)["nca"][-1]
    pca, nca = measurements.measurements(space, own.comparison)
    assert pca.k == nca.k == round(last.k_mean_entropy) > 1
    assert asked == [("nca-training", 2)]  # whoever pressed Train waits for the first of them


def test_tabs_that_show_the_same_rows_share_their_fits(space):
    dataset, panels = overlapping(), (PanelRecipe("pca"), PanelRecipe("nca", {"max_iter": 4}))
    space.document.recipe = recipe_of(*panels)
    here = trainings.show(space, dataset).panels

    def there(recipe, data=dataset):
        other = HUB.open()
        other.document.recipe = recipe
        return trainings.show(other, data).panels

    HUB._workspaces[space.token] = space
    try:
        same, more = there(recipe_of(*panels)), there(recipe_of(*panels, PanelRecipe("lda")))
        assert [one is other for one, other in zip(here, same, strict=True)] == [True, True]
        assert [one is other for one, other in zip(here, more, strict=False)] == [True, True]
        assert there(recipe_of(*panels, n_components=3))[0] is not here[0]
        assert there(recipe_of(*panels), replace(dataset))[0] is not here[0]  # a table of one's own
        HUB.shutdown()
        space.document.recipe, HUB._workspaces[space.token] = recipe_of(PanelRecipe("pca")), space
        failed = trainings.show(space, dataset)
        space.document.comparison = replace(failed, panels=(replace(failed.panels[0], problem="It failed."),))
        assert not there(recipe_of(PanelRecipe("pca")))[0].problem
    finally:
        HUB.shutdown()


def test_the_panels_of_a_tab_take_one_place_together():
    gate = Gate(active=1)
    space = Workspace("token", time.monotonic, gate)
    endless = {"max_iter": 2_000, "optimiser": "gradient-ascent"}
    space.document.recipe = replace(
        recipe_of(PanelRecipe("nca", endless), PanelRecipe("nca-2", endless)), pace="full_speed"
    )
    taken = Place()
    gate.trainings.enter(taken)
    try:
        trainings.train(space, overlapping())
        runs = [held.run for held in space.runs.values()]
        time.sleep(0.5)
        assert [(run.queue_position, run.latest()) for run in runs] == [(1, None)] * 2
        gate.trainings.leave(taken)
        assert all(run.wait_for(2, 30) for run in runs)  # both go on, though there is one place
        assert [run.state for run in runs] == ["running"] * 2
    finally:
        space.discard()


# -- kept on Compare


@pytest.fixture
def kept():
    hub = Hub()
    kept = hub.open()
    panels = PanelRecipe("pca"), PanelRecipe("nca", {"max_iter": 30})
    kept.document.recipe = replace(recipe_of(*panels), pace="calm")
    yield kept
    hub.shutdown()


def test_compare_begins_with_the_panels_that_were_trained(kept):
    recipe = kept.document.recipe
    kept.document.recipe = replace(recipe, panels=(*recipe.panels, PanelRecipe("mcml", {"max_iter": 30})))
    trainings.train(kept, overlapping())
    kept.keep_runs(["nca"])
    assert trainings.keep_on_compare(kept)
    assert [panel.key for panel in kept.second.document.recipe.panels] == ["pca", "nca"]


def test_a_kept_run_goes_on_while_another_is_trained(kept):
    with pytest.raises(ValueError, match="no run to keep"):
        trainings.keep_on_compare(kept)
    trainings.train(kept, overlapping())
    run = kept.runs["nca"].run
    kept.document.change(replace(kept.document.recipe, pace="normal"))
    assert trainings.keep_on_compare(kept)
    there = kept.second
    assert there.runs["nca"].run is run
    assert kept.runs["nca"].run is run  # still in sight where it was trained
    trainings.train(kept, overlapping())
    assert kept.runs["nca"].run is not run
    more = len(run.trajectory.snapshots) + 2
    assert run.wait_for(more, 10)
    assert len(run.trajectory.snapshots) >= more  # it was not ended
    comparison = trainings.show(there, overlapping())
    assert [panel.key for panel in comparison.panels] == ["pca", "nca"]
    assert not trainings.differs(there)
    kept.document.change(kept.document.recipe.with_panel(PanelRecipe("nca", {"max_iter": 30, "objective": "g"})))
    trainings.train(kept, overlapping())
    assert trainings.keep_on_compare(kept)  # beside the first
    assert [panel.key for panel in there.document.recipe.panels] == ["pca", "nca", "nca-2"]
    assert there.document.recipe.panel("nca-2").shown_title == "NCA, objective g"
    assert trainings.keep_on_compare(kept)  # a second press changes nothing
    assert [panel.key for panel in there.document.recipe.panels] == ["pca", "nca", "nca-2"]
    assert there.runs["nca-2"].run.state != "ended"
    assert dict(there.document.recipe.panel("nca-2").settings)["objective"] == "g"
    assert there.runs["nca"].run is run is not there.runs["nca-2"].run
    assert len(trainings.trajectories(there)) == 1  # the other is not shown yet
    trainings.show(there, overlapping())
    assert set(there.runs) == {"nca", "nca-2"}
    kept.discard()  # all end together
    assert run.wait_for_end(10)


def test_other_rows_begin_anew_and_undo_has_the_old_recipe(kept):
    trainings.train(kept, overlapping())
    trainings.keep_on_compare(kept)
    before = kept.second.document.recipe
    first = kept.second.runs["nca"].run
    kept.document.change(replace(kept.document.recipe, n_components=3))
    trainings.train(kept, overlapping())
    assert not trainings.keep_on_compare(kept)
    there = kept.second
    assert there.document.recipe.n_components == 3
    assert list(there.runs) == ["nca"]
    assert first.wait_for_end(10)
    there.document.undo()
    assert there.document.recipe == before


def test_one_panel_is_trained_and_taken_back_alone(kept):
    own = kept.document
    own.recipe = replace(own.recipe, panels=(*own.recipe.panels, PanelRecipe("nca-2", {"max_iter": 30})))
    trainings.train(kept, overlapping())
    first, second = (kept.runs[key].run for key in ("nca", "nca-2"))
    trainings.train(kept, overlapping(), "nca-2")
    assert kept.runs["nca"].run is first
    assert kept.runs["nca-2"].run is not second
    assert second.wait_for_end(10)
    trainings.reset(kept, "nca-2")
    assert list(kept.runs) == ["nca"]
    assert trainings.differs(kept)
