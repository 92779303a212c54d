"""Workspace.at: the snapshot that the stage holds, of that run only; else the newest."""

from __future__ import annotations

from datasets.catalogue import load_dataset
from pages.server.measurements import measurements
from pages.server.workspace import Workspace
from study.compare import compare
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe


def test_the_stage_holds_a_snapshot_of_one_run():
    comparison = compare(
        Recipe(data=DataRecipe("iris"), panels=(PanelRecipe("nca", {"max_iter": 4}), PanelRecipe("pca"))),
        load_dataset("iris"),
    )
    space = Workspace("t", lambda: 0.0)
    assert (space.place_shown("nca"), space.at("nca")) == (-1, None)
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
    for held in ((number + 1, 1), (number, 99), (number, -1)):  # another run, or no snapshot of it
        space.held = {"nca": held}
        assert space.at("nca") is history[-1]
    run.stop()
