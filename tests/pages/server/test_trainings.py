"""Trainings of a workspace without a page: where a frame of another panel comes from, and when runs have to end."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from pages.server import trainings
from pages.server.workspace import Workspace
from study.fields import PACES
from study.panel import PanelRecipe
from tests.study.some_data import overlapping, recipe_of

FRAME = 2


@pytest.fixture
def space():
    space = Workspace("token", time.monotonic)
    few = {"max_iter": 4}
    panels = PanelRecipe("nca", few), PanelRecipe("nca-2", few, start=f"nca@{FRAME}")
    space.belongings.recipe = replace(recipe_of(*panels), pace="full_speed")
    yield space
    space.forget()


def trained(space):
    """The trajectories by panel, once all have ended."""
    trainings.train(space, overlapping())
    assert all(held.run.wait_for_end(60) for held in space.runs.values())
    return {key: held.run.trajectory.snapshots for key, held in space.runs.items()}


def test_a_frame_is_taken_from_a_run_only_while_it_has_the_settings_of_the_recipe(space):
    own = space.belongings
    first = trained(space)
    again = trained(space)
    np.testing.assert_array_equal(again["nca-2"][0].transformation, first["nca"][FRAME].transformation)
    nca = own.recipe.panel("nca")
    own.change(own.recipe.with_panel(replace(nca, settings={**dict(nca.settings), "objective": "g"})))
    other = trained(space)
    start = other["nca-2"][0].transformation
    np.testing.assert_allclose(start, other["nca"][FRAME].transformation, rtol=1e-6)
    assert not np.allclose(start, first["nca"][FRAME].transformation, rtol=1e-3)


@pytest.mark.parametrize(
    "change",
    [
        lambda recipe: replace(recipe, noise=replace(recipe.noise, noise_columns=2)),
        lambda recipe: replace(recipe, preparation=replace(recipe.preparation, random_state=5)),
        lambda recipe: replace(recipe, preparation=replace(recipe.preparation, step="robust")),
        lambda recipe: replace(recipe, n_components=3),
    ],
    ids=["noise", "split", "scaling", "dimensions"],
)
def test_runs_end_with_the_rows_that_they_were_trained_on(space, change):
    trained(space)
    own = space.belongings
    own.change(change(own.recipe))
    comparison = trainings.show(space, overlapping())
    assert not space.runs
    assert not own.started
    assert comparison.recipe == own.recipe


def test_runs_go_on_with_another_pace(space):
    trained(space)
    runs = dict(space.runs)
    own = space.belongings
    version = space.scene_version
    own.change(replace(own.recipe, pace="calm"))
    trainings.show(space, overlapping())
    trainings.pace(space)
    assert dict(space.runs) == runs
    assert space.scene_version == version
    assert {held.run.min_interval for held in runs.values()} == {PACES["calm"]}
