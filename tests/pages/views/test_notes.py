"""A recipe in words: what differs from the defaults, a panel in a line, a locked part of the sidebar."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.catalogue import load_dataset
from datasets.noise_lab import NoiseConfig
from datasets.preparation import PreparationConfig, prepare
from lessons.base.own import PARTS
from nca_core.snapshot import Candidate, Snapshot, Trajectory
from pages.views.notes import advanced_differences, card_line, kept_with_data, part_sentence, preparation_steps, remarks
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe, with_seed

PLAIN = Recipe()


def test_every_kind_of_setting_under_advanced_is_named():
    assert advanced_differences(PLAIN) == kept_with_data(PLAIN) == []  # the defaults have nothing to say
    assert advanced_differences(replace(PLAIN, noise=NoiseConfig(random_state=1))) == ["several seeds"]
    panels = (
        PanelRecipe("nca", {"objective": "g", "regularisation": 0.5, "max_iter": 7}, labels="shuffled"),
        PanelRecipe("nca-2", features="polynomial"),
    )
    preparation = PreparationConfig(held_out_fraction=0.4, components=12, max_rows=1_000, sampling="random")
    said = advanced_differences(with_seed(replace(PLAIN, panels=panels, preparation=preparation), 3))
    assert said[:4] == ["trained on 12 principal components", "at most 1,000 rows", "sampled at random", "seed 3"]
    assert said[4:7] == ["NCA: Objective g: log-probability", "NCA: Penalty λ on ‖A‖² 0.5", "NCA: labels shuffled"]
    assert said[7].startswith("NCA, 100 iterations, objective f, …: features ")
    assert len(said) == 8  # maximal iterations stand in sight


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


@pytest.mark.parametrize(
    ("panels", "line"),
    [
        ([PanelRecipe("nca")], ""),
        ([PanelRecipe("nca", title="mine")], "NCA"),
        (
            [PanelRecipe("nca", {"objective": "g", "regularisation": 0.5}, "shuffled", "uniform", random_state=3)],
            "objective g: log-probability · penalty λ on ‖A‖² 0.5 · starts from random uniform · labels shuffled · "
            "seed 3",
        ),
        ([PanelRecipe("nca", title="mine"), PanelRecipe("nca-2", start="nca@7")], "starts from mine, iteration 7"),
    ],
)
def test_a_card_lists_what_was_chosen(panels, line):
    assert card_line(Recipe(panels=tuple(panels)), panels[-1]) == line


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
    assert all(part_sentence(each, Recipe(), "Rings") for each in PARTS)
    said = part_sentence(part, RECIPE, "Wine")
    assert all(word in said for word in words)
    assert said != part_sentence(part, Recipe(), "Rings")


def test_which_start_won_is_said_once_and_of_no_other_start():
    tried = (("pca", 1.0, 0.75), ("lda", 3.0, 0.5), ("random", 0.1, 0.25))
    starts = tuple(Candidate(name, scale, np.eye(2), mean_p) for name, scale, mean_p in tried)
    won = Trajectory((Snapshot(0, np.eye(2), objective=0.0, gradient_norm=0.0, starts=starts),))
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
    y, X = wine.y.copy(), wine.X.copy()
    y[:10], X[:, 2:] = -1, X[:, :1]
    ready = prepare(replace(wine, X=X, y=y), PreparationConfig(components=9))
    assert preparation_steps(ready) == "168 rows, 10 unlabelled: standardise → PCA to 2"
