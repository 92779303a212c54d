"""Does it cope? The data change under a training that goes on, on the page and in the workspace."""

import numpy as np
import pytest

from datasets.base.errors import DataError
from datasets.noise_lab import NoiseConfig
from pages.server import trainings
from pages.server.workspace import Hub
from study.coping import noise_response
from study.panel import PanelRecipe
from tests.pages.app_page import address, button, lines, press, run_of, said, space
from tests.study.some_data import overlapping, recipe_of


def test_noise_comes_while_the_training_goes_on_and_is_taken_back_change_by_change(open_page, monkeypatch):
    page = open_page({"data": "wine", "panels": "pca,nca", "nca.max_iter": "6", "ask": "cope"}, "understand.py")

    def start_of(label):
        """A of the training that goes on after this press."""
        press(page, label)
        assert run_of(page).wait_for_end(60)
        page.run()
        return run_of(page).trajectory.snapshots[0].transformation

    assert button(page, "Add noise").disabled
    assert "Press Train first" in lines(page)
    start_of("Train")
    before, first = run_of(page), space(page).document.comparison
    last = before.latest()
    page.number_input(key="understand.cope_columns").set_value(4).run()
    start = start_of("Add noise")
    assert run_of(page) is not before
    assert address(page)["noise.columns"] == "4"
    snapshots = run_of(page).trajectory.snapshots
    np.testing.assert_allclose(start[:, :13], last.transformation, rtol=1e-12)
    assert not start[:, 13:].any()
    assert snapshots[0].mean_p == pytest.approx(last.mean_p, rel=1e-9)
    assert snapshots[-1].transformation[:, 13:].any()
    assert f"its f/n stayed at {last.mean_p:.3f}" in lines(page)
    table = page.dataframe[-1].value.set_index("Panel")
    comparison = space(page).document.comparison
    for key, title, then, since in (("pca", "PCA", None, None), ("nca", "NCA", last, snapshots[-1])):
        row = table.loc[title]
        assert row["held-out 1-NN before"] == pytest.approx(noise_response(first, key, then).held_out_1nn)
        assert row["held-out 1-NN now"] == pytest.approx(noise_response(comparison, key, since).held_out_1nn)
    assert table.loc["NCA", "K̂ now"] == pytest.approx(snapshots[-1].k_mean_entropy)
    assert button(page, "Add noise").disabled  # so many columns are there
    start_of("Flip labels")
    np.testing.assert_array_equal(start_of("Undo"), snapshots[-1].transformation)
    assert (space(page).document.recipe.noise.noise_columns, space(page).document.recipe.noise.flipped_share) == (4, 0)
    assert "change is undone" in lines(page)
    assert not any("flipped" in text for text in said(page.markdown))
    np.testing.assert_array_equal(start_of("Undo"), last.transformation)
    assert "noise.columns" not in address(page)
    assert button(page, "Undo").disabled
    run, recipe = run_of(page), space(page).document.recipe

    def refused(*_):
        raise DataError("This is too large to compute with. Choose a smaller factor.")

    monkeypatch.setattr(trainings, "prepare_rows", refused)
    press(page, "Rescale")
    assert "Choose a smaller factor" in said(page.error)[0]
    assert run_of(page) is run
    assert space(page).document.recipe == recipe
    page.run()
    assert not page.error


def test_one_that_cannot_be_carried_over_begins_anew_beside_one_that_can():
    workspace, few = Hub().open(), {"max_iter": 4}
    panels = PanelRecipe("nca", few), PanelRecipe("nca-2", few, features="rbf"), PanelRecipe("lda")
    workspace.document.recipe = recipe_of(*panels)
    trainings.train(workspace, overlapping())
    assert all(held.run.wait_for_end(60) for held in workspace.runs.values())
    last = workspace.latest("nca").transformation
    starts = trainings.continue_with(workspace, overlapping(), NoiseConfig(flipped_share=0.3))
    assert starts["nca-2"] is None
    assert all(held.run.wait_for(1, 60) for held in workspace.runs.values())
    np.testing.assert_allclose(workspace.runs["nca"].run.trajectory.snapshots[0].transformation, last, rtol=1e-12)
    start = workspace.document.comparison.panel("nca-2").transformation
    np.testing.assert_array_equal(workspace.runs["nca-2"].run.trajectory.snapshots[0].transformation, start)
    workspace.discard()
