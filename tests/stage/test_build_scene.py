"""A comparison on the stage: aligned panels, every feature set, and what each panel says."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.catalogue import load_dataset
from stage.scene import build_scene
from study.compare import compare
from study.panel import PanelRecipe
from study.recipe import FIELDS, DataRecipe, Recipe


def scene(*panels, key="breast_cancer", held_out=0.25, **fields):
    recipe = FIELDS["held_out"].put(Recipe(data=DataRecipe(key), panels=panels), held_out)
    comparison = compare(recipe, load_dataset(key))
    return comparison, build_scene(comparison)


def apart(Y, Z):
    """How far two projections of the same rows are apart, each in units of its own size."""
    return np.linalg.norm(Y / np.linalg.norm(Y) - Z / np.linalg.norm(Z))


def test_still_panels_are_turned_onto_the_first_and_nothing_else():
    comparison, shown = scene(PanelRecipe("pca"), PanelRecipe("lda"), PanelRecipe("whitening"))
    rows, X = comparison.prepared.train, shown.features[0]
    first = (X @ shown.panels[0].frame.T)[rows]
    first -= first.mean(axis=0)
    for panel in shown.panels[1:]:
        fitted = comparison.panel(panel.key).transformation
        before, after = ((X @ A.T)[rows] for A in (fitted, panel.frame))
        before, after = before - before.mean(axis=0), after - after.mean(axis=0)
        np.testing.assert_allclose(after @ after.T, before @ before.T, atol=1e-6)  # no distance has changed
        overlap = first.T @ after
        np.testing.assert_allclose(overlap, overlap.T, atol=1e-6 * np.abs(overlap).max())  # the best rotation of all
        assert np.linalg.eigvalsh(overlap).min() > -1e-6
        assert apart(first, after) <= apart(first, before) + 1e-9
    assert apart(first, (X @ shown.panels[1].frame.T)[rows]) < apart(first, -first)


def test_a_trained_panel_shows_the_start_as_it_is():
    comparison, shown = scene(PanelRecipe("lda"), PanelRecipe("nca"))
    np.testing.assert_array_equal(shown.panels[1].frame, comparison.panel("nca").transformation)
    assert [panel.live for panel in shown.panels] == [False, True]


def test_panels_on_kernel_features_bring_their_own():
    comparison, shown = scene(
        PanelRecipe("pca"), PanelRecipe("lda", features="rbf"), PanelRecipe("pca-2", features="rbf"), key="iris"
    )
    assert [panel.features for panel in shown.panels] == [0, 1, 1]
    assert len(shown.features) == 2
    np.testing.assert_array_equal(shown.features[1], comparison.panel("lda").X)
    assert shown.panels[1].frame.shape == (2, shown.features[1].shape[1])


def test_an_embedding_is_coordinates_of_all_rows():
    comparison, shown = scene(PanelRecipe("tsne"), key="iris")
    assert shown.panels[0].kind == "coordinates"
    np.testing.assert_array_equal(shown.panels[0].frame, comparison.panel("tsne").embedding)


def test_shuffled_labels_colour_their_own_panel_only():
    comparison, shown = scene(PanelRecipe("pca"), PanelRecipe("nca", labels="shuffled"), key="iris")
    assert shown.panels[0].labels is None
    np.testing.assert_array_equal(shown.panels[1].labels, comparison.panel("nca").y)
    assert (shown.panels[1].labels != shown.labels).any()
    assert "Colours and shapes are the shuffled labels." in shown.panels[1].note


def test_what_cannot_run_is_a_card_with_its_reason():
    _, shown = scene(PanelRecipe("pca"), PanelRecipe("lda", labels="none"), key="iris")
    assert shown.panels[1].frame is None
    assert "no labels" in shown.panels[1].problem
    assert shown.panels[0].frame is not None


@pytest.mark.parametrize("share", [0.0, 0.4])
def test_held_out_rows_are_marked(share):
    comparison, shown = scene(PanelRecipe("pca"), key="iris", held_out=share)
    assert shown.held_out.sum() == round(150 * share)
    np.testing.assert_array_equal(shown.held_out, comparison.prepared.held_out)


@pytest.mark.parametrize(
    ("settings", "formula"),
    [
        ({}, ""),
        ({"objective": "g"}, "Σ log pᵢ"),
        ({"regularisation": 0.01}, "Σ pᵢ − 0.01 ‖A‖²"),
        ({"objective": "pairs", "regularisation": 0.5}, "Σ Σ log pᵢⱼ − 0.5 ‖A‖²"),
    ],
)
def test_a_trained_panel_names_what_it_climbs_where_that_is_not_f(settings, formula):
    _, shown = scene(PanelRecipe("pca"), PanelRecipe("nca", settings))
    assert [panel.objective for panel in shown.panels] == ["", formula]


def test_methods_with_an_objective_of_their_own_name_it():
    _, shown = scene(
        PanelRecipe("mcml", {"regularisation": 0.5}),
        PanelRecipe("gvsm"),
        PanelRecipe("mlkr"),
        PanelRecipe("neural_nca", {"regularisation": 0.1, "n_hidden": 3}),
    )
    assert [panel.objective for panel in shown.panels] == [
        "−Σ KL[p⁰ᵢ ‖ pᵢ] + const − 0.5 s tr Q",
        "−Σ (s − p)², leave one out",
        "−Σ (t − t̂)²",
        "Σ pᵢ − 0.1 (‖W‖² + ‖V‖²)",
    ]
    assert [panel.kind for panel in shown.panels] == ["matrix", "matrix", "matrix", "coordinates"]
    assert shown.panels[3].frame.shape == (shown.n_samples, 2)
