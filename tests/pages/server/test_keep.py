"""A run that is kept: it stands on Compare with its history, and Explore's next training does not end it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pages.server import trainings
from pages.server.workspace import Hub
from study.panel import PanelRecipe
from tests.study.some_data import overlapping, recipe_of


@pytest.fixture
def space():
    hub = Hub(reap=False)
    space = hub.open()
    panels = PanelRecipe("pca"), PanelRecipe("nca", {"max_iter": 30})
    space.document.recipe = replace(recipe_of(*panels), pace="calm")
    yield space
    hub.shutdown()


def test_a_kept_run_goes_on_while_another_is_trained(space):
    with pytest.raises(ValueError, match="no run to keep"):
        trainings.keep_on_compare(space)
    trainings.train(space, overlapping())
    run = space.runs["nca"].run
    assert trainings.keep_on_compare(space)
    there = space.second
    assert there.runs["nca"].run is run
    assert space.runs["nca"].run is run  # still in sight where it was trained
    trainings.train(space, overlapping())
    assert space.runs["nca"].run is not run
    more = len(run.trajectory.snapshots) + 2
    assert run.wait_for(more, 10)
    assert len(run.trajectory.snapshots) >= more  # it was not ended
    comparison = trainings.show(there, overlapping())
    assert [panel.key for panel in comparison.panels] == ["nca"]
    assert not trainings.differs(there)
    trainings.reset(there)
    assert run.wait_for_end(10)


def test_a_second_run_stands_beside_the_first(space):
    trainings.train(space, overlapping())
    trainings.keep_on_compare(space)
    space.document.change(space.document.recipe.with_panel(PanelRecipe("nca", {"max_iter": 30, "objective": "g"})))
    trainings.train(space, overlapping())
    assert trainings.keep_on_compare(space)
    there = space.second
    assert [panel.key for panel in there.document.recipe.panels] == ["nca", "nca-2"]
    assert dict(there.document.recipe.panel("nca-2").settings)["objective"] == "g"
    assert there.runs["nca"].run is not there.runs["nca-2"].run
    assert trainings.trajectories(there) == []  # nothing is shown yet
    trainings.show(there, overlapping())
    assert set(there.runs) == {"nca", "nca-2"}


def test_other_rows_begin_anew_and_undo_has_the_old_recipe(space):
    trainings.train(space, overlapping())
    trainings.keep_on_compare(space)
    before = space.second.document.recipe
    first = space.second.runs["nca"].run
    space.document.change(replace(space.document.recipe, n_components=3))
    trainings.train(space, overlapping())
    assert not trainings.keep_on_compare(space)
    there = space.second
    assert there.document.recipe.n_components == 3
    assert list(there.runs) == ["nca"]
    assert first.wait_for_end(10)
    there.document.undo()
    assert there.document.recipe == before


def test_both_workspaces_end_together(space):
    trainings.train(space, overlapping())
    trainings.keep_on_compare(space)
    run = space.second.runs["nca"].run
    space.forget()
    assert run.wait_for_end(10)


def test_one_panel_is_trained_and_taken_back_alone(space):
    own = space.document
    own.recipe = replace(own.recipe, panels=(*own.recipe.panels, PanelRecipe("nca-2", {"max_iter": 30})))
    trainings.train(space, overlapping())
    first, second = (space.runs[key].run for key in ("nca", "nca-2"))
    trainings.train(space, overlapping(), "nca-2")
    assert space.runs["nca"].run is first
    assert space.runs["nca-2"].run is not second
    assert second.wait_for_end(10)
    trainings.reset(space, "nca-2")
    assert list(space.runs) == ["nca"]
    assert trainings.differs(space)
