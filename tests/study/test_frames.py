"""Trainings that start from a frame of another panel: it is that frame, whoever trained for it."""

from __future__ import annotations

import numpy as np
import pytest

from study.panel import PanelRecipe
from tests.study.some_data import compared


@pytest.mark.parametrize("optimiser", ["l-bfgs", "bfgs", "cg", "gradient-ascent", "stochastic"])
@pytest.mark.parametrize("iteration", [0, 3])
def test_a_start_from_a_frame_is_that_frame(optimiser, iteration):
    comparison = compared(
        PanelRecipe("nca", {"max_iter": 6, "optimiser": optimiser}, start="lda"),
        PanelRecipe("nca-2", {"max_iter": 1, "objective": "g"}, start=f"nca@{iteration}"),
    )
    source = comparison.train("nca").snapshots[iteration].transformation
    np.testing.assert_array_equal(comparison.train("nca-2").snapshots[0].transformation, source)


def test_a_frame_beyond_the_end_is_the_last_one():
    comparison = compared(PanelRecipe("nca", {"max_iter": 3}), PanelRecipe("nca-2", {"max_iter": 1}, start="nca@500"))
    last = comparison.train("nca").snapshots[-1]
    assert last.iteration == 3
    np.testing.assert_array_equal(comparison.train("nca-2").snapshots[0].transformation, last.transformation)


@pytest.mark.parametrize("start", ["best_of_several", "sample_first"])
def test_frame_0_of_a_start_that_is_trained_for(start):
    comparison = compared(
        PanelRecipe("nca", {"max_iter": 1}, start=start), PanelRecipe("nca-2", {"max_iter": 1}, start="nca@0")
    )
    found = comparison.train("nca").snapshots[0].transformation
    np.testing.assert_array_equal(comparison.train("nca-2").snapshots[0].transformation, found)
    assert "as it is when this training begins" in comparison.panel("nca-2").note


def test_a_frame_of_a_frame():
    comparison = compared(
        PanelRecipe("nca", {"max_iter": 4}),
        PanelRecipe("nca-2", {"max_iter": 3, "objective": "g"}, start="nca@2", labels="shuffled"),
        PanelRecipe("nca-3", {"max_iter": 1}, start="nca-2@3"),
    )
    one, two, three = (comparison.train(key).snapshots for key in ("nca", "nca-2", "nca-3"))
    np.testing.assert_array_equal(two[0].transformation, one[2].transformation)
    np.testing.assert_array_equal(three[0].transformation, two[-1].transformation)


def test_a_frame_that_is_there_already_is_not_trained_for_again():
    comparison = compared(PanelRecipe("nca"), PanelRecipe("nca-2", {"max_iter": 1}, start="nca@2"))
    asked = []
    A = np.random.default_rng(0).normal(size=(2, 6))

    def frames(key, iteration):
        asked.append((key, iteration))
        return A

    run = comparison.new_run("nca-2", frames=frames)
    run.start()
    assert run.wait_for_end(60)
    run.stop()
    assert asked == [("nca", 2)]
    np.testing.assert_array_equal(run.trajectory.snapshots[0].transformation, A)


def test_what_is_shown_before_a_frame_is_known():
    comparison = compared(
        PanelRecipe("nca", title="first"),
        PanelRecipe("nca-2", start="nca@0"),
        PanelRecipe("nca-3", start="nca@5"),
        PanelRecipe("nca-4", start="nca-3@0"),
    )
    notes = [panel.note for panel in comparison.panels]
    assert notes[1] == "Starts from iteration 0 of first."
    assert notes[2] == "Starts from iteration 5 of first, as it is when this training begins."
    assert notes[3] == "Starts from iteration 0 of NCA 3, as it is when this training begins."
    for panel in comparison.panels[1:]:
        np.testing.assert_array_equal(panel.transformation, comparison.panel("nca").transformation)
