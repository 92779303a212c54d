"""The time machine: each wish makes one panel, shows its settings, and only another seed trains at once."""

import pytest
import streamlit as st

from pages.controls.panel_cards import time_machine
from pages.controls.settings import SETTINGS_OF
from pages.server import trainings
from pages.server.workspace import Hub
from study.panel import PanelRecipe
from tests.study.some_data import overlapping, recipe_of


@pytest.fixture
def space(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    hub = Hub()
    held = hub.open()
    held.document.recipe = recipe_of(PanelRecipe("nca", {"max_iter": 8}), PanelRecipe("pca"))
    trainings.train(held, overlapping())
    assert held.runs["nca"].run.wait_for_end(30)
    yield held
    hub.shutdown()


@pytest.mark.parametrize(
    ("what", "start", "seed", "began"),
    [("branch", "nca@5", 0, set()), ("again", "", 0, set()), ("seed", "random", 1, {"nca-2"})],
)
def test_a_copy_waits_for_other_settings_and_another_seed_trains_at_once(space, what, start, seed, began):
    before = space.runs["nca"].run
    time_machine(space, overlapping())("nca", what, 5)
    panel = space.document.recipe.panels[1]
    assert (panel.key, st.session_state[SETTINGS_OF]) == ("nca-2", "nca-2")
    assert (panel.start, dict(panel.settings), panel.random_state) == (start, {"max_iter": 8}, seed)
    assert space.runs.keys() - {"nca"} == began
    assert space.runs["nca"].run is before
    if what == "branch":
        trainings.train(space, overlapping(), "nca-2")
        run, source = space.runs["nca-2"].run, before.trajectory.snapshots[5]
        assert run.wait_for(1, 30)
        assert (run.trajectory.snapshots[0].transformation == source.transformation).all()


def test_a_panel_that_is_gone_or_does_not_train_makes_none(space):
    time_machine(space, overlapping())("lda", "branch", 3)
    time_machine(space, overlapping())("pca", "branch", 3)
    assert len(space.document.recipe.panels) == 2
    assert "PCA does not train" in str(st.session_state["compare.refused"])
