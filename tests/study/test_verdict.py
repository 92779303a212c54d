"""The sentence that is read first after a training: never praise for what does not hold for new rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.base.dataset import Dataset, Source
from datasets.base.words import percent
from datasets.catalogue import load_dataset
from study.compare import compare
from study.inference import wilson_interval
from study.measure import measure
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from study.verdict import on_k, scale_runs_away, verdict
from tests.study.some_data import recipe_of


def trained(key, **parameters):
    recipe = Recipe(data=DataRecipe(key, parameters), panels=(PanelRecipe("nca"),))
    comparison = compare(recipe, load_dataset(key, **parameters))
    return comparison, measure(comparison, "nca", comparison.train("nca").snapshots[-1])


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_pure_noise_does_not_generalise(seed):
    comparison, measured = trained("pure_noise", random_state=seed)
    assert measured.accuracy_1nn > 0.8  # the number that flatters
    said = verdict(comparison, measured)
    assert said.warns
    assert "does not generalise" in said.sentence
    assert f"{percent(measured.held_out_1nn)} of held-out rows" in said.sentence


@pytest.mark.parametrize("key", ["wine", "rings"])
def test_what_holds_gets_a_fair_figure(key):
    comparison, measured = trained(key)
    said = verdict(comparison, measured)
    assert not said.warns
    assert f"{percent(measured.held_out_1nn)} of held-out rows" in said.sentence
    assert "between" in said.uncertainty


def test_a_gap_beyond_chance_is_named():
    comparison, measured = trained("noisy_xor", n_samples=400)
    own, new = measured.accuracy_1nn, measured.held_out_1nn
    assert own - new > 0.08
    said = verdict(comparison, measured)
    assert said.warns
    assert "overfits" in said.sentence


def said_of(own, new, *, held_out, n_own=1_000, majority=0.6):
    """The verdict on these two accuracies, with `held_out` rows of two classes held out."""
    rng = np.random.default_rng(3)
    n = 4 * held_out
    y = (np.arange(n) >= majority * n).astype(np.int64)
    dataset = Dataset("two classes", rng.normal(size=(n, 2)), y, ("u", "v"), ("a", "b"), Source("made here"))
    comparison = compare(recipe_of(PanelRecipe("pca"), held_out=0.25), dataset)
    assert comparison.prepared.held_out.sum() == held_out
    measured = replace(measure(comparison, "pca"), accuracy_1nn=own, held_out_1nn=new, n_queries=n_own)
    return verdict(comparison, measured)


def test_few_rows_that_are_right_are_not_called_a_failure():
    said = said_of(1.0, 1.0, held_out=5)
    assert said.warns
    assert "too few rows are held out" in said.sentence
    assert f"guessing reaches {percent(0.6)}" in said.sentence
    assert "does not generalise" not in said.sentence
    assert f"{percent(1.0)} of held-out rows" in said_of(1.0, 1.0, held_out=40).sentence


@pytest.mark.parametrize(
    ("own", "new", "held_out", "words"),
    [
        (1.0, 0.6, 100, "does not generalise"),  # as the most frequent class, which nobody has to learn
        (0.95, 0.65, 40, "does not generalise"),  # above it by chance, and far below its own rows
        (0.61, 0.61, 400, "does not generalise"),  # nothing was learnt from its own rows either
        (0.95, 0.85, 400, "overfits"),
        (0.95, 0.91, 1_000, "NCA classifies"),  # less than is worth naming
        (0.95, 0.89, 40, "NCA classifies"),  # within chance of its own rows
    ],
)
def test_which_sentence_for_which_accuracies(own, new, held_out, words):
    said = said_of(own, new, held_out=held_out)
    assert words.replace("NCA", "PCA") in said.sentence
    assert percent(new) in said.sentence
    assert percent(own) in said.sentence


def test_an_accuracy_asked_of_few_own_rows_is_no_proof_of_a_gap():
    assert "overfits" in said_of(0.95, 0.85, held_out=400, n_own=1_000).sentence
    assert "overfits" not in said_of(0.95, 0.85, held_out=400, n_own=12).sentence


def test_without_held_out_rows_it_says_that_nobody_can_tell():
    from study.recipe import FIELDS

    recipe = FIELDS["held_out"].put(Recipe(data=DataRecipe("iris"), panels=(PanelRecipe("nca"),)), 0.0)
    comparison = compare(recipe, load_dataset("iris"))
    said = verdict(comparison, measure(comparison, "nca", comparison.train("nca").snapshots[-1]))
    assert said.warns
    assert "No rows are held out" in said.sentence


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
    low, high = wilson_interval(round(0.93 * held_out), held_out)
    assert (f"Few rows: between {percent(low)} and {percent(high)}." in said) == few
