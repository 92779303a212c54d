"""What is broken on purpose of statistical inference."""

from __future__ import annotations

from tests.mutations.mutation import Mutation

_ONE, _FAMILIES = "tests/study/test_inference.py", "tests/study/test_inference_families.py"
_FILE, _FAMILIES_FILE = "study/inference.py", "study/inference_families.py"

INFERENCE: tuple[Mutation, ...] = (
    *(
        Mutation(_FILE, before, after, (_ONE,))
        for before, after in (
            ("p + z**2 / (2 * total)", "p + z**2 / (4 * total)"),
            ("z**2 / (4 * total**2)", "z**2 / (2 * total**2)"),
            ("count, total - count + 1", "count, total - count"),
            ("binom.sf(correct - 1, total", "binom.sf(correct, total"),
            ("self.upper < self.chance + self.margin", "self.upper < 1"),
            ("hypergeom.sf(right[0] - 1", "hypergeom.sf(right[0]"),
            ("values >= value - 1e-12", "values > value + 1e-12"),
            ("np.mean(right / sizes)", "right.sum() / sizes.sum()"),
            ("- p[:, None]) ** 2, axis=0)) / len(p)", "- p[:, None]) ** 2, axis=0))"),
            ("2 * (float(binom.cdf(fewer", "1 * (float(binom.cdf(fewer"),
            ("half = 0.5 * float(", "half = 1.0 * float("),
            ("8 * n * c * delta * (1 - delta)", "8 * n * c * delta"),
            ("variance = n * (2 * q + delta * (1 - delta))", "variance = n * (2 * q + delta)"),
            ("else brentq(beyond, estimate, 1.0, args=(-1,))", "else 2 * estimate - low"),
            ("tango_statistic(b, c, n, -margin)", "tango_statistic(b, c, n, 0)"),
            ("tango_statistic(b, c, n, margin)", "tango_statistic(b, c, n, 1)"),
            ("        low, high = min(low, 0.0), max(high, 0.0)\n    p_not_worse", "        pass\n    p_not_worse"),
            ("return max(self.p_not_worse, self.p_not_better)", "return min(self.p_not_worse, self.p_not_better)"),
            ("math.hypot(p - low, other_high - other)", "math.hypot(p - low, other - other_low)"),
            ("0.0 if independent else overlap * n_test / n_train", "0.0"),
            ("0.0 if independent else overlap * n_test / n_train", "overlap * n_test / n_train"),
            ("overlap: float = OVERLAP", "overlap: float = 1.0"),
            ("max(abs(mean), 1 / n_test)", "abs(mean)"),
            ("        variance = max(variance, (max(", "        variance = max(variance, 0 * (max("),
            ("max(planned, FEWEST_SPLITS) <= J", "True"),
            ("max(planned, FEWEST_SPLITS) <= J", "planned <= J"),
            ("n_test > 0 and max(", "max("),
            ("mean + margin, margin - mean]", "mean + margin, mean - margin]"),
            ("t.ppf((1 + LEVEL) / 2, J - 1)", "t.ppf((1 + LEVEL) / 2, J)"),
            ("/ error, J - 1)", "/ error, J)"),
            ("math.sqrt(1 / J + 1 / published_splits)", "math.sqrt(1 / J)"),
            ("min(1.0, p_value / share), min", "min(1.0, p_value), min"),
            ("Conclusion.BETTER if self.high <= ALPHA", "Conclusion.BETTER if self.p_value <= ALPHA"),
            ("self.high <= ALPHA or self.low > ALPHA", "self.high <= ALPHA"),
            ("(1 + as_good) / (1 + permutations), low", "as_good / (1 + permutations), low"),
            ("FIRST_PLAN * (1 - FIRST_PLAN)", "1.0 * (1 - FIRST_PLAN)"),
        )
    ),
    *(
        Mutation(_FAMILIES_FILE, before, after, (_FAMILIES,))
        for before, after in (
            ("np.maximum.accumulate(steps)", "steps"),
            ("(len(order) - np.arange(len(order)))", "len(order)"),
            ("one.p_value / one.share) for one in family", "one.p_value) for one in family"),
            ("one.p_value <= ALPHA * one.share and ", ""),
            ("one.p_value <= ALPHA * one.share", "one.corrected_p <= ALPHA"),
            ("one.p_value <= ALPHA * one.share", "one.p_value <= ALPHA"),
            ("one.complete and one.p_value", "one.p_value"),
            ("one.corrected_p <= ALPHA and one.estimate > 0", "one.p_value <= ALPHA and one.estimate > 0"),
            ("one.corrected_p <= ALPHA and one.estimate > 0", "one.corrected_p <= ALPHA"),
            ("all(one.p_not_better <= ALPHA", "any(one.p_not_better <= ALPHA"),
            ("all(one.p_not_better <= ALPHA", "all(one.p_margin <= ALPHA"),
            ("np.max(np.abs(signs @ d) / scale, axis=1)", "np.abs(signs @ d)[:, -1] / scale[-1]"),
            ("np.sqrt(np.maximum(pluses + minuses, 1))", "np.sqrt(n)"),
            ("np.linalg.cholesky(d.T @ d", "np.linalg.cholesky(4 * d.T @ d"),
            ("one.p_not_worse if not_worse else one.p_value", "one.p_value"),
            ("family = holm(", "family = np.array("),
            ("two_sided = holm(", "two_sided = np.zeros(len(claims)) * len("),
            ("(not_worse or one.estimate > 0)", "True"),
            ("if one.complete and p_family", "if p_family"),
        )
    ),
)
