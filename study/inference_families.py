"""Families of comparisons: all pairs of a table, all K of a curve, all claims of a report.

Tests of a difference and tests of the margin are corrected separately. So at most `ALPHA` of the families hold a false
difference, and at most `ALPHA` a false equality.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from study.inference import ALPHA, Conclusion, Difference, paired_difference_of_counts

Standing = Literal["holds", "is reversed", "cannot be told"]
_FLIPS = 9_999  # sign flips behind the p-values of a curve
_BLOCK = 2_000_000  # signs held in memory at once
_MANY = 5_000  # rows beyond which sums of random signs are drawn as normal


def holm(p_values: Sequence[float] | np.ndarray) -> np.ndarray:
    """Correct p-values over a family; the chance of any false rejection at a level is then at most that level.

    Of m sorted values p_(1) <= ... <= p_(m), the corrected one is max_{j <= i} min(1, (m − j + 1) p_(j)). NaN stands
    for a test that was not made, stays, and does not count.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6.
    """
    p = np.asarray(p_values, dtype=np.float64)
    corrected = np.full(p.shape, np.nan)
    made = np.flatnonzero(~np.isnan(p))
    order = made[np.argsort(p[made], kind="stable")]
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

    References
    ----------
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

    `differences` are the accuracy of each column minus that of column `current`, corrected over the curve.
    """

    current: int
    differences: tuple[Difference, ...]

    @property
    def best(self) -> int:
        """Column of the greatest accuracy, the current one where it is among them."""
        best = max(self.differences, key=lambda one: one.estimate)
        return self.current if best.estimate <= 0 else self.differences.index(best)

    @property
    def answer(self) -> Conclusion:
        """BETTER where another K is, WITHIN_MARGIN where none is by more than the margin, or CANNOT_TELL.

        A claim about all others together holds where each one-sided test rejects; it needs no correction (Berger 1982).
        """
        if any(one.corrected_p <= ALPHA and one.estimate > 0 for one in self.differences):
            return Conclusion.BETTER
        others = (one for place, one in enumerate(self.differences) if place != self.current)
        return Conclusion.WITHIN_MARGIN if all(one.p_not_better <= ALPHA for one in others) else Conclusion.CANNOT_TELL


def curve_against_current(correct: np.ndarray, current: int, n_flips: int = _FLIPS) -> CurveTest:
    """Compare every K of a curve with the current K on the same rows.

    With d_ik in {−1, 0, 1} the difference of row i, the statistic is McNemar's |Σ_i d_ik| / √Σ_i d_ik². Its corrected
    p-value is (1 + b)/(1 + m), where in b of m flips, random signs for whole rows, the greatest statistic of all K is
    as great. Neighbouring K agree on most rows, which this uses and Holm's correction cannot: with 50 K Holm needs
    eleven discordant rows that all point the same way.

    correct: whether each row is classified correctly by each K, (n_rows, n_ks).
    current: column of the current K.
    n_flips: number of random sign vectors.

    References
    ----------
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
    holm_of_margin = holm([math.nan if k == current else one.p_margin for k, one in enumerate(tests)])
    differences = (
        replace(one, corrected_p=float(p[k]), corrected_p_margin=float(holm_of_margin[k]))
        for k, one in enumerate(tests)
    )
    return CurveTest(current, tuple(differences))


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


@dataclass(frozen=True)
class ClaimTest:
    """A claim of a report with its standing; "is reversed" means that the other side is better."""

    difference: Difference
    corrected_p: float
    standing: Standing


def judge_claims(claims: Sequence[tuple[Difference, bool]]) -> tuple[ClaimTest, ...]:
    """Judge all claims of a report as one family, each with the claimed side minus the other.

    The claim "better" (False) holds by the two-sided test, "not worse by the margin" (True) by the one-sided test
    against −margin; Holm corrects over all claims. A claim is reversed where the other side is better by the two-sided
    test, corrected in the same way.

    References
    ----------
    Piaggio et al. (2012), Reporting of noninferiority and equivalence randomized trials, JAMA 308.
    """
    p_values = [one.p_not_worse if not_worse else one.p_value for one, not_worse in claims]
    family = holm([min(1.0, p / one.share) for p, (one, _) in zip(p_values, claims, strict=True)])
    two_sided = holm([min(1.0, one.p_value / one.share) for one, _ in claims])
    judged = []
    for (one, not_worse), p_family, p_reversed in zip(claims, family, two_sided, strict=True):
        standing: Standing = "cannot be told"
        if one.complete and p_family <= ALPHA and (not_worse or one.estimate > 0):
            standing = "holds"
        elif one.complete and p_reversed <= ALPHA and one.estimate < 0:
            standing = "is reversed"
        judged.append(ClaimTest(one, float(p_family), standing))
    return tuple(judged)
