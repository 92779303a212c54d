"""The sentence that is read first after a training: never praise for what does not hold for new rows."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.base.words import percent
from datasets.catalogue import load_dataset
from datasets.preparation import PreparationConfig
from study.compare import compare
from study.differences import predictions
from study.inference import paired_difference, pairs, wilson_interval
from study.measure import Measurement, measure
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from study.verdict import (
    Standing,
    held_out_confusion,
    held_out_words,
    k_sentence,
    scale_runs_away,
    share_of_largest,
    solved_sentence,
    standing,
    verdicts,
)
from tests.study.some_data import whole_training


def trained(key, **parameters):
    recipe = Recipe(data=DataRecipe(key, parameters), panels=(PanelRecipe("nca"),))
    comparison = compare(recipe, load_dataset(key, **parameters))
    at = whole_training(comparison, "nca").snapshots[-1]
    return comparison, measure(comparison, "nca", at), at


def said_of_panel(comparison, measured, at):
    table = held_out_confusion(comparison, "nca", predictions(comparison, "nca", at))
    assert np.trace(table) / table.sum() == pytest.approx(measured.held_out_1nn)
    return verdicts({"nca": measured}, {"nca": table})[0]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_pure_noise_is_not_said_to_generalise(seed):
    comparison, measured, at = trained("pure_noise", random_state=seed)
    assert measured.accuracy_1nn > 0.8  # the number that flatters
    said = said_of_panel(comparison, measured, at)
    assert said.warns
    assert "does not generalise" in said.sentence or "too few rows are held out" in said.sentence


@pytest.mark.parametrize("key", ["wine", "rings", "noisy_xor"])
def test_what_holds_gets_a_fair_figure_and_a_gap_beyond_chance_is_named(key):
    said = said_of_panel(*(found := trained(key, **({"n_samples": 400} if key == "noisy_xor" else {}))))
    overfits = "overfits" in said.sentence
    assert overfits == (found[1].accuracy_1nn - found[1].held_out_1nn > 0.08) == (key == "noisy_xor")
    assert not said.warns  # it is far better than guessing
    assert f"{percent(found[1].held_out_1nn)} of held-out rows" in said.sentence
    assert "between" in said.uncertainty


GUESSING = f"guessing ({percent(0.5)})"


def said_of(table, own=0.95, n_own=1_000, moment="", rows="held-out rows"):
    """The verdict on a confusion matrix of held-out rows and an accuracy on training rows."""
    table = np.array(table)
    new = float(np.trace(table) / table.sum())
    one = Measurement(
        key="nca", title="NCA", iteration=9, accuracy_1nn=own, held_out_1nn=new, n_queries=n_own, moment=moment
    )
    return verdicts({"nca": one}, {"nca": table}, rows)[0]


@pytest.mark.parametrize(
    ("table", "own", "words"),
    [
        ([[460, 40], [50, 450]], 0.95, f"NCA classifies {percent(0.91)} of held-out rows correctly (training"),
        (
            [[425, 75], [75, 425]],
            0.95,
            "NCA classifies 85\u00a0% of held-out rows correctly (training rows: 95\u00a0%, so it overfits).",
        ),
        (
            [[455, 45], [55, 445]],
            0.93,
            f"NCA classifies {percent(0.9)} of held-out rows correctly (training rows: 93\u00a0%)",
        ),
        ([[18, 2], [3, 17]], 0.95, "(training rows: 95\u00a0%)."),  # a gap within chance
        ([[480, 520], [520, 480]], 0.95, f"{percent(0.48)} of held-out rows correctly, no better than {GUESSING}"),
        # The largest class alone is no success; guessing stands beside the number that is compared with it.
        (
            [[880, 20], [98, 2]],
            0.95,
            f"correctly. The average over classes is {percent(0.5)}, no better than {GUESSING}",
        ),
        (
            [[18, 2], [9, 1]],
            0.95,
            f"correctly. The average over classes is {percent(0.5)}; {GUESSING} is not ruled out",
        ),
        ([[480, 520], [520, 480]], 0.95, "does not generalise: it classifies"),
        ([[3, 0], [1, 2]], 1.0, "too few rows are held out to tell"),
        # 14 of 30 in three classes: binomial p = .09.
        ([[5, 3, 2], [3, 5, 2], [3, 3, 4]], 1.0, "too few rows are held out to tell"),
    ],
)
def test_which_sentence_for_which_numbers(table, own, words):
    said = said_of(table, own)
    assert words in said.sentence
    assert said.warns == ("training rows" not in said.sentence)


@pytest.mark.parametrize(
    ("table", "balanced"),
    [
        ([[860, 10], [110, 20]], 0.57),  # accuracy .88, below always naming the largest class (.87 of all rows)
        ([[870, 30], [64, 36]], 0.66),
        ([[600, 20, 10, 5, 5], [60, 9, 1, 0, 0], [40, 2, 12, 0, 0], [30, 0, 0, 8, 0], [30, 0, 0, 0, 9]], 0.346),
    ],
)
def test_a_large_class_does_not_hide_what_was_learnt(table, balanced):
    """Balanced accuracy is compared with its own chance level, not accuracy with that of the largest class."""
    said = said_of(table, own=np.trace(table) / np.sum(table), moment="iteration 2 of 9")
    assert not said.warns
    assert said.sentence.startswith("NCA (iteration 2 of 9) classifies")
    sizes = np.sum(table, axis=1)
    assert np.mean(np.diag(table) / sizes) == pytest.approx(balanced, abs=0.01)
    assert f"on average over classes {percent(np.mean(np.diag(table) / sizes))}," in said.sentence


def test_several_panels_are_one_family():
    """p = .03 alone is beyond chance; as one of three panels it is not."""
    table = np.array([[14, 6], [7, 13]])
    one = Measurement(key="a", title="A", accuracy_1nn=0.7, held_out_1nn=27 / 40, n_queries=400)
    alone = verdicts({"a": one}, {"a": table})[0]
    noise = np.array([[10, 10], [10, 10]])
    first, *_ = verdicts({"a": one, "b": one, "c": one}, {"a": table, "b": noise, "c": noise})
    assert (alone.warns, first.warns) == (False, True)


def test_an_accuracy_of_few_own_rows_is_no_proof_of_a_gap():
    table = [[170, 30], [30, 170]]
    assert "overfits" in said_of(table, 0.95, n_own=1_000).sentence
    assert "overfits" not in said_of(table, 0.95, n_own=12).sentence


def test_without_held_out_rows_it_is_called_optimistic():
    one = Measurement(key="nca", title="NCA", accuracy_1nn=0.9, n_queries=40)
    (said,) = verdicts({"nca": one}, {"nca": None})
    assert said.warns
    assert "No rows are held out" in said.sentence


@pytest.mark.parametrize(("test_fraction", "rows"), [(0.0, "held-out rows"), (0.2, "validation rows")])
def test_held_out_rows_are_validation_rows_beside_a_third_part(test_fraction, rows):
    preparation = PreparationConfig(held_out_fraction=0.3, test_fraction=test_fraction)
    recipe = Recipe(data=DataRecipe("wine"), preparation=preparation, panels=(PanelRecipe("nca"),))
    comparison = compare(recipe, load_dataset("wine"))
    assert held_out_words(comparison.prepared) == rows
    assert f"of {rows} correctly" in said_of([[460, 40], [50, 450]], rows=rows).sentence


def test_k_is_not_determined_where_classes_are_separated():
    _, measured, _ = trained("wine")
    assert measured.mean_p > 0.999
    assert "not determined" in k_sentence(measured)
    joined = replace(measured, mean_p=0.9985, k_mean_entropy=4.3)
    assert "4.3 neighbours typically influence a point" in k_sentence(joined)
    assert scale_runs_away(measured)
    assert not scale_runs_away(joined)
    alone = replace(joined, k_mean_entropy=1.1)
    assert "run down to 1.1" in k_sentence(alone)
    assert scale_runs_away(alone)


@pytest.mark.parametrize(("smaller", "few"), [(9, True), (10, False)])
def test_below_ten_rows_of_a_class_the_figure_comes_with_its_interval(smaller, few):
    said = said_of([[12, 0], [1, smaller - 1]]).sentence
    low, high = wilson_interval(11 + smaller, 12 + smaller)
    assert (f"Few rows: between {percent(low)} and {percent(high)}." in said) == few


def measurement(title, held_out):
    return Measurement(key=title, title=title, iteration=9, accuracy_1nn=0.9, held_out_1nn=held_out, n_queries=300)


def test_beside_unequal_classes_stand_their_means_and_the_largest_class():
    """Two panels that name the largest class as often as they can: 81 and 85 %, where that class alone has 87 %."""
    tables = {"pca": np.array([[79, 8], [11, 2]]), "lda": np.array([[85, 2], [13, 0]])}
    solved = {key: measurement(key.upper(), np.trace(table) / 100) for key, table in tables.items()}
    means = f"PCA: {percent(0.81)} ({percent(0.53)} over classes), LDA: {percent(0.85)} ({percent(0.49)} over classes)"
    assert solved_sentence(solved, tables) == f" {means}, the largest class alone: {percent(0.87)}."
    equal = {"pca": np.array([[40, 10], [9, 41]])}
    assert solved_sentence({"pca": measurement("PCA", 0.81)}, equal) == f" PCA: {percent(0.81)}."
    assert (
        solved_sentence({}, {}) == solved_sentence({"tsne": measurement("t-SNE", float("nan"))}, {"tsne": None}) == ""
    )
    assert share_of_largest(np.array([3, 0, 1])) == 0.75
    assert np.isnan(share_of_largest(np.array([3, 2, 2])))


def right(*wrong, n=60):
    return ~np.isin(np.arange(n), wrong)


def stands(several=False, **rows):
    """The standing of the first panel among panels with these right answers."""
    titles = {key: key.upper() for key in rows}
    return standing("nca", titles, pairs(rows, paired_difference), several)


def test_the_mark_says_who_is_ahead_and_a_row_or_two_are_no_difference():
    wine = stands(pca=right(0, 1, 2), lda=right(), nca=right(0))
    assert (wine.mark, wine.sentence) == ("≈", "No clear difference on 60 rows.")
    many = range(20)
    assert stands(pca=right(*many), nca=right(0)) == Standing("✓", "NCA is ahead.")
    assert stands(nca=right(*many), pca=right(0)) == Standing("⚠", "NCA is behind.")
    mixed = stands(pca=right(*many), nca=right(0), lda=right(1))
    assert mixed == Standing("✓", "NCA is ahead of PCA, not clearly different from LDA on 60 rows.")
    between = stands(pca=right(*range(40)), nca=right(*many), lda=right(1))
    assert between == Standing("⚠", "NCA is ahead of PCA, behind LDA.")
    assert stands(True, pca=right(*many), nca=right(0)) == Standing("✓", "It is ahead of all others.")
    assert stands(True, pca=right(), nca=right(0)).sentence == "No clear difference from the others on 60 rows."
    large = stands(pca=right(0, n=5_000), nca=right(1, n=5_000))  # less than the margin apart
    assert (large.mark, large.sentence) == ("≈", "No clear difference on 5,000 rows.")
    assert stands(nca=right()) == Standing("✓")


def test_rows_of_a_group_are_said_to_resemble_each_other():
    table = np.array([[40, 10], [9, 41]])
    plain, grouped = (
        verdicts({"nca": measurement("NCA", 0.81)}, {"nca": table}, group=group)[0] for group in ("", "patient")
    )
    assert grouped.sentence == plain.sentence
    assert "one patient resemble each other" in grouped.uncertainty
    assert "resemble" not in plain.uncertainty
