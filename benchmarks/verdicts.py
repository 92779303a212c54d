"""How often differences are claimed where there are none, and found where there is one.

    python benchmarks/verdicts.py [--without 2000] [--known 500] [--seed 0]

Each comparison is a fresh random data set: 200 rows of two classes, of which nine panels see their own two features,
all equally informative. A panel classifies by its nearest neighbour. The families are those of the pages: one accuracy
beside chance, two and nine panels on one split, the same over 20 splits, 50 K of a curve, the twin with shuffled
labels, and the claims of a report. "At most 5 %" holds for each family as a whole. The column "uncorrected" counts the
families in which any single test at 5 % claims a difference (chance, K and the twin are read from the pages' own
sentences); for two panels over splits the paired t-test that takes splits as independent; after each split any look at
the test of the paper; for equality a test that does not reject. The script ends with status 1 where more than 5 % were
claimed beyond its own sampling error.
"""

import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from common import options

from study.inference import (
    ALPHA,
    MARGIN,
    Conclusion,
    best_of,
    curve_against_current,
    difference_over_splits,
    judge_claims,
    paired_difference,
    pairs,
    wilson_interval,
)
from study.learnt import KCurve
from study.measure import Measurement
from study.recipe import Recipe
from study.repetitions import Chance
from study.verdict import verdicts

N_ROWS, N_TEST, N_PANELS, N_SPLITS, N_KS, N_PERMUTATIONS, N_CLAIMS = 200, 50, 9, 20, 50, 199, 99
SIGNAL, BETTER_SIGNAL = 2.5, 4.0  # distance of the class means of a panel, and of the better panel
DIFFERENT = (Conclusion.BETTER, Conclusion.WORSE)
OVER_SPLITS = partial(difference_over_splits, n_train=N_ROWS - N_TEST, n_test=N_TEST, planned=N_SPLITS)

Claims = dict[str, tuple[bool, bool]]  # family -> (claimed as the pages do, claimed without correction)


def distances(rng: np.random.Generator, y: np.ndarray, signals: np.ndarray) -> np.ndarray:
    """Squared distances of all rows in every panel, (n_panels, n_rows, n_rows)."""
    shared = rng.normal(size=(len(y), 2))
    own = rng.normal(size=(len(signals), len(y), 2))
    X = np.sqrt(0.5) * (own + shared)
    X[:, :, 0] += signals[:, None] * (y - 0.5)
    norms = np.sum(X**2, axis=2)
    return norms[:, :, None] + norms[:, None] - 2 * X @ X.transpose(0, 2, 1)


