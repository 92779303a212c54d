"""A comparison on the stage: aligned panels, every feature set, and what each panel says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.catalogue import load_dataset
from stage.scene import align_panels, build_scene
from study.compare import compare
from study.panel import PanelRecipe
from study.recipe import FIELDS, DataRecipe, Recipe


def scene(*panels, key="breast_cancer", held_out=0.25, **fields):
    recipe = FIELDS["held_out"].put(Recipe(data=DataRecipe(key), panels=panels), held_out)
    comparison = compare(recipe, load_dataset(key))
    return comparison, build_scene(comparison)


def test_still_panels_are_turned_onto_the_first_by_the_training_rows():
    comparison, shown = scene(PanelRecipe("pca"), PanelRecipe("lda"), PanelRecipe("whitening"))
    fitted = tuple(replace(panel, frame=comparison.panel(panel.key).transformation) for panel in shown.panels)
    for panel, wanted in zip(
        shown.panels, align_panels(shown.features, fitted, comparison.prepared.train), strict=True
    ):
        np.testing.assert_allclose(panel.frame, wanted.frame)
    assert np.abs(shown.panels[1].frame - fitted[1].frame).max() > 1e-3


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
