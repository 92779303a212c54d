"""Verdicts, on numbers where a wrong rule gives another word."""

from __future__ import annotations

import math

import numpy as np
import pytest

from study.experiments.base.cell import Outcome, method_cell
from study.experiments.base.experiment import Claim, Experiment, Line
from study.experiments.base.results import Mean, Results, agreement_of, counts, deviation, difference, judge, why_not

CELL = method_cell("iris", "pca", 0.3)
DRAWN = method_cell("rings", "pca", 0.3)


def mean(values, published=(), *, error=False, variant="", column="PCA", cell=CELL, n_train=70, n_test=30):
    line = Line("iris", column, cell, published=published, error=error, variant=variant)
    outcomes = tuple(Outcome(n_train=n_train, n_test=n_test, seconds=1.0) for _ in values)
    return Mean(line, dict(enumerate(values)), len(values), outcomes)


VALUES = [0.90, 0.92, 0.94, 0.96, 0.93]  # mean 0.93, s = 0.02236
OTHERS = [0.80, 0.84, 0.85, 0.86, 0.84]


def test_mean_and_error():
    found = mean(VALUES)
    assert found.mean == pytest.approx(0.93)
    assert found.standard_error == pytest.approx(np.std(VALUES, ddof=1) / np.sqrt(5))


@pytest.mark.parametrize(
    ("published", "splits", "word"),
    [
        # of five splits each: s √(1/5 + 1/5) = 0.01414, two of them 0.0283
        ((0.955,), 5, "agrees"),
        ((0.96,), 5, "worse"),
        ((0.89,), 5, "better"),
        # of many: two errors are 0.02
        ((0.96,), 1_000_000, "worse"),
        # of one: two errors are 0.049
        ((0.97,), 1, "agrees"),
        ((0.99,), 1, "worse"),
        # between two published numbers, or near one of them
        ((0.80, 0.99), 1_000_000, "agrees"),
        ((0.80, 0.915), 1_000_000, "agrees"),
        ((0.80, 0.90), 1_000_000, "better"),
    ],
)
def test_two_standard_errors_of_the_difference(published, splits, word):
    assert agreement_of(mean(VALUES, published), splits).word == word


def test_of_errors_less_is_better():
    errors = [1 - value for value in VALUES]
    assert agreement_of(mean(errors, (0.2,), error=True), 4).word == "better"
    assert agreement_of(mean(errors, (0.01,), error=True), 4).word == "worse"


def test_few_splits_are_a_first_look_and_none_is_not_run():
    assert agreement_of(mean([0.9], (0.5,)), 4).word == "a first look"
    assert agreement_of(mean([0.9] * 4, (0.5,)), 4).word == "a first look"
    assert agreement_of(mean([0.9] * 4, (0.9,)), 4).word == "a first look"  # nor does it agree
    assert agreement_of(mean([0.9] * 5, (0.5,)), 4).word == "better"
    assert agreement_of(mean([], (0.5,)), 4).word == "not run"


def results_of(*means, claims=()):
    lines = tuple(m.line for m in means)
    return Results(Experiment("x", "X", "S", "T", lines, claims, published_splits=4), means)


def test_a_difference_goes_split_by_split_with_the_corrected_error():
    a, b = mean(VALUES), mean(OTHERS, column="NCA")
    pairs = np.array([0.10, 0.08, 0.09, 0.10, 0.09])
    assert difference(a, b)[0] == pytest.approx(pairs.mean())
    assert difference(a, b)[1] == pytest.approx(np.sqrt((1 / 5 + 30 / 70) * pairs.var(ddof=1)))


def test_data_drawn_anew_are_independent():
    a, b = (mean(values, cell=DRAWN) for values in (VALUES, OTHERS))
    assert difference(a, b)[1] == pytest.approx(np.std([0.10, 0.08, 0.09, 0.10, 0.09], ddof=1) / np.sqrt(5))


def test_only_splits_that_both_have_count():
    a, b = mean(VALUES), mean([0.80, 0.84], column="NCA")
    assert difference(a, b)[0] == pytest.approx(0.09)


