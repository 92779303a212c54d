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


def made_by(space, what, iteration=5, key="nca"):
    before = set(space.runs)
    time_machine(space, overlapping())(key, what, iteration)
    panel = space.document.recipe.panels[1]
    assert panel.key == "nca-2"
    assert st.session_state[SETTINGS_OF] == "nca-2"
    return panel, set(space.runs) - before


def test_a_branch_waits_for_other_settings_and_begins_at_the_iteration(space):
    panel, began = made_by(space, "branch")
    assert (panel.start, began) == ("nca@5", set())
    trainings.train(space, overlapping(), "nca-2")
    run, source = space.runs["nca-2"].run, space.runs["nca"].run.trajectory.snapshots[5]
    assert run.wait_for(1, 30)
    assert (run.trajectory.snapshots[0].transformation == source.transformation).all()


def test_again_is_the_same_from_the_same_start(space):
    panel, began = made_by(space, "again")
    assert (panel.start, dict(panel.settings), panel.random_state, began) == ("", {"max_iter": 8}, 0, set())


def test_another_seed_trains_at_once_and_the_run_before_stays(space):
    run = space.runs["nca"].run
    panel, began = made_by(space, "seed")
    assert (panel.start, panel.random_state, began) == ("random", 1, {"nca-2"})
    assert space.runs["nca"].run is run


def test_a_panel_that_is_gone_or_does_not_train_makes_none(space):
    time_machine(space, overlapping())("lda", "branch", 3)
    time_machine(space, overlapping())("pca", "branch", 3)
    assert len(space.document.recipe.panels) == 2
    assert "PCA does not train" in str(st.session_state["compare.refused"])
