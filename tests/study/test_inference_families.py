"""Corrections over families: against their definitions, worked examples and simulations without any difference."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import chain, combinations

import numpy as np
import pytest

from study.inference import (
    ALPHA,
    Conclusion,
    best_of,
    corrected,
    curve_against_current,
    difference_over_splits,
    holm,
    judge_claims,
    paired_difference,
    paired_difference_of_counts,
    pairs,
    share_of_plan,
)

BETTER, WORSE, WITHIN, OPEN = Conclusion.BETTER, Conclusion.WORSE, Conclusion.WITHIN_MARGIN, Conclusion.CANNOT_TELL


def test_holm_is_the_closed_test_of_bonferroni():
    rng = np.random.default_rng(0)
    for p in (rng.random(6) ** 3, np.array([0.01, 0.01, 0.04, 0.2]), np.array([0.9, 0.8])):
        m = range(len(p))
        subsets = list(chain.from_iterable(combinations(m, size) for size in range(1, len(p) + 1)))
        closed = [min(1.0, max(len(s) * min(p[j] for j in s) for s in subsets if i in s)) for i in m]
        np.testing.assert_allclose(holm(p), closed)


def test_holm_of_a_worked_example_and_of_tests_that_were_not_made():
    np.testing.assert_allclose(holm([0.01, 0.02, 0.03, 0.04]), [0.04, 0.06, 0.06, 0.06])
    np.testing.assert_allclose(holm([0.03, np.nan, 0.01]), [0.03, np.nan, 0.02])
    assert len(holm([])) == 0


def test_a_pair_that_is_significant_alone_may_not_be_in_a_table():
    n = 60
    rows = np.arange(n)
    members = {"a": rows < 30, "b": rows < 30, "c": rows < 30, "d": rows < 24}
    alone = paired_difference(members["a"], members["d"])
    assert (alone.p_value, alone.answer) == (2 / 2**6, BETTER)
    table = pairs(members, paired_difference)
    assert list(table) == list(combinations("abcd", 2))
    assert table["a", "d"].corrected_p == pytest.approx(6 / 2**5)
    assert table["a", "d"].answer is OPEN
    assert best_of(table) is None


def test_the_best_of_a_table_is_better_than_every_other():
    rng = np.random.default_rng(1)
    splits = {key: mean + rng.normal(0, 0.01, 10) for key, mean in (("pca", 0.6), ("nca", 0.9), ("lda", 0.7))}
    over_splits = partial(difference_over_splits, n_train=150, n_test=50)
    table = pairs(splits, over_splits)
    assert best_of(table) == "nca"
    assert best_of(pairs(splits, partial(over_splits, planned=10))) == "nca"
    assert best_of(pairs(splits, partial(over_splits, planned=20))) is None  # not complete
    assert table["pca", "nca"].answer is WORSE
    assert table["nca", "lda"].answer is BETTER
    splits["lda"] = splits["nca"] - 0.001
    assert best_of(pairs(splits, over_splits)) is None


def test_the_best_needs_every_test_but_no_correction():
    rows = np.arange(60)
    members = {"a": rows < 30, "b": rows < 24, "c": rows < 24, "d": rows < 24}
    table = pairs(members, paired_difference)
    assert table["a", "b"].answer is OPEN  # p = 0.031, six pairs
    assert best_of(table) == "a"
    assert best_of(pairs(members | {"d": rows < 25}, paired_difference)) is None  # p = 0.0625
    assert best_of({pair: replace(one, share=0.5) for pair, one in table.items()}) is None


def test_a_share_of_the_level_stays_in_the_family():
    one = replace(paired_difference_of_counts(12, 2, 60), share=share_of_plan(2))
    assert corrected([one])[0].corrected_p == pytest.approx(one.p_value / 0.16)


def curve(n, right, gained, seed, current=4, best=19, n_ks=50):
    """Right answers for every K: neighbouring K differ on a row or two, column `best` gains `gained` rows."""
    rng = np.random.default_rng(seed)
    correct = np.tile((np.arange(n) < right)[:, None], (1, n_ks))
    for ks in (range(current + 1, n_ks), range(current - 1, -1, -1)):
        state = correct[:, current].copy()
        for k in ks:
            rows = rng.integers(0, n, size=rng.integers(0, 3))
            state[rows] = ~state[rows]
            correct[:, k] = state
    correct[:, best] = np.arange(n) < right + gained
    return correct


@pytest.mark.parametrize(
    ("n", "right", "independent", "paired", "seed"), [(107, 99, 0.030, 0.0204, 3), (30, 12, 0.127, 0.069, 10)]
)
def test_another_k_would_be_better_cannot_be_told(n, right, independent, paired, seed):
    """Both cases showed a difference beyond one standard error of independent samples."""
    correct = curve(n, right, 5, seed)
    here, best = correct[:, 4].mean(), correct[:, 19].mean()
    assert math.sqrt((here * (1 - here) + best * (1 - best)) / n) == pytest.approx(independent, abs=6e-4)
    d = correct[:, 19].astype(float) - correct[:, 4]
    assert d.std(ddof=1) / math.sqrt(n) == pytest.approx(paired, abs=6e-4)
    assert best - here > independent
    found = curve_against_current(correct, 4)
    assert found.best == 19
    assert found.differences[19].p_value == 0.0625
    assert found.differences[19].corrected_p == pytest.approx(0.34, abs=0.06)
    assert found.answer is OPEN


def test_a_k_that_is_significant_alone_may_not_be_in_a_curve():
    rng = np.random.default_rng(2)
    correct = rng.random((60, 40)) < 0.5
    correct[:, 1] = correct[:, 0]
    correct[np.flatnonzero(~correct[:, 0])[:7], 1] = True
    found = curve_against_current(correct, 0)
    assert found.differences[1].p_value == 2 / 2**7
    assert found.differences[1].corrected_p > ALPHA
    assert found.answer is OPEN
    assert curve_against_current(correct[:, :2], 0).answer is BETTER


def test_the_curve_with_one_other_k_is_mcnemars_test():
    correct = np.zeros((60, 2), dtype=bool)
    correct[:9, 1] = True
    correct[9:11, 0] = True
    one = curve_against_current(correct, 0, n_flips=40_000).differences[1]
    assert one.p_value == paired_difference_of_counts(9, 2, 60).p_value
    assert one.corrected_p == pytest.approx(one.p_value, abs=0.004)


def test_the_correction_counts_all_signs_of_the_rows():
    rng = np.random.default_rng(4)
    correct = rng.random((10, 4)) < 0.5
    d = correct.astype(int) - correct[:, [1]]
    scale = np.sqrt(np.maximum((d**2).sum(axis=0), 1))
    signs = 1 - 2 * ((np.arange(2**10)[:, None] >> np.arange(10)) & 1)
    greatest = np.max(np.abs(signs @ d) / scale, axis=1)
    expected = [np.mean(greatest >= abs(d[:, k].sum()) / scale[k] - 1e-9) for k in range(4)]
    found = curve_against_current(correct, 1, n_flips=40_000)
    np.testing.assert_allclose([one.corrected_p for one in found.differences], expected, atol=0.01)


def test_the_answers_of_a_curve():
    rows = np.arange(400)
    correct = np.tile((rows < 300)[:, None], (1, 6))
    assert curve_against_current(correct, 2).answer is WITHIN
    assert curve_against_current(correct, 2).best == 2
    assert curve_against_current(correct[:40], 2).answer is OPEN
    correct[300:330, 4] = True
    found = curve_against_current(correct, 2)
    assert (found.answer, found.best) == (BETTER, 4)
    correct = np.tile((rows < 300)[:, None], (1, 6))
    correct[200:300, 5] = False  # much worse elsewhere says nothing against the current K
    assert curve_against_current(correct, 2).answer is WITHIN


def test_many_rows_are_drawn_as_normal_and_agree_with_few(monkeypatch):
    rng = np.random.default_rng(5)
    correct = rng.random((300, 5)) < 0.7
    signs = curve_against_current(correct, 0)
    monkeypatch.setattr("study.inference._MANY", 100)
    normal = curve_against_current(correct, 0)
    for one, other in zip(signs.differences[1:], normal.differences[1:], strict=True):
        assert one.corrected_p == pytest.approx(other.corrected_p, abs=0.06)
    assert any(
        one.corrected_p != other.corrected_p for one, other in zip(signs.differences, normal.differences, strict=True)
    )


def test_claims_of_a_report():
    better, worse = paired_difference_of_counts(20, 2, 400), paired_difference_of_counts(2, 20, 400)
    equal, few = paired_difference_of_counts(5, 5, 2_000), paired_difference_of_counts(2, 1, 20)
    fewer = paired_difference_of_counts(1, 2, 20)
    claims = [(better, False), (worse, False), (worse, True), (equal, True)]
    claims += [(equal, False), (few, True), (few, False), (fewer, False), (fewer, True)]
    standings = [one.standing for one in judge_claims(claims)]
    assert standings == ["holds", "is reversed", "is reversed", "holds", *["cannot be told"] * 5]
    pending = replace(better, complete=False)
    assert judge_claims([(pending, False)])[0].standing == "cannot be told"


def test_claims_are_corrected_over_the_report():
    one = paired_difference_of_counts(9, 1, 400)
    assert one.answer is BETTER
    assert judge_claims([(one, False)])[0].standing == "holds"
    many = judge_claims([(one, False)] + [(paired_difference_of_counts(3, 3, 40), False)] * 98)
    assert many[0].corrected_p == pytest.approx(min(1.0, 99 * one.p_value))
    assert many[0].standing == "cannot be told"
    assert judge_claims([(paired_difference_of_counts(1, 9, 400), False)])[0].standing == "is reversed"


def test_not_worse_does_not_hold_merely_because_nothing_speaks_against_it():
    assert judge_claims([(paired_difference_of_counts(0, 0, 30), True)])[0].standing == "cannot be told"
    slightly_worse = paired_difference_of_counts(1, 12, 4_000)
    assert slightly_worse.answer is WORSE
    assert judge_claims([(slightly_worse, True)])[0].standing == "holds"  # by less than the margin


def test_families_without_any_difference_hold_false_claims_at_most_at_the_level():
    rng = np.random.default_rng(6)
    wrong = dict.fromkeys(("table", "curve", "splits"), 0)
    trials = 250
    for _ in range(trials):
        right = rng.random((80, 6)) < rng.beta(3, 1, (80, 1))  # rows of different difficulty
        table = pairs({str(k): right[:, k] for k in range(6)}, paired_difference)
        wrong["table"] += any(one.answer in (BETTER, WORSE) for one in table.values())
        found = curve_against_current(right, 0, n_flips=999)
        wrong["curve"] += any(one.corrected_p <= ALPHA for one in found.differences)
        shared = rng.normal(0, 0.03, 4)  # what splits of the same rows have in common
        splits = {str(k): shared[k] + rng.normal(0, 0.05, 12) for k in range(4)}
        over_splits = partial(difference_over_splits, n_train=150, n_test=50, shares=False)
        wrong["splits"] += any(one.answer in (BETTER, WORSE) for one in pairs(splits, over_splits).values())
    most = trials * 0.05 + 2 * math.sqrt(trials * 0.05 * 0.95)
    assert all(count <= most for count in wrong.values()), wrong
    assert wrong["curve"] > 0  # the corrections are not merely blind