@pytest.mark.parametrize(
    ("others", "equal_will_do", "word"),
    [
        (OTHERS, False, "holds"),
        (OTHERS[:4], False, "a first look"),
        (OTHERS[:4], True, "a first look"),
        ([0.99, 0.98, 1.00, 1.00, 0.98], False, "is reversed"),
        ([0.99, 0.98, 1.00, 1.00, 0.98], True, "is reversed"),
        ([0.91, 0.91, 0.95, 0.93, 0.93], False, "undecided"),
        ([0.91, 0.91, 0.95, 0.93, 0.93], True, "holds"),
    ],
)
def test_claims(others, equal_will_do, word):
    claim = Claim("PCA above NCA", ("iris", "PCA"), ("iris", "NCA"), equal_will_do)
    found = results_of(mean(VALUES), mean(others, column="NCA"), claims=(claim,))
    assert judge(claim, found).word == word
    assert counts(found) == {word if word == "a first look" else f"claim {word}": 1}


def test_of_a_claim_that_does_not_hold_it_is_said_with_which_settings_it_would():
    claim = Claim("PCA above NCA", ("iris", "PCA"), ("iris", "NCA"))
    others = mean([0.99, 0.98, 1.00, 1.00, 0.98], column="NCA")
    scaled = mean([0.89, 0.88, 0.90, 0.90, 0.88], column="NCA", variant="scaled")
    found = results_of(mean(VALUES), mean(VALUES, variant="scaled"), mean(VALUES, variant="K = 3"), others, scaled)
    said = why_not(judge(claim, found), found)
    assert said.startswith("PCA above NCA: is reversed. Other settings: scaled: ")
    assert (
        "scaled: holds (93.0 ± 1.0\xa0% against 89.0 ± 0.4\xa0%); K = 3: is reversed (93.0 ± 1.0\xa0% against 99.0"
        in said
    )
    assert why_not(judge(Claim("NCA above PCA", ("iris", "NCA"), ("iris", "PCA")), found), found) == ""


def test_a_claim_about_errors_is_about_less():
    claim = Claim("PCA above NCA", ("iris", "PCA"), ("iris", "NCA"))
    a, b = mean([0.1, 0.11], error=True), mean([0.2, 0.22], error=True, column="NCA")
    assert judge(claim, results_of(a, b)).gain == pytest.approx(0.105)


def test_a_claim_about_what_was_not_run_or_run_once():
    claim = Claim("PCA above NCA", ("iris", "PCA"), ("iris", "NCA"))
    assert judge(claim, results_of(mean(VALUES))).word == "not run"
    once = judge(claim, results_of(mean([0.9]), mean([0.8], column="NCA")))
    assert (once.word, math.isnan(once.error)) == ("a first look", True)


def test_a_deviation_names_the_setting_that_agrees():
    main = mean(VALUES, (0.70,))
    near = mean([0.69, 0.70, 0.71, 0.72, 0.70], (0.70,), variant="not scaled")
    far = mean([0.80, 0.82, 0.81, 0.82, 0.81], (0.70,), variant="K = 9")
    said = deviation(main, results_of(main, near, far))
    assert said.startswith(
        "iris, PCA: accuracy published 70.0\xa0%, ours 93.0 ± 1.0\xa0% (better by 15.3 standard errors)."
    )
    assert "not scaled: 70.4 ± 0.5\xa0%; K = 9: 81.2 ± 0.4\xa0%" in said
    assert said.endswith("With not scaled it agrees.")


def test_a_deviation_that_nothing_explains_says_so():
    main = mean(VALUES, (0.70,))
    nearer = mean([0.80, 0.82, 0.81, 0.82, 0.81], (0.70,), variant="K = 9")
    farther = mean([0.97, 0.98, 0.97, 0.98, 0.97], (0.70,), variant="K = 1")
    assert deviation(main, results_of(main, nearer, farther)).endswith("None of these agrees; K = 9 comes nearest.")
    assert deviation(main, results_of(main, farther)).endswith("so the reason lies elsewhere.")
    assert deviation(main, results_of(main)).endswith("No other setting was run.")
    assert deviation(mean(VALUES, (0.93,)), results_of(main)) == ""
