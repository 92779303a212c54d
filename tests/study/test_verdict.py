"""The sentence that is read first after a training: never praise for what does not hold for new rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from datasets.base.dataset import Dataset, Source
from datasets.catalogue import load_dataset
from nca_core.accuracy.accuracies import Accuracies
from study.compare import compare
from study.measure import measure
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from study.verdict import on_k, scale_runs_away, verdict, wilson_interval
from tests.study.some_data import recipe_of


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
    comparison, measured = trained("noisy_xor", n_samples=400)
    own, new = measured.accuracies.leave_one_out_1nn, measured.accuracies.held_out_1nn
    assert own - new > 0.08
    said = verdict(comparison, measured)
    assert said.warns
    assert "own rows" in said.sentence


def said_of(own, new, *, held_out, n_own=1_000, majority=0.6):
    """The verdict on these two accuracies, with `held_out` rows of two classes held out."""
    rng = np.random.default_rng(3)
    n = 4 * held_out
    y = (np.arange(n) >= majority * n).astype(np.int64)
    dataset = Dataset("two classes", rng.normal(size=(n, 2)), y, ("u", "v"), ("a", "b"), Source("made here"))
    comparison = compare(recipe_of(PanelRecipe("pca"), held_out=0.25), dataset)
    assert comparison.prepared.held_out.sum() == held_out
    found = Accuracies(own, float("nan"), new, float("nan"))
    return verdict(comparison, replace(measure(comparison, "pca"), accuracies=found, n_asked=n_own))


def test_few_rows_that_are_right_are_not_called_a_failure():
    said = said_of(1.0, 1.0, held_out=5)
    assert said.warns
    assert "too few rows are held out" in said.sentence
    assert "guessing would be right on 0.60" in said.sentence
    assert "does not generalise" not in said.sentence
    assert "1.00 of the held-out rows" in said_of(1.0, 1.0, held_out=40).sentence


@pytest.mark.parametrize(
    ("own", "new", "held_out", "words"),
    [
        (1.0, 0.6, 100, "does not generalise"),  # as the most frequent class, which nobody has to learn
        (0.95, 0.65, 40, "does not generalise"),  # above it by chance, and far below its own rows
        (0.61, 0.61, 400, "does not generalise"),  # nothing was learnt from its own rows either
        (0.95, 0.85, 400, "far better than new ones"),
        (0.95, 0.91, 1_000, "NCA: 1-NN"),  # less than is worth naming
        (0.95, 0.89, 40, "NCA: 1-NN"),  # within chance of its own rows
    ],
)
def test_which_sentence_for_which_accuracies(own, new, held_out, words):
    said = said_of(own, new, held_out=held_out)
    assert words.replace("NCA", "PCA") in said.sentence
    assert f"{new:.2f}" in said.sentence
    assert f"{own:.2f}" in said.sentence


def test_an_accuracy_asked_of_few_own_rows_is_no_proof_of_a_gap():
    assert "far better" in said_of(0.95, 0.85, held_out=400, n_own=1_000).sentence
    assert "far better" not in said_of(0.95, 0.85, held_out=400, n_own=12).sentence


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
    joined = replace(measured, mean_p=0.8, k_mean_entropy=4.3, k_mean_perplexity=7.9)
    assert "looks at 4.3 neighbours" in on_k(joined)
    assert scale_runs_away(measured)
    assert not scale_runs_away(joined)
    alone = replace(joined, k_mean_entropy=1.1)
    assert "run down to 1.1" in on_k(alone)
    assert scale_runs_away(alone)


def test_from_where_on_k_is_not_determined():
    _, measured = trained("wine")
    for mean_p, separated in ((0.9985, False), (0.9995, True)):
        almost = replace(measured, mean_p=mean_p, k_mean_entropy=4.3)
        assert ("not determined" in on_k(almost)) == separated
        assert scale_runs_away(almost) == separated


@pytest.mark.parametrize(("held_out", "few"), [(20, True), (30, False)])
def test_below_ten_rows_of_a_class_the_figure_comes_with_its_interval(held_out, few):
    said = said_of(0.95, 0.93, held_out=held_out, majority=0.6).sentence  # 8 or 12 of the smaller class
    low, high = wilson_interval(0.93, held_out)
    assert (f"Few rows: between {low:.2f} and {high:.2f}." in said) == few