def split(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    rows = rng.permutation(N_ROWS)
    return rows[N_TEST:], rows[:N_TEST]


def right_answers(D: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Whether the nearest training row has the class of each test row, (n_panels, n_test)."""
    nearest = train[D[:, test[:, None], train].argmin(axis=2)]
    return y[nearest] == y[test]


def panels(rng: np.random.Generator, signals: np.ndarray, better: str = "") -> Claims:
    """Two and nine panels, on one split and over several; with `better`, whether this panel is found."""
    y = rng.integers(0, 2, N_ROWS)
    D = distances(rng, y, signals)
    splits = [right_answers(D, y, *split(rng)) for _ in range(N_SPLITS)]
    names = [str(k) for k in range(N_PANELS)]
    one_split = dict(zip(names, splits[0], strict=True))
    over_splits = dict(zip(names, np.mean(splits, axis=2).T, strict=True))
    found: Claims = {}
    for where, members, compare, naive in (
        ("one split", one_split, paired_difference, paired_difference),
        (f"{N_SPLITS} splits", over_splits, OVER_SPLITS, partial(OVER_SPLITS, independent=True)),
    ):
        table = pairs(members, compare)
        best, first_two, alone = best_of(table), table["0", "1"], compare(members["0"], members["1"])
        any_single = any(one.p_value <= ALPHA for one in table.values())
        if better:
            plain = pairs(members, naive)
            found[f"best of nine panels, {where}"] = best == better, best_of(plain) == better
            found[f"one pair of nine panels, {where}"] = (
                first_two.answer is Conclusion.BETTER,
                first_two.p_value <= ALPHA,
            )
        else:
            claimed = any(one.answer in DIFFERENT for one in table.values())
            found[f"nine panels, {where}"] = claimed, any_single
            found[f"best of nine panels, {where}"] = best is not None, any_single
        plain_p = naive(members["0"], members["1"]).p_value
        found[f"two panels, {where}"] = alone.answer in DIFFERENT, plain_p <= ALPHA
    first, second = over_splits["0"], over_splits["1"]
    looks = [OVER_SPLITS(first[:k], second[:k]) for k in range(5, N_SPLITS + 1)]
    as_published = [OVER_SPLITS(first[:k], second[:k], overlap=1.0) for k in range(5, N_SPLITS + 1)]
    claimed = any(one.answer in DIFFERENT for one in looks)
    found["two panels, looked at after each split"] = claimed, any(one.p_value <= ALPHA for one in as_published)
    return found


def equal_by_margin(rng: np.random.Generator) -> Claims:
    """Whether equality is claimed where the difference is as large as the margin."""
    n = 1_000
    kind = rng.choice(3, n, p=(0.03, 0.03 - MARGIN, 0.94 + MARGIN))
    one = paired_difference(kind == 0, kind == 1)
    shared = rng.normal(0, 0.5)  # splits of the same rows share half of the variance of this design
    d = MARGIN + 0.01 * (shared + rng.normal(size=N_SPLITS))
    several = difference_over_splits(d, np.zeros(N_SPLITS), 150, 50, shares=False)
    return {
        "equal by the margin, one split": (one.answer is Conclusion.WITHIN_MARGIN, one.p_value > ALPHA),
        "equal by the margin, several splits": (several.answer is Conclusion.WITHIN_MARGIN, several.p_value > ALPHA),
    }


def curve(rng: np.random.Generator, signal: float) -> Claims:
    """Fifty K against K = 1; without a signal all are as good."""
    y = rng.integers(0, 2, N_ROWS)
    D = distances(rng, y, np.array([signal]))[0]
    train, test = split(rng)
    order = np.argsort(D[np.ix_(test, train)], axis=1)[:, :N_KS]  # (n_test, n_ks)
    ones = np.cumsum(y[train[order]], axis=1)
    ks = np.arange(1, N_KS + 1)
    nearest = y[train[order[:, :1]]]
    voted = np.where(2 * ones == ks, nearest, 2 * ones > ks)
    right = voted == y[test][:, None]
    found = curve_against_current(right, 0, n_flips=999)
    best = max(found.differences, key=lambda one: one.estimate)
    said = KCurve("NCA", np.ones(len(train)), right.mean(axis=0), right.mean(axis=0), found).sentence
    return {"50 K against the current one": ("it is better here" in said, best.p_value <= ALPHA and best.estimate > 0)}


def against_chance(rng: np.random.Generator, signal: float) -> Claims:
    """Unequal classes beside chance, and the twin with shuffled labels."""
    y = (rng.random(N_ROWS) < 0.25).astype(int)
    D = distances(rng, y, np.array([signal]))[0]
    train, test = split(rng)
    if len(np.unique(y[test])) < 2:
        return against_chance(rng, signal)
    nearest = train[D[np.ix_(test, train)].argmin(axis=1)]
    confusion = np.zeros((2, 2), dtype=int)
    np.add.at(confusion, (y[test], y[nearest]), 1)
    right = float(np.mean(y[nearest] == y[test]))
    measured = Measurement(key="nca", title="NCA", accuracy_1nn=right, held_out_1nn=right, n_queries=len(train))
    (beside,) = verdicts({"nca": measured}, {"nca": confusion})
    largest = np.mean(y[test] == 0)
    shuffled = np.array([rng.permutation(y) for _ in range(N_PERMUTATIONS)])
    as_good = int(np.sum(np.mean(shuffled[:, nearest] == shuffled[:, test], axis=1) >= right))
    values = np.where(np.arange(N_PERMUTATIONS) < as_good, right, -1.0)
    twin = Chance(Recipe(), "nca", N_PERMUTATIONS, right, right, values, values)
    return {
        "1-NN beside chance, unequal classes": (not beside.warns, bool(right > largest)),
        "twin with shuffled labels": (
            ": better than chance;" in twin.sentence,
            twin.test.p_value <= ALPHA,
        ),
    }


def reports(rng: np.random.Generator, many: int, signals: np.ndarray) -> dict[str, list[tuple[bool, bool]]]:
    """Reports of 99 claims over 20 splits, half of them "not worse" about a difference of the margin."""
    claims = []
    for _ in range(max(N_CLAIMS, many // 2)):
        y = rng.integers(0, 2, N_ROWS)
        D = distances(rng, y, signals[:4])
        values = np.array([right_answers(D, y, *split(rng)).mean(axis=1) for _ in range(N_SPLITS)])
        claims.append((OVER_SPLITS(values[:, 0], values[:, 1]), False))
        claims.append((OVER_SPLITS(values[:, 2] - MARGIN, values[:, 3]), True))
    outcomes = []
    for _ in range(max(1, many // 4)):
        drawn = [claims[k] for k in rng.choice(len(claims), N_CLAIMS, replace=False)]
        standings = [standing for standing, _ in judge_claims(drawn)]
        wrong = [
            standing == "holds" or (standing == "is reversed" and not not_worse)
            for standing, (_, not_worse) in zip(standings, drawn, strict=True)
        ]
        outcomes.append(
            (any(wrong), any((one.p_not_worse if margin else one.p_value) <= ALPHA for one, margin in drawn))
        )
    return {f"{N_CLAIMS} claims of a report": outcomes}


def repeat(trial: Callable[[np.random.Generator], Claims], many: int, seed: int) -> dict[str, list[tuple[bool, bool]]]:
    outcomes: dict[str, list[tuple[bool, bool]]] = {}
    for k in range(many):
        for family, outcome in trial(np.random.default_rng([seed, k])).items():
            outcomes.setdefault(family, []).append(outcome)
    return outcomes


def table(title: str, outcomes: dict[str, list[tuple[bool, bool]]]) -> list[str]:
    """Print the rates; gives the families that claim more than 5 % beyond the sampling error."""
    print(f"\n| {title} | comparisons | claimed | 95 % interval | uncorrected |\n| --- | ---: | ---: | ---: | ---: |")
    beyond = []
    for family, results in outcomes.items():
        claimed, uncorrected = np.sum(results, axis=0)
        low, high = wilson_interval(int(claimed), len(results))
        rates = f"{claimed / len(results):.1%} | {low:.1%} to {high:.1%} | {uncorrected / len(results):.1%}"
        print(f"| {family} | {len(results):,} | {rates} |", flush=True)
        if low > ALPHA:
            beyond.append(family)
    return beyond


def main() -> int:
    chosen = options(
        __doc__,
        without={"default": 2_000, "help": "comparisons without any difference"},
        known={"default": 500, "help": "comparisons with a known difference"},
        seed=0,
    )
    started = time.perf_counter()
    same = np.full(N_PANELS, SIGNAL)
    first_better = same.copy()
    first_better[0] = BETTER_SIGNAL
    none = repeat(lambda rng: panels(rng, same), chosen.without, chosen.seed)
    none |= repeat(lambda rng: curve(rng, 0.0), chosen.without, chosen.seed + 1)
    none |= repeat(lambda rng: against_chance(rng, 0.0), chosen.without, chosen.seed + 2)
    none |= repeat(equal_by_margin, chosen.without, chosen.seed + 3)
    none |= reports(np.random.default_rng(chosen.seed + 4), chosen.without, same)
    beyond = table("without any difference", none)
    known = repeat(lambda rng: panels(rng, first_better, "0"), chosen.known, chosen.seed + 5)
    known |= repeat(lambda rng: curve(rng, 1.5), chosen.known, chosen.seed + 6)
    known |= repeat(lambda rng: against_chance(rng, 1.5), chosen.known, chosen.seed + 7)
    table("with a known difference", known)
    said = f"Beyond 5 %: {', '.join(beyond)}." if beyond else "None beyond 5 %."
    print(f"\n{time.perf_counter() - started:.0f} s. {said}")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
