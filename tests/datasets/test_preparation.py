"""Preprocessing against scikit-learn, split and sample, and the sentences for what cannot be used."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler

from datasets.base.errors import DataError
from datasets.catalogue import load_dataset
from datasets.preparation import PreparationConfig, prepare
from nca_core.features.validation import check_features
from tests.datasets.planned import made


@pytest.mark.parametrize(
    ("step", "theirs"), [("standardise", StandardScaler()), ("min-max", MinMaxScaler()), ("robust", RobustScaler())]
)
def test_steps_against_scikit_learn(step, theirs):
    wine = load_dataset("wine")
    ready = prepare(wine, PreparationConfig(step=step))
    np.testing.assert_allclose(ready.dataset.X, theirs.fit_transform(wine.X), atol=1e-10)


def test_the_split_is_stratified_and_follows_its_seed():
    digits = load_dataset("digits")
    ready = prepare(digits, PreparationConfig(held_out_fraction=0.3))
    assert ready.held_out.sum() == round(0.3 * 1797)
    assert not (ready.held_out & ready.train).any()
    shares = np.bincount(digits.y[ready.held_out]) / np.bincount(digits.y)
    assert np.all(np.abs(shares - 0.3) < 0.02)
    again = prepare(digits, PreparationConfig(held_out_fraction=0.3))
    np.testing.assert_array_equal(again.held_out, ready.held_out)
    other = prepare(digits, PreparationConfig(held_out_fraction=0.3, random_state=1))
    assert (other.held_out != ready.held_out).any()


def test_too_many_rows_become_a_stratified_sample_and_it_is_said():
    digits = load_dataset("digits")
    ready = prepare(digits, PreparationConfig(max_rows=500))
    assert ready.dataset.n_samples == 500
    assert np.all(np.abs(np.bincount(ready.dataset.y) - np.bincount(digits.y) * 500 / 1797) <= 1.0)
    np.testing.assert_array_equal(ready.raw.X, digits.X[ready.raw.row_numbers - 1])
    assert "500 of 1,797 rows" in ready.notes[0]


def test_a_sample_drawn_at_random_leaves_the_shares_to_chance():
    digits = load_dataset("digits")
    expected = np.bincount(digits.y) * 500 / 1797
    off = []
    for seed in range(20):
        ready = prepare(digits, PreparationConfig(max_rows=500, sampling="random", random_state=seed))
        assert len(set(ready.raw.row_numbers.tolist())) == 500
        np.testing.assert_array_equal(ready.raw.X, digits.X[ready.raw.row_numbers - 1])
        assert "drawn at random" in ready.notes[0]
        off.append(np.bincount(ready.dataset.y, minlength=10) - expected)
    # Hypergeometric: the variance of a class's count is n p (1 − p) (N − n) / (N − 1), about 32 here.
    p = np.bincount(digits.y) / 1797
    variance = (500 * p * (1 - p) * (1797 - 500) / 1796).mean()
    assert 0.6 * variance < np.mean(np.square(off)) < 1.6 * variance
    with pytest.raises(DataError, match="no sampling 'each'"):
        prepare(digits, PreparationConfig(sampling="each"))


def test_constant_columns_become_zero_and_are_said():
    ready = prepare(made([[1, 5, 0.1], [2, 5, 0.1], [3, 5, 0.1], [4, 5, 0.1]], [0, 1, 0, 1]), PreparationConfig())
    assert np.all(ready.dataset.X[:, 1:] == 0.0)
    assert "f1, f2" in ready.notes[0]


def test_what_the_engine_would_refuse_is_named_by_its_cell():
    X = np.array([[1.0, 2.0], [1e71, 3.0], [3.0, 4.0], [5.0, 6.0]])
    with pytest.raises(ValueError, match="overflows"):
        check_features(X)
    with pytest.raises(DataError, match=r"row 2, column f0: the value 1e\+71 is too large .* at most 1e\+70"):
        prepare(made(X, [0, 1, 0, 1]), PreparationConfig(step="none"))
    assert check_features(prepare(made(X, [0, 1, 0, 1]), PreparationConfig()).dataset.X) is not None
    # Principal components can be larger than what came within the limit.
    both = np.array([[9e69, 9e69], [-9e69, -9e69], [1.0, 0.0], [0.0, 1.0]])
    with pytest.raises(DataError, match=r"row [12], column f[01]: the value -?9e\+69 is too large"):
        prepare(made(both, [0, 1, 0, 1]), PreparationConfig(step="none", components=1))


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[1.0], [2.0]], [0, 1], "at least 3"),
        ([[1.0], [2.0], [3.0]], [0, 0, 0], "single class"),
        ([[1.0], [2.0], [3.0]], [0, 1, 2], "single row"),
        ([[1.0], [1.0], [1.0], [1.0]], [0, 1, 0, 1], "all rows are equal"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(X, y, words):
    with pytest.raises(DataError, match=words):
        prepare(made(X, y), PreparationConfig())


def test_holding_out_too_much_is_said():
    with pytest.raises(DataError, match="hold out less"):
        prepare(made([[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1]), PreparationConfig(held_out_fraction=0.9))


def test_unlabelled_rows_are_neither_trained_nor_held_out():
    wine = load_dataset("wine")
    y = wine.y.copy()
    y[:20] = -1
    ready = prepare(replace(wine, y=y), PreparationConfig(held_out_fraction=0.5))
    assert not ready.train[:20].any()
    assert not ready.held_out[:20].any()


def test_a_sample_too_small_for_its_classes_says_so_and_not_another_label():
    with pytest.raises(DataError, match=r"a sample of 10 rows holds a single one of each class\. Raise the limit"):
        prepare(load_dataset("digits"), PreparationConfig(max_rows=10))


@pytest.mark.parametrize(
    ("sizes", "held_out"),
    [
        ([50, 30], 20),  # a quarter
        ([10, 9], 0),  # one row too few
        ([40, 3], 0),  # a single class has members for both sides
        ([40, 4], 11),
        ([3] * 20, 0),
    ],
)
def test_a_quarter_is_held_out_where_nothing_was_said_and_the_classes_allow_it(sizes, held_out):
    y = np.repeat(np.arange(len(sizes)), sizes)
    dataset = made(np.random.default_rng(0).normal(size=(len(y), 2)), y)
    ready = prepare(dataset, PreparationConfig(held_out_fraction=None))
    assert ready.held_out.sum() == held_out
    assert any("Too few rows of each class" in note for note in ready.notes) == (held_out == 0)
    none = prepare(dataset, PreparationConfig(held_out_fraction=0.0))
    assert not none.held_out.any()
    assert not any("Too few rows" in note for note in none.notes)  # it was asked for


def test_rows_without_a_label_do_not_count_towards_the_quarter():
    dataset = made(np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2)
    few = replace(dataset, y=np.where(np.arange(40) < 19, dataset.y, -1))
    assert not prepare(few, PreparationConfig(held_out_fraction=None)).held_out.any()
