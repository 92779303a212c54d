"""The sentence that is read first after a training: never praise for what does not hold for new rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from datasets.catalogue import load_dataset
from study.compare import compare
from study.measure import measure
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from study.verdict import on_k, verdict, wilson_interval


def trained(key, **parameters):
    recipe = Recipe(data=DataRecipe(key, parameters), panels=(PanelRecipe("nca"),))
    comparison = compare(recipe, load_dataset(key, **parameters))
    return comparison, measure(comparison, "nca", comparison.train("nca").snapshots[-1])


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_pure_noise_does_not_generalise(seed):
    comparison, measured = trained("pure_noise", random_state=seed)
    assert measured.accuracies.leave_one_out_1nn > 0.8  # the number that flatters
    said = verdict(comparison, measured)
    assert said.warns
    assert "does not generalise" in said.sentence
    assert f"{measured.accuracies.held_out_1nn:.2f} of the held-out rows" in said.sentence


@pytest.mark.parametrize("key", ["wine", "rings"])
def test_what_holds_gets_a_fair_figure(key):
    comparison, measured = trained(key)
    said = verdict(comparison, measured)
    assert not said.warns
    assert f"{measured.accuracies.held_out_1nn:.2f} of the held-out rows" in said.sentence
    assert "between" in said.uncertainty


def test_a_gap_beyond_chance_is_named():
    comparison, measured = trained("noisy_xor", n_samples=120)
    own, new = measured.accuracies.leave_one_out_1nn, measured.accuracies.held_out_1nn
    assert own - new > 0.1
    said = verdict(comparison, measured)
    assert said.warns
    assert "own rows" in said.sentence


def test_without_held_out_rows_it_says_that_nobody_can_tell():
    from study.fields import FIELDS

    recipe = FIELDS["held_out"].put(Recipe(data=DataRecipe("iris"), panels=(PanelRecipe("nca"),)), 0.0)
    comparison = compare(recipe, load_dataset("iris"))
    said = verdict(comparison, measure(comparison, "nca", comparison.train("nca").snapshots[-1]))
    assert said.warns
    assert "No rows are held out" in said.sentence


@pytest.mark.parametrize(("right", "n"), [(0, 5), (3, 7), (48, 50), (50, 50), (500, 1000)])
def test_the_interval_is_wilsons(right, n):
    theirs = binomtest(right, n).proportion_ci(0.95, method="wilson")
    np.testing.assert_allclose(wilson_interval(right / n, n), (theirs.low, theirs.high), atol=2e-5)


def test_k_is_not_determined_where_classes_are_separated():
    _, measured = trained("wine")
    assert measured.mean_p > 0.999
    assert "not determined" in on_k(measured)
    _, measured = trained("breast_cancer")
    if measured.mean_p < 0.999:
        assert f"{measured.k_mean_entropy:.1f} neighbours" in on_k(measured)
