"""Against chance, with fixed seeds: noise is called noise, and wine is told from it."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.base.words import percent
from datasets.catalogue import load_dataset
from datasets.preparation import PreparationConfig
from study.compare import compare
from study.embed import embed
from study.fitting import labels_seen
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from study.repetitions import Chance, repeat_permutations
from tests.study.oracle import leave_one_out
from tests.study.some_data import overlapping, recipe_of, whole_training

FEW = {"max_iter": 15}


def last(results) -> Chance:
    *_, end = results
    return end


def test_pure_noise_is_no_better_than_chance():
    recipe = Recipe(data=DataRecipe("pure_noise"), panels=(PanelRecipe("nca", FEW),))
    found = last(repeat_permutations(recipe, load_dataset("pure_noise"), "nca", 79))
    assert found.own > 0.7  # the number that flatters
    assert found.test.p_value > 0.1
    assert not found.better
    assert "not shown to be better than chance" in found.sentence
    assert f"{percent(found.permuted_own.mean())} on its training rows" in found.sentence


def test_wine_is_beyond_chance():
    recipe = Recipe(data=DataRecipe("wine"), panels=(PanelRecipe("nca", FEW),))
    found = last(repeat_permutations(recipe, load_dataset("wine"), "nca", 100))
    assert found.better
    assert "better than chance; of 100 permutations of the labels, none did as well (p = 0.010, with 95" in (
        found.sentence
    )


def test_a_permutation_is_the_twin_of_the_panel():
    """What is counted is what a shuffled twin shows on the stage."""
    panel = PanelRecipe("nca", FEW, random_state=4)
    found = list(repeat_permutations(recipe_of(PanelRecipe("lda"), panel), overlapping(), "nca", 3))
    assert [one.done for one in found] == [1, 2, 3]
    real = whole_training(compare(recipe_of(panel), overlapping()), "nca").snapshots[-1]
    assert (found[0].own, found[0].held_out) == (real.accuracy_1nn, real.held_out_1nn)
    for number in range(3):
        twin = replace(panel, labels="shuffled", random_state=5 + number)
        end = whole_training(compare(recipe_of(twin), overlapping()), "nca").snapshots[-1]
        assert found[-1].permuted_own[number] == pytest.approx(end.accuracy_1nn)
        assert found[-1].permuted_held_out[number] == pytest.approx(end.held_out_1nn)


def test_a_branch_is_permuted_with_what_it_starts_from():
    panels = PanelRecipe("nca", FEW), PanelRecipe("nca-2", {"max_iter": 2}, start="nca@10")
    found = last(repeat_permutations(recipe_of(*panels), overlapping(), "nca-2", 2))
    twins = tuple(replace(panel, labels="shuffled", random_state=1) for panel in panels)
    end = whole_training(compare(recipe_of(*twins), overlapping()), "nca-2").snapshots[-1]
    assert found.permuted_held_out[0] == pytest.approx(end.held_out_1nn)


def of(real: float, permuted: list[float], held_out: bool = True) -> Chance:
    values, recipe = np.array(permuted), Recipe(panels=(PanelRecipe("nca"),))
    if held_out:
        return Chance(recipe, "nca", len(values), 1.0, real, np.ones_like(values), values)
    return Chance(recipe, "nca", len(values), real, float("nan"), values, np.full_like(values, np.nan))


def test_the_share_that_does_as_well():
    assert of(0.8, [0.8, 0.9, *[0.1] * 18]).test.p_value == pytest.approx(3 / 21)
    own = replace(of(0.8, [0.1] * 19), own=0.7, permuted_own=np.array([0.9, 0.7, *[0.4] * 17]))
    assert own.of_own_rows.endswith(
        f"{percent(0.7)} with the labels as given, {percent(0.44)} on average with permuted labels (p = 0.150)."
    )
    assert of(0.8, [0.1] * 20, held_out=False).of_own_rows == ""
    assert of(0.8, [0.1] * 20, held_out=False).decides == "training"
    assert of(0.8, [0.9, *[0.1] * 19], held_out=False).as_good == 1


@pytest.mark.parametrize(
    ("as_good", "done", "better", "words"),
    [
        (0, 71, False, "too few to tell; 72 could"),
        (0, 72, True, "better than chance"),
        (7, 199, False, "cannot be told"),  # p = .040, and all permutations may give .07
        (3, 199, True, "better than chance"),
        (30, 199, False, "not shown to be better than chance"),
    ],
)
def test_the_answer_holds_whatever_more_permutations_would_give(as_good, done, better, words):
    found = of(0.8, [0.9] * as_good + [0.1] * (done - as_good))
    assert found.better == better
    assert words in found.sentence
    stopped = replace(found, wanted=done + 1)  # a test that was ended early gives no verdict
    assert not stopped.better
    assert "too few to tell" in stopped.sentence


def test_where_it_has_no_sense_it_is_refused():
    with pytest.raises(ValueError, match="sees no labels"):
        next(repeat_permutations(recipe_of(PanelRecipe("nca", labels="none")), overlapping(), "nca", 3))
    with pytest.raises(ValueError, match="DCV"):
        next(repeat_permutations(recipe_of(PanelRecipe("dcv")), overlapping(), "dcv", 3))


def test_an_embedding_stays_where_it_is_and_only_the_labels_move(monkeypatch):
    calls = []
    monkeypatch.setattr("study.embed.embed", lambda *given: calls.append(1) or embed(*given))
    panel = PanelRecipe("tsne", random_state=3)
    found = last(repeat_permutations(recipe_of(panel), overlapping(), "tsne", 4))
    assert len(calls) == 1
    comparison = compare(recipe_of(panel), overlapping())
    rows = comparison.prepared.train
    Y = comparison.panel("tsne").embedding[rows]
    assert found.own == leave_one_out(Y, comparison.panel("tsne").y[rows], 1)
    for number in range(4):
        twin = replace(panel, labels="shuffled", random_state=4 + number)
        y = labels_seen(twin, comparison.prepared)[0][rows]
        assert found.permuted_own[number] == leave_one_out(Y, y, 1)


def test_features_chosen_by_the_labels_need_held_out_rows():
    """Those that fit the labels as given were picked out of many, so that permuted labels have no chance."""
    panel = PanelRecipe("lda")
    recipe = recipe_of(panel)
    chosen = PreparationConfig(held_out_fraction=0.0, components=2, reduction="feature_selection")
    with pytest.raises(ValueError, match="only held-out rows can tell"):
        last(repeat_permutations(replace(recipe, preparation=chosen), overlapping(), "lda", 3))
    for fine in (replace(chosen, reduction="pca"), replace(chosen, held_out_fraction=0.3)):
        assert last(repeat_permutations(replace(recipe, preparation=fine), overlapping(), "lda", 3)).done == 3
