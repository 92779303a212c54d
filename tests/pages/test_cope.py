"""Does it cope? The data change under a training that goes on, on the page and in the workspace."""

import time

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.noise_lab import NoiseConfig
from pages.server import trainings
from pages.server.workspace import Workspace
from study.coping import noise_response
from study.panel import PanelRecipe
from tests.pages.app_page import address, button, press, run_of, said, space
from tests.study.some_data import overlapping, recipe_of

WINE = {"data": "wine", "panels": "pca,nca", "nca.max_iter": "6", "ask": "cope"}


def ended(page):
    assert run_of(page).wait_for_end(60)
    page.run()


def test_noise_comes_while_the_training_goes_on(open_page):
    page = open_page(WINE, "understand.py")
    assert button(page, "Add noise").disabled
    assert any("Press Train first" in text for text in said(page.caption))
    press(page, "Train")
    ended(page)
    before, first = run_of(page), space(page).document.comparison
    last = before.latest()
    page.number_input(key="understand.cope_columns").set_value(4).run()
    press(page, "Add noise")
    assert run_of(page) is not before
    ended(page)
    assert address(page)["noise.columns"] == "4"
    snapshots = run_of(page).trajectory.snapshots
    np.testing.assert_allclose(snapshots[0].transformation[:, :13], last.transformation, rtol=1e-12)
    assert not snapshots[0].transformation[:, 13:].any()
    assert snapshots[0].mean_p == pytest.approx(last.mean_p, rel=1e-9)
    assert snapshots[-1].transformation[:, 13:].any()
    assert any(f"its f/n stayed at {last.mean_p:.3f}" in text for text in said(page.markdown))
    table = page.dataframe[-1].value.set_index("Panel")
    comparison = space(page).document.comparison
    for key, title in (("pca", "PCA"), ("nca", "NCA")):
        then, since = (None, None) if key == "pca" else (last, snapshots[-1])
        row = table.loc[title]
        assert row["held-out 1-NN before"] == pytest.approx(noise_response(first, key, then).held_out_1nn)
        assert row["held-out 1-NN now"] == pytest.approx(noise_response(comparison, key, since).held_out_1nn)
    assert table.loc["NCA", "K̂ now"] == pytest.approx(snapshots[-1].k_mean_entropy)
    assert button(page, "Add noise").disabled  # so many columns are there


def test_changes_are_taken_back_one_by_one(open_page):
    page = open_page(WINE, "understand.py")
    press(page, "Train")
    ended(page)
    first = run_of(page).latest().transformation
    press(page, "Add noise")
    ended(page)
    second = run_of(page).latest().transformation
    press(page, "Flip labels")
    ended(page)
    press(page, "Undo")
    assert run_of(page).wait_for(1, 30)
    np.testing.assert_array_equal(run_of(page).trajectory.snapshots[0].transformation, second)
    assert (space(page).document.recipe.noise.noise_columns, space(page).document.recipe.noise.flipped_share) == (5, 0)
    ended(page)
    assert any("change is undone" in text for text in said(page.caption))
    assert not any("flipped" in text for text in said(page.markdown))
    press(page, "Undo")
    assert run_of(page).wait_for(1, 30)
    np.testing.assert_array_equal(run_of(page).trajectory.snapshots[0].transformation, first)
    assert "noise.columns" not in address(page)
    ended(page)
    assert button(page, "Undo").disabled


def test_a_press_that_cannot_be_granted_changes_nothing(open_page, monkeypatch):
    page = open_page(WINE, "understand.py")
    press(page, "Train")
    ended(page)
    run, recipe = run_of(page), space(page).document.recipe

    def refused(*_):
        raise DataError("This is too large to compute with. Choose a smaller factor.")

    monkeypatch.setattr(trainings, "carried_out", refused)
    press(page, "Rescale")
    assert [text for text in said(page.error) if "Choose a smaller factor" in text]
    assert run_of(page) is run
    assert space(page).document.recipe == recipe
    page.run()
    assert not page.error


@pytest.fixture
def workspace():
    made = Workspace("token", time.monotonic)
    few = {"max_iter": 4}
    panels = PanelRecipe("nca", few), PanelRecipe("nca-2", few, features="rbf"), PanelRecipe("lda")
    made.document.recipe = recipe_of(*panels)
    yield made
    made.forget()


def test_one_that_cannot_be_carried_over_begins_anew_beside_one_that_can(workspace):
    trainings.train(workspace, overlapping())
    assert all(held.run.wait_for_end(60) for held in workspace.runs.values())
    last = workspace.latest("nca").transformation
    starts = trainings.go_on_with(workspace, overlapping(), NoiseConfig(flipped_share=0.3))
    assert starts["nca-2"] is None
    assert all(held.run.wait_for(1, 60) for held in workspace.runs.values())
    np.testing.assert_allclose(workspace.runs["nca"].run.trajectory.snapshots[0].transformation, last, rtol=1e-12)
    start = workspace.document.comparison.panel("nca-2").transformation
    np.testing.assert_array_equal(workspace.runs["nca-2"].run.trajectory.snapshots[0].transformation, start)
