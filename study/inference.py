"""Statistical inference for sentences, tables and reports: one accuracy, the difference of two, and families of them.

A comparison has one of three answers: better (or its mirror, worse), no difference larger than the margin, cannot be
told. A difference is claimed by a two-sided test at the level, equality by two one-sided tests against the margin
(TOST). A test that does not reject is never read as equality. In a family (all pairs of a table, all K of a curve, all
claims of a report) both kinds of tests are corrected separately: at most `ALPHA` of the families hold a false
difference, and at most `ALPHA` a false equality.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from statistics import NormalDist

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom, binomtest, hypergeom, random_table, t

ALPHA = 0.05
LEVEL = 1 - ALPHA  # of intervals
MARGIN = 0.02  # differences of accuracy up to two points count as none
FEWEST_SPLITS = 5  # fewer give no verdict: the variance of two or three numbers is hardly known
OVERLAP = 1.6  # by which n_test/n_train is multiplied, see `difference_over_splits`
FIRST_PLAN = 0.8  # share of ALPHA that the first plan spends
# how many permutations can show an effect at all: with none as good, the interval of their p-value ends below ALPHA
FEWEST_PERMUTATIONS = math.ceil(math.log(ALPHA / 2) / math.log(1 - ALPHA))
_TABLES = 9_999  # random tables behind a p-value of balanced accuracy
_FIRST_TABLES = 499  # of which none as good is enough: 9,999 take 0.15 s for ten classes
_BLOCK = 2_000_000  # signs held in memory at once
_MANY = 5_000  # rows beyond which sums of random signs are drawn as normal
_NORMAL = NormalDist()


class Conclusion(StrEnum):
    """What a comparison shows; WORSE is BETTER seen from the other side."""

    BETTER = "better"
    WORSE = "worse"
    WITHIN_MARGIN = "no difference larger than the margin"
    CANNOT_TELL = "cannot be told"


# One accuracy


def wilson_interval(correct: int, total: int, level: float = LEVEL) -> tuple[float, float]:
    """Return the score interval of a proportion of `correct` of `total` rows; ValueError for what is no proportion.

    Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA 22, 209-212.
    Newcombe (1998), Two-sided confidence intervals for the single proportion, Statist. Med. 17, method 3.
    """
    interval = binomtest(correct, total).proportion_ci(level, method="wilson")
    return float(interval.low), float(interval.high)


@dataclass(frozen=True)
class AgainstChance:
    """An accuracy beside what guessing would reach."""

    value: float
    chance: float  # what guessing reaches
    p_value: float  # one-sided: of this accuracy or a greater one where labels and predictions are independent
    upper: float  # one-sided limit of confidence LEVEL, for the claim of no difference larger than the margin
    balanced: bool  # the mean of the classes' own accuracies, not the share of all rows

    @property
    def answer(self) -> Conclusion:
        """BETTER than chance, WITHIN_MARGIN of it or below, or CANNOT_TELL."""
        if self.p_value <= ALPHA:
            return Conclusion.BETTER
        return Conclusion.WITHIN_MARGIN if self.upper < self.chance + MARGIN else Conclusion.CANNOT_TELL


def accuracy_against_chance(correct: int, total: int, chance: float) -> AgainstChance:
    """Compare an accuracy with a known chance level by the exact binomial test, P(X >= correct).

    The level is known only where the held-out classes are equally large, as 1 / number of classes. Elsewhere take
    `balanced_accuracy_against_chance`, whose chance level does not depend on what is predicted how often.
    """
    upper = wilson_interval(correct, total, 1 - 2 * ALPHA)[1]
    return AgainstChance(correct / total, chance, float(binom.sf(correct - 1, total, chance)), upper, False)


def balanced_accuracy_against_chance(confusion: np.ndarray) -> AgainstChance:
    """Compare the mean of the classes' own accuracies with 1 / number of classes.

    Balanced accuracy is (1/C) Σ_c x_cc/n_c. The test is conditional on how often each class occurs and is predicted:
    where labels and predictions are independent, the confusion matrix is then hypergeometric. This keeps its level
    with any number of rows, whereas normal bounds fail for a class of a few rows. It is exact for two classes; for
    more, b of m random tables give (b + 1)/(m + 1): m = 499, and 9,999 where one of them is as good. The upper
    limit combines the Wilson limits u_c of the classes: p + √Σ((u_c − p_c)/C)².

    confusion: held-out rows of class i predicted as class j. Classes without rows do not count, (n_classes, n_classes).

    Raises ValueError without rows.

    Brodersen, Ong, Stephan, Buhmann (2010), The balanced accuracy and its posterior distribution, ICPR.
    Zou and Donner (2008), Construction of confidence limits about effect measures, Statist. Med. 27, 1693-1702.
    Patefield (1981), Algorithm AS 159, J. R. Stat. Soc. C 30 (the random tables).
    """
    counts = np.asarray(confusion, dtype=np.int64)
    sizes = counts.sum(axis=1)  # (n_classes,)
    present = np.flatnonzero(sizes)
    if not len(present):
        raise ValueError("The confusion matrix holds no rows.")
    right, sizes, C = np.diag(counts)[present], sizes[present], len(present)
    value = float(np.mean(right / sizes))
    limits = [wilson_interval(int(x), int(n), 1 - 2 * ALPHA)[1] for x, n in zip(right, sizes, strict=True)]
    upper = value + float(np.linalg.norm(limits - right / sizes)) / C
    predicted = counts.sum(axis=0)  # (n_classes,)
    if C == 1:
        p_value = 1.0
    elif len(counts) == 2:
        p_value = float(hypergeom.sf(right[0] - 1, sizes.sum(), sizes[0], predicted[0]))
    else:
        rng = np.random.default_rng(0)
        for n_tables in (_FIRST_TABLES, _TABLES):
            tables = random_table(sizes, predicted).rvs(n_tables, method="patefield", random_state=rng)
            values = np.mean(tables[:, np.arange(C), present] / sizes, axis=1)  # (n_tables,)
            as_good = int(np.count_nonzero(values >= value - 1e-12))
            p_value = (1 + as_good) / (1 + n_tables)
            if not as_good:
                break
    return AgainstChance(value, 1 / C, p_value, upper, True)


# Two classifiers


@dataclass(frozen=True)
class Difference:
    """The accuracy of the first classifier minus that of the second, with its tests."""

    estimate: float
    low: float  # of the interval of confidence LEVEL, which is not corrected over a family
    high: float
    p_value: float  # two-sided, of no difference
    p_not_worse: float  # one-sided, of the first being worse by the margin or more
    p_not_better: float  # one-sided, of the first being better by the margin or more
    n: int  # rows of one split, or splits
    corrected_p: float  # of no difference: corrected over the family and for later plans
    corrected_p_margin: float  # of a difference of the margin or more: corrected in the same way
    share: float = 1.0  # of the level that this test may spend, `share_of_plan`
    complete: bool = True  # the planned number of splits is there; before, the answer is CANNOT_TELL

    @property
    def p_margin(self) -> float:
        """Of a difference of the margin or more, the greater of both one-sided values (TOST)."""
        return max(self.p_not_worse, self.p_not_better)

    @property
    def answer(self) -> Conclusion:
        """Whether the first is BETTER or WORSE, both lie WITHIN_MARGIN, or CANNOT_TELL.

        A difference that is significant and smaller than the margin counts as one; its interval shows how small it is.
        """
        if not self.complete:
            return Conclusion.CANNOT_TELL
        if self.corrected_p <= ALPHA:
            return Conclusion.BETTER if self.estimate > 0 else Conclusion.WORSE
        return Conclusion.WITHIN_MARGIN if self.corrected_p_margin <= ALPHA else Conclusion.CANNOT_TELL


def tango_statistic(only_first: int, only_second: int, total: int, difference: float) -> float:
    """Return the score statistic of a paired difference of proportions, about standard normal where it is Δ.

    z = (b − c − nΔ) / √(n(2q + Δ(1 − Δ))), q the maximum-likelihood probability of c under Δ: the greater root of
    2n q² + (Δ(2n − b + c) − b − c) q − cΔ(1 − Δ) = 0.

    Tango (1998), Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design, Statist. Med. 17, 891-908.
    """
    b, c, n, delta = only_first, only_second, total, difference
    linear = delta * (2 * n - b + c) - b - c
    root = math.sqrt(max(0.0, linear**2 + 8 * n * c * delta * (1 - delta)))
    q = max(0.0, (root - linear) / (4 * n))
    variance = n * (2 * q + delta * (1 - delta))
    away = b - c - n * delta
    if variance <= 1e-12 * n:
        return math.copysign(math.inf, away) if abs(away) > 1e-9 else 0.0
    return away / math.sqrt(variance)


def tango_interval(only_first: int, only_second: int, total: int) -> tuple[float, float]:
    """Return the score interval of a paired difference: every Δ that `tango_statistic` does not reject."""
    critical = _NORMAL.inv_cdf((1 + LEVEL) / 2)
    estimate = (only_first - only_second) / total

    def beyond(delta: float, sign: int) -> float:
        return max(-1e6, min(1e6, sign * tango_statistic(only_first, only_second, total, delta))) - critical

    low = -1.0 if only_second == total else brentq(beyond, -1.0, estimate, args=(1,))
    high = 1.0 if only_first == total else brentq(beyond, estimate, 1.0, args=(-1,))
    return float(low), float(high)


def paired_difference(first: np.ndarray, second: np.ndarray) -> Difference:
    """Compare two classifiers on the same held-out rows of one split.

    McNemar's exact test decides about a difference, Tango's score test about the margin, at ±margin. The interval is
    Tango's, extended to 0 where the exact test does not reject, so that both agree. The result is about these two
    trained classifiers; other training rows need `difference_over_splits`.

    first, second: whether each row is classified correctly, bool (n_rows,).
    """
    return paired_difference_of_counts(int(np.sum(first & ~second)), int(np.sum(second & ~first)), first.size)


@lru_cache(maxsize=4_096)
def paired_difference_of_counts(only_first: int, only_second: int, total: int) -> Difference:
    """Compare as `paired_difference`, from the number of rows that only one classifier gets right.

    Of b + c rows that exactly one gets right, b ~ Binomial(b + c, 1/2): McNemar's p = min(1, 2 P(X <= min(b, c))).

    McNemar (1947), Note on the sampling error of the difference between correlated proportions, Psychometrika 12.
    """
    b, c, n = only_first, only_second, total
    p_value = min(1.0, 2 * float(binom.cdf(min(b, c), b + c, 0.5)))
    low, high = tango_interval(b, c, n)
    if p_value > ALPHA:
        low, high = min(low, 0.0), max(high, 0.0)
    p_not_worse = 1 - _NORMAL.cdf(tango_statistic(b, c, n, -MARGIN))
    p_not_better = _NORMAL.cdf(tango_statistic(b, c, n, MARGIN))
    worst = max(p_not_worse, p_not_better)
    return Difference((b - c) / n, low, high, p_value, p_not_worse, p_not_better, n, p_value, worst)


def difference_over_splits(
    first: np.ndarray,
    second: np.ndarray,
    n_train: int,
    n_test: int,
    *,
    independent: bool = False,
    overlap: float = OVERLAP,
    shares: bool = True,
    planned: int = 0,
    share: float = 1.0,
) -> Difference:
    """Compare two methods over several random splits of the same rows by the corrected resampled t-test.

    t = d̄ / √((1/J + c n_test/n_train) s²) with J − 1 degrees of freedom, d the differences on J splits: splits share
    rows, so J of them carry less information than J independent ones. The paper has c = 1, as if methods varied with
    the test rows alone. Their training rows overlap as well: the c that simulations need is 0.8 to 1.6 (nearest mean,
    1-NN and 15-NN, 60 and 200 rows), and with c = 1 two copies of 1-NN differ "at 5 %" in up to 10 % of data sets.

    first, second: the numbers of both methods on the same splits, (n_splits,).
    n_train, n_test: rows on either side of a split.
    independent: data are drawn anew for each split, and s²/J is right.
    overlap: c; 1 for the statistic of the paper.
    shares: the numbers are shares of the held-out rows. The variance of one difference is then at least (ψ −
        d̄²)/n_test with a share ψ = max(|d̄|, 1/n_test) of rows that only one method gets right. It keeps equal
        differences in a few splits from being proof.
    planned: how many splits were planned before the first; the answer is CANNOT_TELL until they are there, and without
        held-out rows.
    share: `share_of_plan`, where more splits were added after a verdict.

    Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281.
    Schuirmann (1987), A comparison of the two one-sided tests procedure, J. Pharmacokinet. Biopharm. 15 (TOST).
    """
    d = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)  # (n_splits,)
    J = len(d)
    mean = float(d.mean()) if J else math.nan
    variance = float(d.var(ddof=1)) if J > 1 else math.nan
    if shares and n_test:
        variance = max(variance, (max(abs(mean), 1 / n_test) - mean**2) / n_test)
    error = _error_over_splits(variance, J, 0.0 if independent else overlap * n_test / n_train)
    complete = n_test > 0 and max(planned, FEWEST_SPLITS) <= J
    return _t_difference(mean, error, J, share, complete)


def standard_error_over_splits(values: np.ndarray, n_train: int, n_test: int) -> float:
    """Return the error √((1/J + c n_test/n_train) s²) of a mean over splits of the same rows; NaN of fewer than two."""
    J = len(values)
    return _error_over_splits(float(np.var(values, ddof=1)) if J > 1 else math.nan, J, OVERLAP * n_test / n_train)


def _error_over_splits(variance: float, J: int, shared: float) -> float:
    return math.sqrt((1 / J + shared) * variance) if J > 1 else math.nan


def difference_from_published(values: np.ndarray, published: float, published_splits: int) -> Difference:
    """Compare the mean over random splits with a published one by t with J − 1 degrees of freedom.

    The error is s √(1/J + 1/J'), as both are means over random splits of the same rows; the published numbers are
    assumed to vary like ours. Few published splits leave the error large, and then CANNOT_TELL is the right answer.
    """
    values, J = np.asarray(values, dtype=np.float64), len(values)
    mean = float(values.mean()) - published if J else math.nan
    error = float(values.std(ddof=1)) * math.sqrt(1 / J + 1 / published_splits) if J > 1 else math.nan
    return _t_difference(mean, error, J, 1.0, FEWEST_SPLITS <= J)


def _t_difference(mean: float, error: float, J: int, share: float, complete: bool) -> Difference:
    """A difference whose `mean` has a standard `error` with J − 1 degrees of freedom."""
    nan = math.nan
    if math.isnan(mean) or math.isnan(error):
        return Difference(mean, nan, nan, nan, nan, nan, J, nan, nan, share, False)
    if error == 0:
        p_value, p_not_worse, p_not_better = (float(flag) for flag in (mean == 0, mean <= -MARGIN, mean >= MARGIN))
    else:
        two_sided, *one_sided = t.sf(np.array([abs(mean), mean + MARGIN, MARGIN - mean]) / error, J - 1)
        p_value, p_not_worse, p_not_better = 2 * float(two_sided), *map(float, one_sided)
    half = float(t.ppf((1 + LEVEL) / 2, J - 1)) * error
    corrected = min(1.0, p_value / share), min(1.0, max(p_not_worse, p_not_better) / share)
    return Difference(
        mean, mean - half, mean + half, p_value, p_not_worse, p_not_better, J, *corrected, share, complete
    )


# Permutations and plans


@dataclass(frozen=True)
class PermutationTest:
    """A Monte Carlo p-value."""

    p_value: float
    low: float  # of the interval of confidence LEVEL of the p-value that all permutations would give
    high: float

    @property
    def decided(self) -> bool:
        """Whether more permutations would leave the side of `ALPHA` as it is: the interval does not contain it."""
        return self.high <= ALPHA or self.low > ALPHA

    @property
    def better(self) -> bool:
        """Whether it is better than permuted labels, whatever further permutations would give."""
        return self.high <= ALPHA


def permutation_test(as_good: int, permutations: int) -> PermutationTest:
    """Return the p-value of a permutation test of which so many do at least as well, with its exact interval.

    Clopper and Pearson (1934), The use of confidence or fiducial limits, Biometrika 26.
    Phipson and Smyth (2010), Permutation p-values should never be zero, Stat. Appl. Genet. Mol. Biol. 9(39).
    """
    low, high = binomtest(as_good, permutations).proportion_ci(LEVEL) if permutations else (0.0, 1.0)
    return PermutationTest((1 + as_good) / (1 + permutations), low, high)


def share_of_plan(plan: int) -> float:
    """Return the share of the level that the `plan`-th planned number of splits may spend.

    A verdict waits for the planned number of splits, `planned` of `difference_over_splits`. That is the smaller honest
    design: a bound at every split divides the level among all looks and loses power, and the joint distribution of
    the corrected t over growing numbers of splits is unknown. More splits planned later are another look: plan k spends
    0.8 · 0.2^(k − 1) of the level. These shares add up to 1, so by Bonferroni any number of plans keeps the level.

    Lan and DeMets (1983), Discrete sequential boundaries for clinical trials, Biometrika 70 (spending).
    """
    return FIRST_PLAN * (1 - FIRST_PLAN) ** (plan - 1)


# Families


def holm(p_values: Sequence[float] | np.ndarray) -> np.ndarray:
    """Correct p-values over a family; the chance of any false rejection at a level is then at most that level.

    Of m sorted values p_(1) <= ... <= p_(m), the corrected one is max_{j <= i} min(1, (m − j + 1) p_(j)). NaN stands
    for a test that was not made, stays, and does not count.

    Holm (1979), A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6.
    """
    p = np.asarray(p_values, dtype=np.float64)
    corrected = np.full(p.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    steps = (len(order) - np.arange(len(order))) * p[order]
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return corrected


def corrected(family: Sequence[Difference]) -> tuple[Difference, ...]:
    """Correct a family by Holm: once over its tests of a difference, once over its tests of the margin."""
    p = holm([min(1.0, one.p_value / one.share) for one in family])
    p_margin = holm([min(1.0, one.p_margin / one.share) for one in family])
    return tuple(
        replace(one, corrected_p=float(of_none), corrected_p_margin=float(of_margin))
        for one, of_none, of_margin in zip(family, p, p_margin, strict=True)
    )


def pairs(
    members: Mapping[str, np.ndarray], compare: Callable[[np.ndarray, np.ndarray], Difference]
) -> dict[tuple[str, str], Difference]:
    """Compare all pairs of a table, corrected over the pairs, each pair in the order of `members`.

    members: right answers on the rows of one split, or numbers on the same splits, by panel.
    compare: `paired_difference`, or `difference_over_splits` with its settings bound by `functools.partial`.
    """
    keys = list(combinations(members, 2))
    return dict(zip(keys, corrected([compare(members[one], members[other]) for one, other in keys]), strict=True))


def best_of(family: Mapping[tuple[str, str], Difference]) -> str | None:
    """Return the member of `pairs` that is better than every other; None where there is none.

    Each of its tests must reject at the level. A claim about all others together needs no correction, although the
    member was chosen by the same numbers; a single pair needs its corrected p-value.

    Gutmann and Maymin (1987), Is the selected population the best?, Ann. Statist. 15.
    """
    for member in dict.fromkeys(member for pair in family for member in pair):
        wins = [
            one.complete and one.p_value <= ALPHA * one.share and (one.estimate > 0) == (first == member)
            for (first, second), one in family.items()
            if member in (first, second)
        ]
        if all(wins):
            return member
    return None


@dataclass(frozen=True)
class CurveTest:
    """Every K of a curve against the current one, on the same rows.

    `differences` are the accuracy of each column minus that of column `current`; `corrected_p` is over the curve.
    """

    current: int
    differences: tuple[Difference, ...]

    @property
    def answer(self) -> Conclusion:
        """BETTER where another K is, WITHIN_MARGIN where none is by more than the margin, or CANNOT_TELL.

        A claim about all others together holds where each one-sided test rejects; it needs no correction (Berger 1982).
        """
        if any(one.corrected_p <= ALPHA and one.estimate > 0 for one in self.differences):
            return Conclusion.BETTER
        others = (one for place, one in enumerate(self.differences) if place != self.current)
        return Conclusion.WITHIN_MARGIN if all(one.p_not_better <= ALPHA for one in others) else Conclusion.CANNOT_TELL


def curve_against_current(correct: np.ndarray, current: int, n_flips: int = 9_999) -> CurveTest:
    """Compare every K of a curve with the current K on the same rows.

    With d_ik in {−1, 0, 1} the difference of row i, the statistic is McNemar's |Σ_i d_ik| / √Σ_i d_ik². Its corrected
    p-value is (1 + b)/(1 + m), where in b of m flips, random signs for whole rows, the greatest statistic of all K is
    as great. Neighbouring K agree on most rows, which this uses and Holm's correction cannot: with 50 K Holm needs
    eleven discordant rows that all point the same way.

    correct: whether each row is classified correctly by each K, (n_rows, n_ks).
    current: column of the current K.
    n_flips: number of random sign vectors.

    Westfall and Young (1993), Resampling-based multiple testing (single-step max-T).
    Berger (1982), Multiparameter hypothesis testing and acceptance sampling, Technometrics 24.
    """
    correct = np.asarray(correct, dtype=bool)
    n = len(correct)
    d = correct.astype(np.float64) - correct[:, current, None]  # (n_rows, n_ks)
    pluses, minuses = np.sum(d > 0, axis=0), np.sum(d < 0, axis=0)  # (n_ks,)
    scale = np.sqrt(np.maximum(pluses + minuses, 1))
    observed = np.abs(pluses - minuses) / scale
    d = d[np.any(d != 0, axis=1)]
    greatest = _greatest_of_flips(d, scale, n_flips, np.random.default_rng(0))  # (n_flips,)
    p = (1 + np.sum(greatest[:, None] >= observed - 1e-5, axis=0)) / (1 + n_flips)
    tests = [paired_difference_of_counts(int(b), int(c), n) for b, c in zip(pluses, minuses, strict=True)]
    # A corrected value is never below the exact one; random flips may differ from it in the last digit.
    p = np.maximum(p, [one.p_value for one in tests])
    return CurveTest(current, tuple(replace(one, corrected_p=float(p[k])) for k, one in enumerate(tests)))


def _greatest_of_flips(d: np.ndarray, scale: np.ndarray, n_flips: int, rng: np.random.Generator) -> np.ndarray:
    """The greatest |Σ_i s_i d_ik| / scale_k of each of `n_flips` random sign vectors s, (n_flips,)."""
    if not len(d):
        return np.zeros(n_flips)
    normal = len(d) > _MANY
    if normal:  # by the central limit theorem, with the covariance that the signs have
        d = np.linalg.cholesky(d.T @ d + 1e-6 * np.eye(d.shape[1])).T  # (n_ks, n_ks)
    greatest = np.empty(n_flips)
    size = max(1, _BLOCK // len(d))
    for first in range(0, n_flips, size):
        shape = min(size, n_flips - first), len(d)
        signs = rng.standard_normal(shape) if normal else rng.choice([-1.0, 1.0], shape)
        greatest[first : first + shape[0]] = np.max(np.abs(signs @ d) / scale, axis=1)
    return greatest


def judge_claims(claims: Sequence[tuple[Difference, bool]]) -> list[tuple[str, float]]:
    """Judge all claims of a report as one family, each with the claimed side minus the other.

    Returns for each "holds", "is reversed" (the other side is better) or "cannot be told", and the corrected p-value.

    The claim "better" (False) holds by the two-sided test, "not worse by the margin" (True) by the one-sided test
    against −margin; Holm corrects over all claims. A claim is reversed where the other side is better by the two-sided
    test, corrected in the same way.

    Piaggio et al. (2012), Reporting of noninferiority and equivalence randomized trials, JAMA 308.
    """
    p_values = [one.p_not_worse if not_worse else one.p_value for one, not_worse in claims]
    family = holm([min(1.0, p / one.share) for p, (one, _) in zip(p_values, claims, strict=True)])
    two_sided = holm([min(1.0, one.p_value / one.share) for one, _ in claims])
    judged = []
    for (one, not_worse), p_family, p_reversed in zip(claims, family, two_sided, strict=True):
        standing = "cannot be told"
        if one.complete and p_family <= ALPHA and (not_worse or one.estimate > 0):
            standing = "holds"
        elif one.complete and p_reversed <= ALPHA and one.estimate < 0:
            standing = "is reversed"
        judged.append((standing, float(p_family)))
    return judged
