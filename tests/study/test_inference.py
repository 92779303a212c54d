"""Tests, intervals and families against enumeration, published examples, other functions and simulations."""

import math
from dataclasses import replace
from functools import partial
from itertools import chain, combinations, permutations, product

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import comb
from scipy.stats import binomtest, multinomial, ttest_1samp
from scipy.stats import t as student
from sklearn.metrics import confusion_matrix

from study.inference import (
    ALPHA,
    FEWEST_PERMUTATIONS,
    MARGIN,
    Conclusion,
    accuracy_against_chance,
    balanced_accuracy_against_chance,
    best_of,
    corrected,
    curve_against_current,
    difference_from_published,
    difference_over_splits,
    holm,
    judge_claims,
    paired_difference,
    paired_difference_of_counts,
    pairs,
    permutation_test,
    share_of_plan,
    tango_interval,
    tango_statistic,
    wilson_interval,
)

BETTER, WORSE, WITHIN, OPEN = Conclusion.BETTER, Conclusion.WORSE, Conclusion.WITHIN_MARGIN, Conclusion.CANNOT_TELL


# One accuracy


def test_wilson_covers():
    np.testing.assert_allclose(wilson_interval(81, 263), (0.2553, 0.3662), atol=5e-5)  # Newcombe (1998), method 3
    for n, p in product((10, 30), (0.1, 0.5, 0.85)):
        mass = [comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(n + 1)]
        inside = [low <= p <= high for low, high in (wilson_interval(x, n) for x in range(n + 1))]
        assert np.dot(mass, inside) >= 0.915


def test_14_of_30_at_a_third_cannot_be_told():
    found = accuracy_against_chance(14, 30, 1 / 3)
    tail = sum(comb(30, x, exact=True) * 2 ** (30 - x) for x in range(14, 31)) / 3**30
    assert found.p_value == pytest.approx(tail)
    assert round(found.p_value, 2) == 0.09
    assert found.answer is OPEN
    assert accuracy_against_chance(16, 30, 1 / 3).answer is BETTER
    assert accuracy_against_chance(660, 2_000, 1 / 3).answer is WITHIN


def permuted_p_value(y, predicted):
    """The share of all orders of the predictions whose balanced accuracy is as great."""
    classes = np.unique(y)

    def balanced(labels):
        return np.mean([np.mean(labels[y == c] == c) for c in classes])

    values = np.array([balanced(np.array(order)) for order in set(permutations(predicted.tolist()))])
    return np.mean(values >= balanced(predicted) - 1e-12)


def test_balanced_accuracy_is_tested_by_all_orders_of_the_predictions():
    y, predicted = np.array([0] * 6 + [1] * 3), np.array([0, 0, 0, 0, 0, 1, 1, 1, 0])
    found = balanced_accuracy_against_chance(confusion_matrix(y, predicted))
    assert found.value == pytest.approx((5 / 6 + 2 / 3) / 2)
    assert found.p_value == pytest.approx(permuted_p_value(y, predicted))
    y, predicted = np.array([0] * 4 + [1] * 3 + [2] * 2), np.array([0, 0, 0, 1, 1, 1, 0, 2, 0])
    found = balanced_accuracy_against_chance(confusion_matrix(y, predicted))
    assert found.chance == pytest.approx(1 / 3)
    assert found.p_value == pytest.approx(permuted_p_value(y, predicted), abs=0.012)


def test_with_one_class_nothing_can_be_better_than_chance():
    found = balanced_accuracy_against_chance(np.array([[9, 0], [0, 0]]))
    assert (found.value, found.chance, found.p_value) == (1.0, 1.0, 1.0)
    assert found.answer is not BETTER
    with pytest.raises(ValueError, match="no rows"):
        balanced_accuracy_against_chance(np.zeros((2, 2), dtype=int))


FIVE_CLASSES = np.array(  # right on 90 % of 1,000 rows, where naming the largest class is right on 91 %
    [[875, 12, 10, 8, 5], [18, 9, 1, 2, 0], [18, 1, 9, 1, 1], [13, 2, 0, 5, 0], [8, 0, 0, 0, 2]]
)


@pytest.mark.parametrize(
    ("confusion", "balanced", "answer"),
    [
        (FIVE_CLASSES, 0.40, BETTER),
        ([[888, 51], [51, 10]], 0.55, BETTER),
        ([[126, 8], [13, 2]], 0.54, OPEN),
        ([[900, 0], [100, 0]], 0.50, WITHIN),  # always the largest class
        ([[27, 0, 0], [2, 0, 0], [1, 0, 0]], 1 / 3, OPEN),
        ([[8_000, 2_000], [800, 200]], 0.50, WITHIN),
    ],
)
def test_one_large_class_is_judged_by_balanced_accuracy(confusion, balanced, answer):
    found = balanced_accuracy_against_chance(np.array(confusion))
    assert found.value == pytest.approx(balanced, abs=0.006)
    assert (found.chance, found.answer) == (1 / len(confusion), answer)


