"""Sentences on the preparation, the summation method and the start."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.catalogue import load_dataset
from datasets.preparation import PreparationConfig, prepare
from nca_core.snapshot import Candidate, Snapshot, Trajectory
from pages.views.notes import how_it_was_summed, preparation_steps, remarks

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


def test_the_summation_method_is_named_for_those_who_ask():
    at = Snapshot(4, A, objective=0.0, gradient_norm=0.0, summation="truncated")
    assert how_it_was_summed(at) == "Summed at iteration 4: truncated: near pairs."


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
