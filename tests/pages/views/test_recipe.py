"""A recipe in words: what differs from the defaults, a panel in a line, a locked part of the sidebar."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.catalogue import load_dataset
from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig, prepare
from lessons.base.own import PARTS
from nca_core.snapshot import Candidate, Trajectory
from pages.views.notes import preparation_steps, remarks
from pages.views.recipe import advanced_differences, card_line, family_tree, kept_with_data, part_sentence
from study.panel import PanelRecipe
from study.panel_changes import with_other_seed
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


# -- the tree of branches


def test_a_branch_stands_under_what_it_came_from():
    panels = (
        PanelRecipe("nca", title="*mine*"),
        PanelRecipe("lda"),
        PanelRecipe("nca-2", start="nca@12"),
        PanelRecipe("nca-3", start="nca-2@4"),
        PanelRecipe("nca-4", start="nca@0"),
    )
    assert family_tree(Recipe(panels=panels)).splitlines() == [
        "- **\\*mine\\***",
        "    - **NCA 2** from iteration 12",
        "        - **NCA 3** from iteration 4",
        "    - **NCA 4** from iteration 0",
        "- **LDA**",
    ]


def test_copies_twins_seeds_and_other_settings_stand_under_what_they_repeat():
    panels = (
        PanelRecipe("nca", start="random"),
        PanelRecipe("nca-2", start="random", random_state=3),
        PanelRecipe("nca-3", start="random", labels="shuffled"),
        PanelRecipe("nca-4", {"objective": "g"}, start="random"),
        PanelRecipe("nca-5", {"objective": "g"}, start="random", title="mine"),
        PanelRecipe("pca"),
        PanelRecipe("pca-2"),
    )
    assert family_tree(Recipe(panels=panels)).splitlines() == [
        "- **NCA**",
        "    - **NCA 2** with seed 3",
        "    - **NCA 3** with shuffled labels",
        "    - **NCA 4** from the same start, other settings",
        "    - **mine** from the same start, other settings",
        "- **PCA**",
        "- **PCA 2**",
    ]


def test_another_seed_of_what_draws_nothing_stands_under_it():
    made = with_other_seed(Recipe(panels=(PanelRecipe("nca"),)), "nca")
    assert family_tree(made).splitlines() == [
        "- **NCA**",
        "    - **NCA, random start, seed 1** from a random start, seed 1",
    ]


def test_what_differs_in_two_things_stands_for_itself():
    panels = (
        PanelRecipe("nca", start="random"),
        PanelRecipe("nca-2", {"objective": "g"}, start="random", random_state=1),
        PanelRecipe("nca-3", {"objective": "g"}, start="lda"),
        PanelRecipe("nca-4", start="random", labels="shuffled", features="raw"),
    )
    assert family_tree(Recipe(panels=panels)) == ""


def test_without_branches_there_is_no_tree():
    assert family_tree(Recipe()) == ""


A = np.eye(2)


def candidate(name, scale, mean_p):
    return Candidate(name, scale, A, mean_p)


def test_which_start_won_is_said_once_and_of_no_other_start():
    tried = (candidate("pca", 1.0, 0.75), candidate("lda", 3.0, 0.5), candidate("random", 0.1, 0.25))
    won = Trajectory((), starts=tried)
    assert remarks([won, Trajectory(()), won]) == [
        "Best of 3 short runs by f/n: the training continued from PCA (0.750). The others: LDA × 3 (0.500), random "
        "normal × 0.1 (0.250)."
    ]


@pytest.mark.parametrize(
    ("config", "line"),
    [
        (PreparationConfig(), "178 rows: standardise"),
        (PreparationConfig(step="none"), "178 rows: features as they are"),
        (PreparationConfig(components=5), "178 rows: standardise → PCA to 5"),
        (PreparationConfig(step="whitening", components=5), "178 rows: standardise → PCA to 5 → whitening"),
        (
            PreparationConfig(components=5, reduction="random_projection"),
            "178 rows: standardise → random projection to 5",
        ),
        (
            PreparationConfig(components=5, reduction="feature_selection"),
            "178 rows: standardise → the 5 best of 13 by F-value",
        ),
        (PreparationConfig(step="min-max", held_out_fraction=0.5), "89 rows, 89 held out: min-max"),
    ],
)
def test_the_steps_in_their_order(config, line):
    assert preparation_steps(prepare(load_dataset("wine"), config)) == line


def test_the_rank_counts_and_unlabelled_rows_are_named():
    wine = load_dataset("wine")
    y = np.array(wine.y)
    y[:10] = -1
    flat = np.array(wine.X)
    flat[:, 2:] = flat[:, :1]
    ready = prepare(replace(wine, X=flat, y=y), PreparationConfig(components=9))
    assert preparation_steps(ready) == "168 rows, 10 unlabelled: standardise → PCA to 2"