def test_the_upper_limit_of_balanced_accuracy_covers(monkeypatch):
    monkeypatch.setattr("study.inference._TABLES", 9)  # it needs no tables
    rng = np.random.default_rng(1)
    right, sizes = np.array([0.9, 0.6, 0.5]), np.array([60, 20, 10])
    inside = 0
    for x in rng.binomial(sizes, right, (1_000, 3)):
        confusion = np.diag(x) + np.roll(np.diag(sizes - x), 1, axis=1)
        inside += right.mean() <= balanced_accuracy_against_chance(confusion).upper
    assert 0.93 <= inside / 1_000 <= 0.985


# Two classifiers on the rows of one split


@pytest.mark.parametrize(("b", "c"), [(0, 0), (1, 0), (5, 0), (3, 3), (1, 7), (9, 4)])
def test_mcnemar_counts_all_signs_of_the_discordant_rows(b, c):
    signs = np.array(list(product([-1, 1], repeat=b + c))).reshape(2 ** (b + c), b + c)
    p_value = paired_difference_of_counts(b, c, b + c + 9).p_value
    assert p_value == pytest.approx(np.mean(np.abs(signs.sum(axis=1)) >= abs(b - c)))


def test_published_example_of_matched_pairs():
    # Airway hyper-responsiveness of 21 children: Fagerland, Lydersen and Laake (2014), Statist. Med. 33.
    assert paired_difference_of_counts(1, 7, 21).p_value == pytest.approx(0.0703, abs=5e-5)
    np.testing.assert_allclose(tango_interval(1, 7, 21), (-0.517, -0.026), atol=5e-4)


