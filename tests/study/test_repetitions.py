"""Repeated splits and permuted labels: what is called better is so beyond luck, noise is called noise."""

from contextlib import nullcontext
from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from datasets.base.dataset import SplitColumn
from datasets.base.errors import DataError
from datasets.base.words import percent
from datasets.catalogue import load_dataset
from datasets.preparation import PreparationConfig
from nca_core.training.problem import TrainingStopped
from study.compare import compare
from study.embed import embed
from study.fitting import labels_seen
from study.inference import Conclusion, difference_over_splits
from study.measure import NAMES, measure
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe
from study.repetitions import Chance, Splits, repeat_permutations, repeat_splits
from tests.study.oracle import leave_one_out
from tests.study.some_data import overlapping, recipe_of, whole_training

PANELS = PanelRecipe("lda"), PanelRecipe("nca", {"max_iter": 3}), PanelRecipe("dcv")
NAME = "held_out_1nn"


@pytest.fixture(scope="module")
def repeated():
    return list(repeat_splits(recipe_of(*PANELS), overlapping(), 3))


def test_it_can_be_cancelled_before_every_piece_of_work():
    for n_entered in count():
        entered = count()

        def slot(entered=entered, n_entered=n_entered):
            if next(entered) >= n_entered:
                raise TrainingStopped
            return nullcontext()

        try:
            list(repeat_splits(recipe_of(*PANELS), overlapping(), 1, slot))
        except TrainingStopped:
            continue
        break
    assert n_entered > 5


def test_each_split_holds_out_other_rows_and_measures_what_the_page_measures(repeated):
    recipe = recipe_of(*PANELS)
    assert [one.done for one in repeated] == [1, 2, 3]
    last = repeated[-1]
    assert (last.n_train, last.n_test) == (52, 28)
    for split in range(3):
        preparation = replace(recipe.preparation, random_state=recipe.preparation.random_state + split)
        comparison = compare(replace(recipe, preparation=preparation), overlapping())
        at = whole_training(comparison, "nca").snapshots[-1]
        nca = measure(comparison, "nca", at, full=True)
        lda = measure(comparison, "lda", k=int(nca.k), full=True)
        for place, wanted in enumerate((lda, nca)):
            found = dict(zip(NAMES, last.values[split, place], strict=True))
            del found["seconds"]
            assert found == pytest.approx({name: getattr(wanted, name) for name in found}, nan_ok=True)
    assert len(set(last.values[:, 0, NAMES.index("trustworthiness")])) == 3  # the splits differ
    assert np.isnan(last.values[:, 2]).all()  # DCV cannot run here, and the others went on


def splits(values: dict[str, list[float]], n_train=30, n_test=10) -> Splits:
    recipe = recipe_of(*(PanelRecipe(key) for key in values))
    numbers = np.full((len(next(iter(values.values()))), len(values), len(NAMES)), np.nan)
    for place, column in enumerate(values.values()):
        numbers[:, place, NAMES.index(NAME)] = column
    return Splits(recipe, len(numbers), numbers, n_train, n_test)


def test_means_and_corrected_errors():
    found = splits({"pca": [0.8, 0.9, 0.7, 0.8], "lda": [0.9, 0.95, 0.9, 0.85]})
    assert found.mean("pca", NAME) == pytest.approx(0.8)
    variance = np.sum((np.array([0.8, 0.9, 0.7, 0.8]) - 0.8) ** 2) / 3
    assert found.standard_error("pca", NAME) == pytest.approx(np.sqrt((1 / 4 + 1.6 / 3) * variance))


BASE = 0.8 + 0.05 * np.random.default_rng(0).normal(size=10)  # easy and hard splits, the same for all
STEP = np.array([0.06, -0.02] * 5)


def test_the_differences_are_those_of_the_resampled_t_test_corrected_over_all_pairs():
    found = splits({"pca": BASE, "lda": BASE + 0.08 + STEP / 4, "rca": BASE + STEP / 4}, 300, 100)
    family = found.family(NAME)
    assert list(family) == [("lda", "rca"), ("lda", "pca"), ("rca", "pca")]
    alone = difference_over_splits(BASE + 0.08 + STEP / 4, BASE, 300, 100, planned=10)
    pair = family["lda", "pca"]
    assert (pair.estimate, pair.p_value) == (pytest.approx(alone.estimate), pytest.approx(alone.p_value))
    assert pair.corrected_p > pair.p_value
    later = replace(found, plan=2).family(NAME)["lda", "pca"]
    assert later.corrected_p > pair.corrected_p  # more splits after a verdict need more proof


