"""The line of steps says what the fitted steps are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.catalogue import load_dataset
from datasets.preparation import PreparationConfig, prepare
from pages.views.preparation_steps import preparation_steps


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