@pytest.mark.parametrize(
    ("b", "c", "n", "delta"), [(7, 2, 40, 0.05), (7, 2, 40, -0.1), (0, 0, 12, 0.03), (3, 9, 30, 0.2)]
)
def test_tango_is_the_score_test_at_the_likeliest_nuisance(b, c, n, delta):
    def unlikely(q):  # minus the log-likelihood of (b, c, n − b − c) with probabilities (q + Δ, q, 1 − 2q − Δ)
        cells = ((b, q + delta), (c, q), (n - b - c, 1 - 2 * q - delta))
        return -sum(count * math.log(max(p, 1e-300)) for count, p in cells if count)

    low, high = max(0.0, -delta), (1 - delta) / 2
    q = minimize_scalar(unlikely, (low, high), bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x
    expected = (b - c - n * delta) / math.sqrt(n * (2 * q + delta - delta**2))
    assert tango_statistic(b, c, n, delta) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(("b", "c", "n"), [(0, 0, 10), (5, 0, 30), (0, 10, 10), (10, 0, 10), (12, 7, 200)])
def test_the_ends_of_tangos_interval_are_rejected_at_the_level(b, c, n):
    low, high = tango_interval(b, c, n)
    assert -1 <= low <= (b - c) / n <= high <= 1
    for end, z in ((low, 1.959964), (high, -1.959964)):
        if abs(end) < 1:
            assert tango_statistic(b, c, n, end) == pytest.approx(z, abs=1e-5)


@pytest.mark.parametrize(
    ("b", "c", "n", "answer"),
    [
        (12, 1, 60, BETTER),
        (1, 12, 60, WORSE),
        (5, 0, 30, OPEN),  # p = 0.0625
        (0, 0, 30, OPEN),  # the same answers on thirty rows are no proof of equality
        (0, 0, 300, WITHIN),
        (12, 11, 2_000, WITHIN),
    ],
)
def test_the_three_answers_of_one_split(b, c, n, answer):
    first = np.arange(n) < b
    second = (np.arange(n) >= b) & (np.arange(n) < b + c)
    found = paired_difference(first, second)
    assert found == paired_difference_of_counts(b, c, n)
    assert found.answer is answer
    assert (found.estimate, found.n) == (pytest.approx((b - c) / n), n)
    assert (found.low <= 0 <= found.high) == (found.p_value > 0.05)
    assert found.p_margin == found.corrected_p_margin == max(found.p_not_worse, found.p_not_better)


def test_neither_difference_nor_equality_is_claimed_wrongly_more_often_than_the_level():
    for n, p10, p01 in ((40, 0.1, 0.1), (200, 0.03, 0.01), (400, 0.021, 0.001), (1_000, 0.025, 0.005)):
        claimed = dict.fromkeys(Conclusion, 0.0)
        pairs_of = np.array([(b, c) for b, c in product(range(min(n, 100) + 1), repeat=2) if b + c <= min(n, 100)])
        counts = np.column_stack([pairs_of, n - pairs_of.sum(axis=1)])
        for (b, c), mass in zip(pairs_of.tolist(), multinomial(n, (p10, p01, 1 - p10 - p01)).pmf(counts), strict=True):
            if mass > 1e-7:
                claimed[paired_difference_of_counts(b, c, n).answer] += mass
        if p10 == p01:
            assert claimed[BETTER] + claimed[WORSE] <= 0.05
        else:  # the difference is the margin
            assert p10 - p01 == pytest.approx(MARGIN)
            assert claimed[WITHIN] + claimed[WORSE] <= 0.05


# Several splits


def test_without_shared_rows_it_is_the_paired_t_test():
    rng = np.random.default_rng(3)
    first, second = rng.normal(0.8, 0.05, 12), rng.normal(0.78, 0.05, 12)
    found = difference_over_splits(first, second, 90, 10, independent=True, shares=False)
    expected = ttest_1samp(first - second, 0)
    assert found.p_value == pytest.approx(expected.pvalue)
    np.testing.assert_allclose((found.low, found.high), expected.confidence_interval(0.95))
    for shift, alternative, p in ((-MARGIN, "greater", found.p_not_worse), (MARGIN, "less", found.p_not_better)):
        assert p == pytest.approx(ttest_1samp(first - second, shift, alternative=alternative).pvalue)


def test_published_example_of_repeated_splits():
    # scikit-learn, "Statistical comparison of models using grid search": corrected t = 0.750, p = 0.227 (one-sided).
    from sklearn.datasets import make_moons
    from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
    from sklearn.svm import SVC

    data = make_moons(noise=0.352, random_state=1, n_samples=100)
    how = {"scoring": "roc_auc", "cv": RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)}
    rbf, linear = (cross_val_score(SVC(kernel=kernel, random_state=0), *data, **how) for kernel in ("rbf", "linear"))
    found = difference_over_splits(rbf, linear, 90, 10, shares=False, overlap=1.0)
    assert found.p_value / 2 == pytest.approx(0.227, abs=5e-4)
    assert found.answer is OPEN
    ours = difference_over_splits(rbf, linear, 90, 10, shares=False)  # training rows overlap as well: c is 1.6
    ratio = (ours.high - ours.low) / (found.high - found.low)
    assert ratio == pytest.approx(math.sqrt((1 / 100 + 1.6 / 9) / (1 / 100 + 1 / 9)))


@pytest.mark.parametrize(
    ("first", "second", "settings", "answer"),
    [
        ([0.9, 0.92, 0.91, 0.93, 0.9, 0.92], [0.6, 0.65, 0.62, 0.6, 0.66, 0.63], {}, BETTER),
        ([0.6, 0.65, 0.62, 0.6, 0.66, 0.63], [0.9, 0.92, 0.91, 0.93, 0.9, 0.92], {}, WORSE),
        ([0.9, 0.92, 0.91, 0.93, 0.9, 0.92], [0.6, 0.65, 0.62, 0.6, 0.66, 0.63], {"planned": 7}, OPEN),
        ([0.9, 0.92, 0.91, 0.93], [0.6, 0.65, 0.62, 0.6], {}, OPEN),  # fewer than five splits
        ([1.0] * 20, [1.0] * 20, {"n_test": 10, "n_train": 30}, OPEN),  # ten rows are no proof of equality
        ([1.0] * 20, [1.0] * 20, {}, WITHIN),
        ([0.82] * 5, [0.8] * 5, {"n_test": 50, "n_train": 150}, OPEN),  # one row, five times
        ([0.8] * 5, [0.8] * 5, {"shares": False}, WITHIN),
        ([0.9, 0.92, 0.91, 0.93, 0.9], [0.6, 0.65, 0.62, 0.6, 0.66], {"n_test": 0}, OPEN),  # no held-out rows
        ([math.nan] * 6, [0.8] * 6, {}, OPEN),
        ([], [], {}, OPEN),
    ],
)
def test_the_three_answers_over_splits(first, second, settings, answer):
    sizes = {"n_train": 300, "n_test": 100} | settings
    found = difference_over_splits(np.array(first), np.array(second), **sizes)
    assert found.answer is answer