def test_the_best_is_named_only_beyond_its_uncertainty():
    sure = splits({"pca": BASE, "lda": BASE + 0.1 + STEP / 20}, 300, 100)
    assert sure.best(NAME) == "lda"
    # Beyond the error of independent splits, not beyond that of splits which share rows.
    assert STEP.mean() / (STEP.std(ddof=1) / np.sqrt(10)) > 1.4
    assert splits({"pca": BASE, "lda": BASE + STEP}).best(NAME) is None
    three = splits({"pca": BASE, "lda": BASE + 0.08, "rca": BASE + 0.1 + STEP / 20}, 300, 100)
    assert three.best(NAME) is None
    assert splits({"lda": BASE + 0.5}).best(NAME) is None


def test_a_verdict_waits_for_the_planned_number_of_splits():
    sure = splits({"pca": BASE, "lda": BASE + 0.1 + STEP / 20}, 300, 100)
    early = replace(sure, wanted=11)
    assert early.best(NAME) is None
    assert early.family(NAME)["lda", "pca"].answer is Conclusion.CANNOT_TELL
    few = replace(sure, wanted=4, values=sure.values[:4])
    assert few.family(NAME)["lda", "pca"].answer is Conclusion.CANNOT_TELL


def test_an_embedding_is_placed_apart_and_has_no_number_for_new_rows():
    recipe = recipe_of(PanelRecipe("tsne"), PanelRecipe("pca"))
    (only,) = repeat_splits(recipe, overlapping(), 1)
    wanted = measure(compare(recipe, overlapping()), "tsne")
    found = dict(zip(NAMES, only.values[0, 0], strict=True))
    assert found["accuracy_1nn"] == wanted.accuracy_1nn
    assert np.isnan(found[NAME])
    assert found["seconds"] > 0.01


def test_a_split_by_group_is_repeated_with_other_groups_and_one_by_time_is_not():
    dataset = overlapping()
    groups = SplitColumn("plate", (np.arange(dataset.n_samples) // 6).astype(np.int32), np.arange(dataset.n_samples))
    dataset = replace(dataset, split_columns=(groups,))
    recipe = recipe_of(PanelRecipe("lda"))
    by = replace(recipe.preparation, split="group", split_column="plate")
    *_, last = repeat_splits(replace(recipe, preparation=by), dataset, 2)
    assert (last.values[:, 0, NAMES.index(NAME)] > 0.3).all()
    seeded = (replace(by, random_state=by.random_state + k) for k in (0, 1))
    ready = [compare(replace(recipe, preparation=each), dataset).prepared for each in seeded]
    assert not np.array_equal(ready[0].held_out, ready[1].held_out)
    assert not set(groups.codes[ready[0].held_out]) & set(groups.codes[ready[0].train])
    with pytest.raises(DataError, match="cannot be repeated"):
        next(repeat_splits(replace(recipe, preparation=replace(by, split="time")), dataset, 2))


FEW = {"max_iter": 15}


def last(results) -> Chance:
    *_, end = results
    return end


def test_pure_noise_is_no_better_than_chance_and_wine_is_beyond_it():
    noise, wine = (
        last(
            repeat_permutations(Recipe(DataRecipe(key), panels=(PanelRecipe("nca", FEW),)), load_dataset(key), "nca", n)
        )
        for key, n in (("pure_noise", 79), ("wine", 100))
    )
    assert noise.own > 0.7  # the number that flatters
    assert noise.test.p_value > 0.1
    assert "not shown to be better than chance" in noise.sentence
    assert f"{percent(noise.permuted_own.mean())} on its training rows" in noise.sentence
    assert (noise.better, wine.better) == (False, True)
    assert (
        "better than chance; of 100 permutations of the labels, none did as well (p = 0.010, with 95" in wine.sentence
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
