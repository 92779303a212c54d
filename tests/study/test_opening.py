"""Test rows: nothing uses them before they are opened, and then their numbers are those of scikit-learn."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from datasets.base.dataset import Dataset, Source, SplitColumn
from datasets.base.errors import DataError
from datasets.catalogue import load_dataset
from datasets.preparation import PreparationConfig, prepare
from export.script import SCRIPT
from study.compare import compare
from study.inference import wilson_interval
from study.measure import measure
from study.opening import TestScore, open_test, opened_sentence, rows_key, scores_of
from study.panel import PanelRecipe
from study.recipe import DataRecipe, Recipe, with_seed
from tests.export.subjects import made, nca
from tests.export.subjects import subject_of as trained
from tests.export.test_script import run, unpacked

CONFIG = PreparationConfig(held_out_fraction=0.3, test_fraction=0.25, random_state=4)
PANELS = (
    PanelRecipe("pca"),
    nca(5),
    PanelRecipe("lda", features="raw"),
    PanelRecipe("nca-2", {"max_iter": 3}, features="rbf"),
)


def table(n=160):
    rng = np.random.default_rng(8)
    y = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    X = rng.normal(size=(n, 5)) * [1.0, 2.0, 0.5, 1.0, 3.0]
    X[:, 0] += 1.2 * y
    columns = (
        SplitColumn("patient", (np.arange(n) // 8).astype(np.int32)),
        SplitColumn("day", np.full(n, -1, dtype=np.int32), np.arange(n) // 2 * 1.0),
        SplitColumn("two", (np.arange(n) % 2).astype(np.int32)),
    )
    names = tuple(f"x{k}" for k in range(5))
    return Dataset("made", X, y, names, ("a", "b", "c"), Source("made here"), split_columns=columns)


def numbers_of(subject):
    keys = [panel.key for panel in subject.comparison.panels]
    found = {key: measure(subject.comparison, key, subject.at(key), k=5, full=True).numbers() for key in keys}
    return {key: numbers | {"seconds": 0} for key, numbers in found.items()}


@pytest.mark.parametrize("split", [("stratified", ""), ("group", "patient"), ("time", "day")])
def test_poisoned_test_rows_change_no_number(split):
    config = replace(CONFIG, split=split[0], split_column=split[1])
    clean = table()
    ready = prepare(clean, config)
    test = ready.test.row_numbers - 1
    assert 20 <= len(test) <= 60
    assert not np.isin(ready.test.row_numbers, ready.raw.row_numbers).any()
    X = clean.X.copy()
    X[test] = 1e9 * np.sign(X[test])
    poisoned = replace(clean, X=X)
    recipe = Recipe(preparation=config, panels=PANELS)
    np.testing.assert_equal(*(numbers_of(trained(recipe, data)) for data in (clean, poisoned)))
    wrong = clean.y.copy()
    wrong[test] = (wrong[test] + 1) % 3
    flipped = prepare(replace(clean, y=wrong), config, clean.y)
    np.testing.assert_equal(*((each.dataset.X, each.dataset.y, each.held_out) for each in (flipped, ready)))


def test_opened_accuracy_is_that_of_scikit_learn():
    data = table()
    subject = trained(Recipe(preparation=CONFIG, panels=PANELS), data)
    shown = {panel.key: subject.at(panel.key) for panel in subject.comparison.panels}
    scores = {score.panel.key: score for score in open_test(subject.comparison, shown, 7)}
    assert set(scores) == {panel.key for panel in PANELS}
    ready = subject.comparison.prepared
    for key, A in (("pca", subject.comparison.panel("pca").transformation), ("nca", shown["nca"].transformation)):
        mean, deviation = data.X[ready.raw.row_numbers[ready.train] - 1].mean(0), ready.raw.X[ready.train].std(0)
        Y, Y_test = (((X - mean) / deviation) @ A.T for X in (ready.raw.X[ready.train], ready.test.X))
        for k, found in ((1, scores[key].accuracy_1nn), (scores[key].k, scores[key].accuracy_knn)):
            classifier = KNeighborsClassifier(k).fit(Y, ready.raw.y[ready.train])
            votes = ready.raw.y[ready.train][classifier.kneighbors(Y_test, return_distance=False)]
            voted = [Counter(row).most_common(1)[0][0] for row in votes.tolist()]  # of tied classes the nearer
            assert found == pytest.approx(np.mean(voted == ready.test.y), abs=1e-12)
    assert scores["pca"].k == 7
    at = scores["nca"]
    low, _ = wilson_interval(round(at.accuracy_1nn * at.n), at.n)
    assert f"{100 * low:.0f}" in at.sentence
    assert "of 40 test rows" in at.sentence
    assert "iteration 5" in at.sentence


def test_own_features_and_kernel_features_place_test_rows_as_others():
    """A test row that equals a training row lies where that row lies."""
    data = table()
    ready = prepare(data, CONFIG)
    X, y, test = data.X.copy(), data.y.copy(), ready.test.row_numbers - 1
    twins = (ready.raw.row_numbers[ready.train] - 1)[: len(test)]
    X[test], y[test] = X[twins], y[twins]
    recipe = Recipe(preparation=CONFIG, panels=PANELS)
    prepared = prepare(replace(data, X=X), CONFIG)
    np.testing.assert_array_equal(prepared.test.row_numbers, ready.test.row_numbers)
    subject = trained(recipe, replace(data, X=X))
    shown = {panel.key: subject.at(panel.key) for panel in subject.comparison.panels}
    own = subject.comparison.prepared.test.y
    for score in open_test(subject.comparison, shown, 1):
        assert score.accuracy_1nn == np.mean(own == y[test])


def test_another_seed_keeps_the_test_rows():
    recipe = Recipe(preparation=CONFIG, panels=PANELS[:1])
    first, second = (compare(with_seed(recipe, seed), table()).prepared for seed in (1, 2))
    np.testing.assert_array_equal(first.test.row_numbers, second.test.row_numbers)
    assert (first.held_out != second.held_out).any()


@pytest.mark.parametrize(("rows", "split"), [(30, ("stratified", "")), (160, ("group", "two"))])
def test_too_few_rows_leave_two_parts(rows, split):
    config = replace(CONFIG, split=split[0], split_column=split[1])
    data = table().of_rows(np.arange(rows))
    ready, two = prepare(data, config), prepare(data, replace(config, test_fraction=0.0))
    assert ready.test is None
    assert "Too few rows for a test part: the split has two parts." in ready.notes
    np.testing.assert_array_equal(ready.held_out, two.held_out)
    with pytest.raises(DataError, match="no test rows"):
        open_test(compare(Recipe(preparation=config, panels=PANELS[:1]), data), {}, 0)


def test_how_often_it_was_opened_is_said():
    assert opened_sentence(0, True) == "Not opened yet; chosen by validation rows."
    assert [opened_sentence(times, False) for times in (1, 2)] == [
        "Opened once.",
        "Opened 2 times. The numbers are no longer a clean test.",
    ]
    recipe = Recipe(preparation=CONFIG)
    assert rows_key(with_seed(recipe, 3)) != rows_key(recipe)  # rings are drawn anew
    assert rows_key(replace(recipe, panels=PANELS)) == rows_key(recipe)
    assert rows_key(replace(recipe, preparation=replace(CONFIG, test_fraction=0.3))) != rows_key(recipe)


def test_scores_are_shown_only_for_what_was_measured():
    recipe = Recipe(preparation=CONFIG, panels=PANELS[:2])
    comparison = compare(recipe, table())
    scores = tuple(TestScore(panel, None, 40, 1, 0.5, 0.5) for panel in PANELS[:3])
    assert scores_of(comparison, (recipe, scores)) == scores[:2]
    other = replace(recipe, preparation=replace(CONFIG, step="none"))
    assert scores_of(comparison, (other, scores)) == () == scores_of(comparison, None)


def test_the_proof_repeats_the_opened_numbers(tmp_path):
    data = DataRecipe("wine")
    subject = trained(Recipe(data, preparation=CONFIG, panels=(PanelRecipe("pca"), nca(4))), load_dataset("wine"))
    shown = {"nca": subject.at("nca")}
    scores = open_test(subject.comparison, shown, subject.k)
    right = run(unpacked(made(SCRIPT, replace(subject, openings=2, test_scores=scores)), tmp_path))
    assert right.returncode == 0, right.stderr
    assert "Opened 2 times." in right.stdout
    false = tuple(replace(score, accuracy_1nn=score.accuracy_1nn - 0.1) for score in scores)
    wrong = run(unpacked(made(SCRIPT, replace(subject, openings=1, test_scores=false)), tmp_path))
    assert "1-NN on the test rows is" in wrong.stderr
