"""Repeated splits: each is a comparison of its own, and what is called better is better beyond its uncertainty."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.base.dataset import SplitColumn
from datasets.base.errors import DataError
from study.compare import compare
from study.inference import Conclusion, difference_over_splits
from study.measure import NAMES, measure
from study.panel import PanelRecipe
from study.repetitions import Splits, repeat_splits
from tests.study.some_data import overlapping, recipe_of, whole_training

PANELS = PanelRecipe("lda"), PanelRecipe("nca", {"max_iter": 3}), PanelRecipe("dcv")
NAME = "held_out_1nn"


@pytest.fixture(scope="module")
def repeated():
    return list(repeat_splits(recipe_of(*PANELS), overlapping(), 3))


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
    ready = [
        compare(replace(recipe, preparation=replace(by, random_state=by.random_state + k)), dataset).prepared
        for k in (0, 1)
    ]
    assert not np.array_equal(ready[0].held_out, ready[1].held_out)
    assert not set(groups.codes[ready[0].held_out]) & set(groups.codes[ready[0].train])
    with pytest.raises(DataError, match="cannot be repeated"):
        next(repeat_splits(replace(recipe, preparation=replace(by, split="time")), dataset, 2))
