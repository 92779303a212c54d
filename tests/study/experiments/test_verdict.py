"""Verdicts, on numbers where a wrong rule gives another word."""

import numpy as np
import pytest

from study.experiments.base.experiment import Claim, Experiment, Line, Outcome, method_cell
from study.experiments.base.report import TextTable, report_blocks
from study.experiments.base.results import (
    Mean,
    Results,
    agreement_of,
    difference,
    explain_claim,
    explain_deviation,
    judge,
)
from study.inference import difference_over_splits

CELL = method_cell("iris", "pca", 0.3)
DRAWN = method_cell("rings", "pca", 0.3)


def mean(values, published=(), *, error=False, variant="", column="PCA", cell=CELL, n_train=70, n_test=30):
    line = Line("iris", column, cell, published=published, error=error, variant=variant)
    numbers = [1 - value for value in values] if error else values  # of outcomes: accuracies
    outcomes = [Outcome({line.number: value}, n_train, n_test, seconds=1.0) for value in numbers]
    return Mean(line, dict(enumerate(outcomes)), len(values))


VALUES = [0.90, 0.92, 0.94, 0.96, 0.93]  # mean 0.93, s = 0.02236
OTHERS = [0.80, 0.84, 0.85, 0.86, 0.84]


@pytest.mark.parametrize(
    ("published", "splits", "word"),
    [
        # s √(1/5 + 1/m') with t(4, .975) = 2.776: of five splits 0.039, of many 0.0278, of one 0.068.
        ((0.89,), 5, "better"),
        ((0.97,), 5, "worse"),
        ((0.96,), 5, "cannot be told"),
        ((0.96,), 1_000_000, "worse"),
        ((0.99,), 1, "cannot be told"),
        # A difference of two points is ruled out, or not.
        ((0.93,), 1_000_000, "cannot be told"),  # t(4, .95) = 2.132: 0.0213
        ((0.80, 0.90), 1_000_000, "better"),
    ],
)
def test_three_answers_beside_a_published_number(published, splits, word):
    assert agreement_of(mean(VALUES, published), splits).word == word


NEAR = [0.925, 0.93, 0.935, 0.93, 0.93]


@pytest.mark.parametrize(
    ("measured", "splits", "word"),
    [
        *((mean(NEAR, published), 1_000_000, "agrees") for published in ((0.93,), (0.80, 0.99), (0.80, 0.932))),
        (mean([1 - value for value in NEAR], (0.07,), error=True), 1_000_000, "agrees"),
        *(
            (mean([1 - value for value in VALUES], (at,), error=True), 4, w)
            for at, w in ((0.2, "better"), (0.01, "worse"))
        ),
        *((mean([0.9] * n, (0.5,)), 4, w) for n, w in ((0, "not run"), (4, "a first look"), (5, "better"))),
    ],
)
def test_where_two_points_are_ruled_out_of_errors_and_of_few_splits(measured, splits, word):
    assert agreement_of(measured, splits).word == word


def results_of(*means, claims=()):
    lines = tuple(m.line for m in means)
    return Results(Experiment("x", "X", "S", "T", lines, claims, published_splits=4), means)


def test_a_difference_goes_split_by_split_and_allows_for_shared_rows():
    a, b = mean(VALUES), mean(OTHERS, column="NCA")
    found = difference(a, b)
    wanted = difference_over_splits(np.array(VALUES), np.array(OTHERS), 70, 30)
    assert (found.estimate, found.p_value) == (pytest.approx(0.092), wanted.p_value)
    assert difference(b, a).estimate == pytest.approx(-0.092)
    assert difference(a, mean([0.80, 0.84], column="NCA")).estimate == pytest.approx(0.09)  # splits that both have
    drawn = difference(mean(VALUES, cell=DRAWN), mean(OTHERS, cell=DRAWN))  # anew, and independent
    assert drawn.p_value < found.p_value


def claim_of(others, equal_will_do=False, n=5, wide=False):
    claim = Claim("PCA above NCA", ("iris", "PCA"), ("iris", "NCA"), equal_will_do)
    rows = {"n_train": 900, "n_test": 900} if wide else {}
    return results_of(mean(VALUES[:n], **rows), mean(others, column="NCA", **rows), claims=(claim,)), claim


