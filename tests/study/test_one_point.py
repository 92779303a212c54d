"""One row: what each rule takes it for and who lies among others, against loops over the definitions."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.base.words import percent
from nca_core.classifiers import CLASSIFIERS
from study.one_point import (
    Doubtful,
    doubtful_rows,
    doubtful_sentence,
    matching_cells,
    matching_rows,
    predicted_classes,
)
from study.panel import PanelRecipe
from tests.study import oracle
from tests.study.some_data import compared, overlapping, whole_training


@pytest.fixture(scope="module")
def comparison():
    return compared(PanelRecipe("pca"), PanelRecipe("nca", {"max_iter": 9}), PanelRecipe("tsne"))


def shares(Y, y, train, i):
    """P(class | i) by the training rows but i, in long double."""
    others = train[train != i]
    p = oracle.picks(Y[others], Y[i])
    return np.array([p[y[others] == c].sum() for c in range(3)])


def rows_of(comparison):
    ready = comparison.prepared
    y = ready.dataset.y
    return ready.dataset.X, y, np.flatnonzero(ready.train & (y >= 0)), np.flatnonzero(ready.held_out & (y >= 0))


@pytest.mark.parametrize("iteration", [0, 4, -1], ids=str)
def test_a_row_is_told_by_the_training_rows_without_it(comparison, iteration):
    snapshot = whole_training(comparison, "nca").snapshots[iteration]
    X, y, train, new = rows_of(comparison)
    Y = oracle.places(snapshot.transformation, X)
    k = max(1, round(float(np.exp(np.mean(np.log(oracle.local_k(Y[train])))))))
    for row in (*new[:4], *train[:4]):
        found = predicted_classes(comparison, "nca", row, snapshot)
        others = train[train != row]
        assert found["nearest"] == oracle.vote(Y[others], y[others], Y[row], 1)
        assert found["stochastic"] == shares(Y, y, train, row).argmax()
        if row in new:
            assert found["k_estimate"] == oracle.vote(Y[others], y[others], Y[row], k)
    assert list(found) == list(CLASSIFIERS)


def test_rules_by_scale_and_new_rows_of_an_embedding_are_told_nothing(comparison):
    _, _, train, new = rows_of(comparison)
    still = predicted_classes(comparison, "pca", new[0])
    assert {key for key, code in still.items() if code is None} == {r.key for r in CLASSIFIERS.values() if r.by_scale}
    assert set(predicted_classes(comparison, "tsne", new[0]).values()) == {None}
    assert predicted_classes(comparison, "tsne", train[0])["nearest"] is not None
    X, y, *_ = rows_of(comparison)
    others = train[train != train[0]]
    assert predicted_classes(comparison, None, train[0])["nearest"] == oracle.vote(X[others], y[others], X[train[0]], 1)


@pytest.mark.parametrize("iteration", [0, -1], ids=str)
def test_the_doubtful_rows_are_those_with_the_lowest_p(comparison, iteration):
    snapshot = whole_training(comparison, "nca").snapshots[iteration]
    X, y, train, new = rows_of(comparison)
    Y = oracle.places(snapshot.transformation, X)
    asked = np.concatenate([train, new])
    by_class = np.array([shares(Y, y, train, i) for i in asked]).astype(float)
    p = by_class[np.arange(len(asked)), y[asked]]
    found = doubtful_rows(comparison, "nca", snapshot, most=7)
    order = np.argsort(p, kind="stable")[:7]
    assert found.rows.tolist() == asked[order].tolist()
    np.testing.assert_allclose(found.p, p[order], rtol=1e-6)
    assert found.likely.tolist() == by_class[order].argmax(axis=1).tolist()
    np.testing.assert_allclose(found.share, by_class[order].max(axis=1), rtol=1e-6)
    assert (found.n_among_others, found.n_queries) == (np.count_nonzero(p < 0.5), len(asked))
    i = next(k for k, row in enumerate(found.rows) if row in train)
    own = oracle.local_k(Y[train])[np.flatnonzero(train == found.rows[i])[0]]
    assert found.k[i] == pytest.approx(own, rel=1e-6)


def made(p, n_among_others):
    rows = np.array([4, 7])
    return Doubtful(rows, np.array([p, 0.9]), np.ones(2), np.array([2, 0]), np.array([0.75, 0.9]), n_among_others, 80)


def test_the_sentence_names_the_row_and_asks_only_where_there_is_a_doubt():
    dataset = replace(overlapping(), row_numbers=np.arange(90) + 100)
    own = dataset.class_names[dataset.y[4]]
    doubt, none = (doubtful_sentence(made(*numbers), dataset, "NCA") for numbers in ((0.2, 3), (0.6, 0)))
    for words in ("NCA: 3 rows", "of 80", f"Row 104 is labelled {own} and picks c", percent(0.75), "a wrong label"):
        assert words in doubt
    for words in ("NCA: none of 80 rows", f"row 104, labelled {own}, comes nearest", f"{percent(0.6)} to pick its own"):
        assert words in none
    named = replace(dataset, row_names=np.array([f"Ann {k}" for k in range(90)]), row_word="line")
    assert f" Ann 4 (line 104) is labelled {own} and" in doubtful_sentence(made(0.2, 3), named, "NCA")


def test_rows_are_found_by_number_by_class_and_by_a_cell():
    dataset = replace(overlapping(), class_names=("Ash", "Beech", "Ashen"), row_numbers=np.arange(90) + 100)
    assert matching_rows(dataset, " 117 ").tolist() == [17]
    assert matching_rows(dataset, "ASH").tolist() == np.flatnonzero(np.isin(dataset.y, [0, 2])).tolist()
    assert matching_rows(dataset, "").tolist() == matching_rows(dataset, "oak").tolist() == []
    cells = {103: ("Smith, Jane", "3"), 150: ("smithers", "9"), 9999: ("Smith", "0")}
    assert matching_rows(dataset, "smith", cells).tolist() == [3, 50]
    assert matching_rows(dataset, "9" * 40).tolist() == []
    named = replace(dataset, row_names=np.array(["Ann Smith", *["Bo"] * 89]), row_word="line")
    assert matching_rows(named, "smith").tolist() == [0]
    assert matching_rows(named, "SMITH", cells).tolist() == [0, 3, 50]
    cells[100] = ("Ann Smith", "1")
    assert matching_cells(named, np.array([0, 3, 50, 7]), "smith", cells) == ["", "Smith, Jane", "smithers", ""]
