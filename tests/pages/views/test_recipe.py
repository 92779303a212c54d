"""A recipe in words: what differs from the defaults, a panel in a line, a locked part of the sidebar."""

from dataclasses import replace

import pytest

from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig
from lessons.base.own import PARTS
from pages.views.recipe import advanced_differences, card_line, kept_with_data, part_sentence
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe, with_seed

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


def card(*panels: PanelRecipe) -> str:
    return card_line(Recipe(panels=panels), panels[-1])


def test_a_panel_as_it_comes_needs_no_words():
    assert card(PanelRecipe("nca")) == ""
    assert card(PanelRecipe("nca", title="mine")) == "NCA"


def test_what_was_chosen_is_listed():
    panel = PanelRecipe("nca", {"objective": "g", "regularisation": 0.5}, "shuffled", "uniform", random_state=3)
    assert card(panel) == (
        "objective g: log-probability · penalty λ on ‖A‖² 0.5 · starts from random uniform · labels shuffled · seed 3"
    )


def test_a_branch_names_its_frame():
    assert card(PanelRecipe("nca", title="mine"), PanelRecipe("nca-2", start="nca@7")) == (
        "starts from mine, iteration 7"
    )


RECIPE = Recipe(
    data=DataRecipe("wine"),
    noise=NoiseConfig(noise_columns=7),
    preparation=PreparationConfig(step="whitening", held_out_fraction=0.2),
    n_components=3,
    panels=(PanelRecipe("pca"), PanelRecipe("nca", {"max_iter": 47}, start="lda", title="Mine", random_state=5)),
)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("data", ["Wine"]),
        ("noise", ["7 columns of noise"]),
        ("preparation", ["whitening", "20\N{NO-BREAK SPACE}%"]),
        ("panels", ["PCA", "Mine"]),
        ("training", ["3", "Mine from LDA", "47"]),
        ("advanced", ["several seeds"]),
    ],
)
def test_a_part_says_what_it_is_set_to(part, words):
    said = part_sentence(part, RECIPE, "Wine")
    assert all(word in said for word in words)
    assert said != part_sentence(part, Recipe(), "Rings")


def test_every_part_has_words():
    assert all(part_sentence(part, Recipe(), "Rings") for part in PARTS)