@pytest.mark.parametrize(
    ("others", "equal_will_do", "word"),
    [
        ([0.70, 0.74, 0.75, 0.76, 0.74], False, "holds"),
        (OTHERS[:4], False, "a first look"),
        ([1.00, 1.00, 1.00, 1.00, 1.00], False, "cannot be told"),  # 7 points worse, by few rows
        ([0.91, 0.91, 0.95, 0.93, 0.93], False, "cannot be told"),
        ([0.91, 0.91, 0.95, 0.93, 0.93], True, "cannot be told"),  # not refuted is not shown
        ([0.70, 0.74, 0.75, 0.76, 0.74], True, "holds"),
    ],
)
def test_claims(others, equal_will_do, word):
    found, claim = claim_of(others, equal_will_do)
    judged = judge([found])
    assert judged["x", claim].word == word
    (table,) = (block for block in report_blocks([found]) if isinstance(block, TextTable) and block.header[0] == "id")
    counts = dict(zip(table.header, table.rows[0], strict=True))
    assert counts[{"holds": "claims hold", "a first look": word}.get(word, f"claims: {word}")] == "1"
    assert judge([results_of(mean(VALUES), claims=(claim,))])["x", claim].word == "not run"


def test_not_worse_holds_where_a_loss_of_two_points_is_ruled_out():
    found, claim = claim_of([value + 0.001 * (-1) ** k for k, value in enumerate(VALUES)], True, wide=True)
    assert judge([found])["x", claim].word == "holds"
    found, claim = claim_of([value + 0.2 + 0.001 * k for k, value in enumerate(VALUES)], True, wide=True)
    assert judge([found])["x", claim].word == "is reversed"


def test_all_claims_shown_are_one_family():
    found, claim = claim_of([0.80, 0.83, 0.84, 0.86, 0.84], wide=True)
    alone = judge([found])["x", claim]
    others = tuple(Claim(f"{k}", ("iris", "PCA"), ("iris", "LDA")) for k in range(98))
    lda = mean([0.93, 0.91, 0.95, 0.95, 0.94], column="LDA", n_train=900, n_test=900)
    many = results_of(*found.means, lda, claims=(claim, *others))
    assert judge([many])["x", claim].corrected_p == pytest.approx(99 * alone.corrected_p)
    assert alone.word == "holds"


def test_of_a_claim_that_does_not_hold_it_is_said_with_which_settings_it_would():
    claim = Claim("PCA above NCA", ("iris", "PCA"), ("iris", "NCA"))
    others = mean([0.93, 0.92, 0.94, 0.96, 0.92], column="NCA")
    scaled = mean([0.69, 0.68, 0.70, 0.70, 0.68], column="NCA", variant="scaled")
    means = mean(VALUES), mean(VALUES, variant="scaled"), mean(VALUES, variant="K = 3"), others, scaled
    found = results_of(*means, claims=(claim,))
    said = explain_claim(claim, judge([found])["x", claim], found)
    assert said.startswith(
        "PCA above NCA: cannot be told. Other settings: scaled: holds (93.0 ± 1.0\xa0% against 69.0 "
    )
    assert "K = 3: cannot be told (93.0 ± 1.0\xa0% against 93.4" in said


def test_a_claim_about_errors_is_about_less():
    claim = Claim("PCA above NCA", ("iris", "PCA"), ("iris", "NCA"))
    a, b = mean([0.1] * 5, error=True), mean([0.3, 0.31, 0.3, 0.3, 0.31], error=True, column="NCA")
    judged = judge([results_of(a, b, claims=(claim,))])["x", claim]
    assert (judged.word, judged.difference.estimate) == ("holds", pytest.approx(0.204))


def test_a_deviation_names_the_setting_that_agrees():
    main = mean(VALUES, (0.70,))
    near = mean([0.695, 0.70, 0.705, 0.702, 0.698], (0.70,), variant="not scaled")
    far = mean([0.80, 0.82, 0.81, 0.82, 0.81], (0.70,), variant="K = 9")
    said = explain_deviation(main, results_of(main, near, far))
    assert said.startswith("iris, PCA: accuracy published 70.0\xa0%, ours 93.0 ± 1.0\xa0% (better by 23.0 points).")
    assert "not scaled: 70.0 ± 0.2\xa0%; K = 9: 81.2 ± 0.4\xa0%" in said
    assert said.endswith("With not scaled it agrees.")


def test_a_deviation_that_nothing_explains_says_so():
    main = mean(VALUES, (0.70,))
    nearer = mean([0.80, 0.82, 0.81, 0.82, 0.81], (0.70,), variant="K = 9")
    farther = mean([0.97, 0.98, 0.97, 0.98, 0.97], (0.70,), variant="K = 1")
    assert explain_deviation(main, results_of(main, nearer, farther)).endswith(
        "None of these agrees; K = 9 comes nearest."
    )
    assert explain_deviation(main, results_of(main, farther)).endswith("so the reason lies elsewhere.")
    assert explain_deviation(main, results_of(main)).endswith("No other setting was run.")
    assert explain_deviation(mean(VALUES, (0.93,)), results_of(main)) == ""
