"""A drawing keeps its orientation in PCA's picture and at the start of a training from it."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.catalogue import load_dataset
from datasets.drawn import drawn_dataset, on_the_board
from study.compare import compare
from study.panel import PanelRecipe
from study.recipe import Recipe


def drawing(tall: bool, noise: int):
    """Two bars of 60 points with `noise` columns beside, lying or standing."""
    rng = np.random.default_rng(4)
    y = np.arange(120) % 2
    bars = np.column_stack([rng.uniform(-1, 1, 120), 0.8 * y - 0.4 + rng.uniform(-0.1, 0.1, 120)])
    return drawn_dataset(bars[:, ::-1] if tall else bars, y, noise, 0.3)


@pytest.mark.parametrize("n_components", [2, 3])
@pytest.mark.parametrize("tall", [False, True])
def test_pca_keeps_a_drawing_upright_and_the_training_begins_there(tall, n_components):
    dataset = drawing(tall, 3)
    recipe = Recipe(panels=(PanelRecipe("pca"), PanelRecipe("nca")), n_components=n_components)
    found = compare(recipe, dataset)
    A = found.panel("pca").transformation
    shown = A[:, :2]  # where the board's x and y point
    assert shown[0, 0] > abs(shown[1, 0]) - 1e-9
    assert shown[1, 1] > abs(shown[0, 1]) - 1e-9
    assert shown[0, 1] == pytest.approx(shown[1, 0])  # no turn within the picture brings them nearer
    np.testing.assert_allclose(A @ A.T, np.eye(n_components), atol=1e-9)  # the same plane, not stretched
    start = found.panel("nca").transformation  # larger or smaller by a factor
    np.testing.assert_allclose(start / np.linalg.norm(start), A / np.linalg.norm(A), atol=1e-9)
    np.testing.assert_allclose(found.trained("nca").snapshots[0].transformation, start)


def test_other_data_keep_the_axes_of_pca():
    dataset, A = drawing(True, 0), np.array([[0.0, 1.0], [1.0, 0.0]])
    np.testing.assert_allclose(on_the_board(A, dataset), np.eye(2))
    other = compare(Recipe(), drawing(True, 0)).prepared.dataset
    assert other.feature_names == ("x", "y")
    assert on_the_board(A, load_dataset("iris")) is A
