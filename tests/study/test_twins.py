"""Panels that are the same up to a rotation are found by where they put the rows, whatever their names."""

from __future__ import annotations

import numpy as np
import pytest

from pages.stage.scene_of import scene_of
from study.compare import compare
from study.panel import PanelRecipe
from study.recipe import Recipe
from study.twins import same_up_to_a_rotation, twins_of
from tests.study.some_data import overlapping

RNG = np.random.default_rng(4)
Y = RNG.normal(size=(30, 2))
Y -= Y.mean(axis=0)
TURN = np.array([[0.6, -0.8], [-0.8, -0.6]])  # with a reflection


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (Y, True),
        (Y @ TURN, True),
        (Y @ TURN * 1.001, False),
        (Y @ np.diag([1.0, 1.001]), False),
        (Y + 1e-4 * RNG.normal(size=Y.shape), False),
        (np.zeros_like(Y), False),
    ],
)
def test_rotations_and_reflections_only(other, same):
    assert same_up_to_a_rotation(Y, other) is same
    assert same_up_to_a_rotation(1e9 * Y, 1e9 * other) is same


def twins(*keys, **recipe):
    panels = tuple(PanelRecipe(key) for key in keys)
    return compare(Recipe(panels=panels, **recipe), overlapping())


def test_lda_rca_and_both_are_one_projection_in_as_many_dimensions_as_the_classes_span():
    comparison = twins("pca", "rca", "lda", "lda_rca", "ica", "whitening", "nca")
    assert twins_of(comparison) == {"lda": "rca", "lda_rca": "rca", "whitening": "ica"}
    notes = {panel.key: panel.note for panel in scene_of(comparison).panels}
    assert notes["lda"].startswith("The same as RCA up to a rotation.")
    assert notes["whitening"].startswith("The same as ICA up to a rotation.")
    assert "same as" not in notes["rca"] + notes["pca"] + notes["nca"]


def test_in_more_dimensions_they_part():
    found = twins_of(twins("rca", "lda", "lda_rca", n_components=3))
    assert "lda" not in found
