"""What is not as by default is named, however it was set; nothing is where nothing was."""

from __future__ import annotations

from dataclasses import replace

from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from pages.views.differences import advanced_differences, kept_with_data
from study.panel import PanelRecipe
from study.recipe import Recipe
from study.seed import with_seed

PLAIN = Recipe()


def test_the_defaults_have_nothing_to_say():
    assert advanced_differences(PLAIN) == kept_with_data(PLAIN) == []


def test_every_kind_of_setting_under_advanced_is_named():
    panels = (
        PanelRecipe("nca", {"objective": "g", "regularisation": 0.5, "max_iter": 7}, labels="shuffled"),
        PanelRecipe("nca-2", features="polynomial"),
    )
    preparation = PreparationConfig(held_out_fraction=0.4, components=12, max_rows=1_000, sampling="random")
    said = advanced_differences(with_seed(replace(PLAIN, panels=panels, preparation=preparation), 3))
    assert said[:4] == ["trained on 12 principal components", "at most 1,000 rows", "sampled at random", "seed 3"]
    assert said[4:7] == ["NCA: Objective g: log-probability", "NCA: Penalty λ on ‖A‖² 0.5", "NCA: labels shuffled"]
    assert said[7].startswith("NCA 2: features ")
    assert len(said) == 8  # maximal iterations stand in sight


def test_seeds_that_differ_are_several():
    assert advanced_differences(replace(PLAIN, noise=NoiseConfig(random_state=1))) == ["several seeds"]


def test_what_holds_for_other_data_too_is_named():
    recipe = replace(
        PLAIN,
        noise=NoiseConfig(noise_columns=5, flipped_share=0.1),
        preparation=PreparationConfig(held_out_fraction=0.4, components=12),
    )
    assert kept_with_data(recipe) == [
        "5 columns of noise",
        "10\N{NO-BREAK SPACE}% of the labels flipped",
        "40\N{NO-BREAK SPACE}% held out",
        "trained on 12 principal components",
    ]
    nothing = replace(PLAIN, preparation=PreparationConfig(held_out_fraction=0.0))
    assert kept_with_data(nothing) == ["nothing held out"]