def test_a_later_plan_has_less_of_the_level():
    sizes, first = {"n_train": 300, "n_test": 100, "shares": False}, np.random.default_rng(0).normal(0.03, 0.02, 20)
    one, later = (difference_over_splits(first, np.zeros(20), share=share_of_plan(k), **sizes) for k in (1, 2))
    assert one.p_value == later.p_value
    assert later.corrected_p == pytest.approx(5 * one.corrected_p)
    assert one.corrected_p == pytest.approx(one.p_value / 0.8)
    assert sum(share_of_plan(k) for k in range(1, 60)) == pytest.approx(1.0)
    assert corrected([later])[0].corrected_p == later.corrected_p  # in a family, too


def test_against_published_numbers():
    values = np.array([0.91, 0.93, 0.95, 0.92, 0.94, 0.93])
    found = difference_from_published(values, 0.90, 6)
    # Welch's statistic with the same spread on both sides, by hand: s = 0.0141421, error = s √(2/6).
    assert found.p_value == pytest.approx(2 * student.sf(0.03 / math.sqrt(0.0002 / 3), 5))
    assert found.answer is BETTER
    assert difference_from_published(values, 0.90, 1).answer is OPEN  # one published split says little
    assert difference_from_published(values[:4], 0.5, 20).answer is OPEN


# Permutations


@pytest.mark.parametrize(
    ("as_good", "permutations", "decided", "better"),
    [
        (0, 0, False, False),
        (0, 71, False, False),
        (0, 72, True, True),
        (3, 199, True, True),
        (7, 199, False, False),  # p = .04, and all permutations may give .07
        (60, 199, True, False),
    ],
)
def test_the_answers_of_permutations(as_good, permutations, decided, better):
    found = permutation_test(as_good, permutations)
    assert (found.decided, found.better) == (decided, better)
    assert found.p_value == (as_good + 1) / (permutations + 1)
    if permutations:
        expected = binomtest(as_good, permutations).proportion_ci(0.95, method="exact")
        np.testing.assert_allclose((found.low, found.high), (expected.low, expected.high))
    assert FEWEST_PERMUTATIONS == 72


# Families


def test_holm_is_the_closed_test_of_bonferroni_and_passes_over_tests_that_were_not_made():
    rng = np.random.default_rng(0)
    for p in (rng.random(6) ** 3, np.array([0.01, 0.01, 0.04, 0.2]), np.array([0.9, 0.8])):
        m = range(len(p))
        subsets = list(chain.from_iterable(combinations(m, size) for size in range(1, len(p) + 1)))
        closed = [min(1.0, max(len(s) * min(p[j] for j in s) for s in subsets if i in s)) for i in m]
        np.testing.assert_allclose(holm(p), closed)
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


def test_the_correction_counts_all_signs_of_the_rows():
    rng = np.random.default_rng(4)
    correct = rng.random((10, 4)) < 0.5
    correct[3:, 3] = correct[3:, 1]  # few discordant rows beside many: each K is weighed by its own
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
    assert curve_against_current(correct[:40], 2).answer is OPEN
    correct[300:330, 4] = True
    assert curve_against_current(correct, 2).answer is BETTER
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
    assert signs.differences != normal.differences


def test_claims_of_a_report():
    better, worse = paired_difference_of_counts(20, 2, 400), paired_difference_of_counts(2, 20, 400)
    equal, few = paired_difference_of_counts(5, 5, 2_000), paired_difference_of_counts(2, 1, 20)
    fewer = paired_difference_of_counts(1, 2, 20)
    claims = [(better, False), (worse, False), (worse, True), (equal, True)]
    claims += [(equal, False), (few, True), (few, False), (fewer, False), (fewer, True)]
    standings = [standing for standing, _ in judge_claims(claims)]
    assert standings == ["holds", "is reversed", "is reversed", "holds", *["cannot be told"] * 5]
    assert judge_claims([(replace(better, complete=False), False)])[0][0] == "cannot be told"
    assert judge_claims([(paired_difference_of_counts(0, 0, 30), True)])[0][0] == "cannot be told"
    slightly_worse = paired_difference_of_counts(1, 12, 4_000)
    assert slightly_worse.answer is WORSE
    assert judge_claims([(slightly_worse, True)])[0][0] == "holds"  # by less than the margin


def test_claims_are_corrected_over_the_report():
    one = paired_difference_of_counts(9, 1, 400)
    assert one.answer is BETTER
    assert judge_claims([(one, False)])[0][0] == "holds"
    many = judge_claims([(one, False)] + [(paired_difference_of_counts(3, 3, 40), False)] * 98)
    assert many[0] == ("cannot be told", pytest.approx(min(1.0, 99 * one.p_value)))
    assert judge_claims([(paired_difference_of_counts(1, 9, 400), False)])[0][0] == "is reversed"
