"""Repeated splits: each is a comparison of its own, and what is called better is better beyond its uncertainty."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from nca_core.training.problem import TrainingStopped
from study.compare import compare
from study.measure import NAMES, measure
from study.panel import PanelRecipe
from study.splits import Splits, repeat_splits
from tests.study.some_data import overlapping, recipe_of

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
        at = comparison.train("nca").snapshots[-1]
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
    assert found.standard_error("pca", NAME) == pytest.approx(np.sqrt((1 / 4 + 1 / 3) * variance))
    pairs = np.array([0.1, 0.05, 0.2, 0.05])
    mean, error = found.difference("lda", "pca", NAME)
    assert mean == pytest.approx(0.1)
    assert error == pytest.approx(np.sqrt((1 / 4 + 1 / 3) * np.sum((pairs - 0.1) ** 2) / 3))


def test_the_best_is_named_only_beyond_its_uncertainty():
    rng = np.random.default_rng(0)
    base = 0.8 + 0.05 * rng.normal(size=10)  # easy and hard splits, the same for all
    sure = splits({"pca": base, "lda": base + 0.05 + 0.005 * rng.normal(size=10)})
    assert sure.best(NAME) == "lda"
    assert sure.beyond_chance("lda", "pca", NAME)
    assert not sure.beyond_chance("pca", "lda", NAME)
    # Beyond the error of independent splits, not beyond that of splits which share rows.
    step = np.array([0.06, -0.02] * 5)
    assert step.mean() / (step.std(ddof=1) / np.sqrt(10)) > 1.4
    luck = splits({"pca": base, "lda": base + step})
    assert luck.best(NAME) is None
    three = splits({"pca": base, "lda": base + 0.05, "rca": base + 0.05 + step / 4})
    assert three.best(NAME) is None
    assert splits({"pca": [0.5] * 4, "lda": [0.9] * 4}).best(NAME) is None  # too few to say so
    assert splits({"pca": [0.5] * 5, "lda": [0.9] * 5}).best(NAME) == "lda"


@pytest.mark.parametrize(("ratio", "better"), [(2.24, False), (2.28, True)])
def test_better_is_said_at_95_percent(ratio, better):
    """Student's t of 9 degrees of freedom is beyond ±2.262 in 5 of 100 cases, of 10 beyond ±2.228."""
    step = np.array([0.05, -0.05] * 5)
    error = np.sqrt(1 / 10 + 10 / 30) * step.std(ddof=1)
    found = splits({"pca": np.full(10, 0.5), "lda": 0.5 + step + ratio * error})
    assert found.beyond_chance("lda", "pca", NAME) is better
    assert found.best(NAME) == ("lda" if better else None)


def test_it_ends_where_it_is_told_to():
    told = []

    @contextmanager
    def slot():
        told.append(1)
        if len(told) > 12:
            raise TrainingStopped
        yield

    with pytest.raises(TrainingStopped):
        list(repeat_splits(recipe_of(*PANELS), overlapping(), 50, slot))
    assert len(told) in (13, 14)  # a training that is stopped returns first, and the next piece raises


def test_an_embedding_is_placed_apart_and_has_no_number_for_new_rows():
    recipe = recipe_of(PanelRecipe("tsne"), PanelRecipe("pca"))
    (only,) = repeat_splits(recipe, overlapping(), 1)
    wanted = measure(compare(recipe, overlapping()), "tsne")
    found = dict(zip(NAMES, only.values[0, 0], strict=True))
    assert found["accuracy_1nn"] == wanted.accuracy_1nn
    assert np.isnan(found[NAME])
    assert found["seconds"] > 0.01
