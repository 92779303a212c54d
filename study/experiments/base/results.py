"""Results: means of an experiment's stored cells, and their verdicts beside published numbers and claims."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from datasets.base.words import percent
from study.experiments.base.experiment import MAIN, Claim, Experiment, Line, Outcome
from study.experiments.base.store import Data, OutcomeStore, download_id, kept_run, key_of_split
from study.inference import (
    FEWEST_SPLITS,
    Conclusion,
    Difference,
    corrected,
    difference_from_published,
    difference_over_splits,
    judge_claims,
)


@dataclass(frozen=True)
class Mean:
    """A line over the splits that were run."""

    line: Line
    outcomes: Mapping[int, Outcome]  # of each split that was run, by its number
    wanted: int  # how many splits there are by default
    missing: str = ""  # how to get the data if they are missing

    @cached_property
    def values(self) -> dict[int, float]:
        """By the number of the split, as the table shows them; splits without the number are left out."""
        measured = {seed: one.numbers for seed, one in self.outcomes.items() if self.line.number in one.numbers}
        return {seed: self.line.shown(numbers[self.line.number]) for seed, numbers in measured.items()}

    @property
    def first(self) -> Outcome | None:
        return next(iter(self.outcomes.values()), None)

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float:
        return float(np.mean(list(self.values.values()))) if self.values else float("nan")

    @property
    def standard_error(self) -> float:
        """Of the mean as that of all random splits of these data, s/√m; NaN of fewer than two."""
        return float(np.std(list(self.values.values()), ddof=1)) / math.sqrt(self.n) if self.n > 1 else float("nan")

    @property
    def seconds(self) -> float:
        """Of one split, on average."""
        seconds = [outcome.seconds for outcome in self.outcomes.values()]
        return float(np.mean(seconds)) if seconds else float("nan")

    @property
    def problem(self) -> str:
        """Why there are no numbers; "" where there are, or nothing was run."""
        return next((one.problem for one in self.outcomes.values() if one.problem), "") if not self.n else ""


@dataclass(frozen=True)
class Results:
    """An experiment with the means of its lines."""

    experiment: Experiment
    means: tuple[Mean, ...]
    from_kept: int = 0  # cells, counted for each line, that come from the kept run

    def at(self, row: str, column: str, variant: str = MAIN) -> Mean | None:
        """The mean of a line; None where there is no such line or nothing was run."""
        return next(
            (m for m in self.means if m.line.place == (row, column) and m.line.variant == variant and m.outcomes), None
        )

    def variants(self, row: str, column: str) -> list[Mean]:
        """The variants of a line that have numbers."""
        there = (m for m in self.means if m.line.place == (row, column) and m.line.variant != MAIN)
        return [m for m in there if m.n]

    @property
    def rows(self) -> list[str]:
        return list(dict.fromkeys(m.line.row for m in self.means))

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(m.line.column for m in self.means))

    @property
    def done(self) -> int:
        """Stored cells of the default grid, counted for each line that uses them."""
        return sum(len(m.outcomes) for m in self.means)

    @property
    def wanted(self) -> int:
        return sum(m.wanted for m in self.means)

    @property
    def seconds(self) -> float:
        """Of all cells together, each counted once."""
        cells = {id(outcome): outcome.seconds for m in self.means for outcome in m.outcomes.values()}
        return float(sum(cells.values()))


def results_of(experiment: Experiment, store: OutcomeStore, data: Data, kept: bool = False) -> Results:
    """Read the default grid of an experiment from the store; compute nothing.

    kept: take cells that the store lacks from the kept run.
    """
    means, from_kept = [], 0
    for line in experiment.lines:
        wanted = experiment.splits_of(line)
        here, there = data.data_id(line.cell), download_id(line.cell)
        outcomes: dict[int, Outcome] = {}
        for seed in range(wanted):
            outcome = store.get(key_of_split(line.cell, seed, here, experiment.version))
            if outcome is None and kept:
                outcome = kept_run().outcomes.get(key_of_split(line.cell, seed, there, experiment.version))
                from_kept += outcome is not None
            if outcome is not None:
                outcomes[seed] = outcome
        means.append(Mean(line, outcomes, wanted, data.why_missing(line.cell) if len(outcomes) < wanted else ""))
    return Results(experiment, tuple(means), from_kept)


def difference(a: Mean, b: Mean) -> Difference:
    """How much better a is than b, over the splits that both have; of errors, less is better.

    Splits of the same rows share rows; data drawn anew for each split are independent.
    """
    shared, line, outcome = sorted(a.values.keys() & b.values.keys()), a.line, a.first
    assert outcome is not None
    first, second = (np.array([one.values[seed] for seed in shared]) for one in (a, b))
    if line.error:
        first, second = second, first
    return difference_over_splits(
        first,
        second,
        outcome.n_train,
        outcome.n_test,
        independent=line.cell.drawn_anew,
        shares=line.number.startswith("test_"),
    )


FIRST_LOOK = "a first look"  # at fewer than FEWEST_SPLITS splits
NOT_RUN = "not run"
CANNOT_TELL = "cannot be told"


@dataclass(frozen=True)
class Judged:
    """The verdict on a published number or on a claim.

    `word` is, of a number, "agrees" within the margin, "better" or "worse" beyond chance; of a claim "holds" or "is
    reversed"; of both CANNOT_TELL, FIRST_LOOK or NOT_RUN. `difference` says how much better ours, or the claimed side,
    is; `corrected_p` is of a claim.
    """

    word: str
    difference: Difference | None = None
    corrected_p: float = float("nan")


def agreement_of(mean: Mean, published_splits: int, tested: Difference | None = None) -> Judged:
    """Compare `mean` with a published number, or with the nearest of two; `tested` is corrected over a family."""
    if not mean.n:
        return Judged(NOT_RUN)
    found = tested or _from_published(mean, published_splits)
    if mean.n < FEWEST_SPLITS:
        return Judged(FIRST_LOOK, found)
    return Judged("agrees" if found.answer is Conclusion.WITHIN_MARGIN else str(found.answer), found)


def _from_published(mean: Mean, published_splits: int) -> Difference:
    low, high = min(mean.line.published), max(mean.line.published)
    accuracy = mean.line.shown  # of an error, and the other way round
    nearest = accuracy(min(max(mean.mean, low), high))
    values = np.array([accuracy(value) for value in mean.values.values()])
    return difference_from_published(values, nearest, published_splits)


# by the key of the experiment, of a published number or a claim
Judgements = dict[tuple[str, Line | Claim], Judged]


def judge(all_found: Sequence[Results]) -> Judgements:
    """Judge what is published and claimed, with the papers' own settings: all numbers and all claims are families."""
    numbers = {
        (found.experiment.key, m.line): (m, found.experiment.published_splits)
        for found in all_found
        for m in found.means
        if m.line.published and m.line.variant == MAIN
    }
    ready = {key: _from_published(*one) for key, one in numbers.items() if one[0].n >= FEWEST_SPLITS}
    tested = dict(zip(ready, corrected(list(ready.values())), strict=True))
    claims = {(found.experiment.key, claim): found for found in all_found for claim in found.experiment.claims}
    judged = _judge_claims([(of, found.at(*of.better), found.at(*of.worse)) for (_, of), found in claims.items()])
    agreements: Judgements = {key: agreement_of(*one, tested.get(key)) for key, one in numbers.items()}
    return agreements | dict(zip(claims, judged, strict=True))


def _judge_claims(claims: Sequence[tuple[Claim, Mean | None, Mean | None]]) -> list[Judged]:
    found, ready, family = [Judged(NOT_RUN)] * len(claims), [], []
    for k, (claim, better, worse) in enumerate(claims):
        if better is None or worse is None or not (shared := better.values.keys() & worse.values.keys()):
            continue
        found[k] = Judged(FIRST_LOOK)
        if len(shared) >= FEWEST_SPLITS:
            ready.append(k)
            family.append((difference(better, worse), claim.equal_will_do))
    for k, (test, _), (standing, p) in zip(ready, family, judge_claims(family), strict=True):
        found[k] = Judged(standing, test, p)
    return found


def explain_deviation(mean: Mean, found: Results) -> str:
    """Describe a number that does not agree and the variants that come closer; "" of one that agrees."""
    splits, line = found.experiment.published_splits, mean.line
    if not line.published or (verdict := agreement_of(mean, splits)).word not in ("better", "worse"):
        return ""
    assert verdict.difference is not None

    def distance(other: Mean) -> float:
        return min(abs(other.mean - value) for value in line.published)

    published = " / ".join(percent(value, 1) for value in line.published)
    said = (
        f"{line.row}, {line.column}: {'error' if line.error else 'accuracy'} published {published}, ours "
        f"{in_percent(mean)} ({verdict.word} by {100 * abs(verdict.difference.estimate):.1f} points)."
    )
    if line.stand_in:
        said += f" The data are not the published ones: {line.stand_in}."
    variants = found.variants(line.row, line.column)
    if not variants:
        return f"{said} No other setting was run."
    said += f" Other settings: {'; '.join(f'{m.line.variant}: {in_percent(m)}' for m in variants)}."
    if agree := [m.line.variant for m in variants if agreement_of(m, splits).word == "agrees"]:
        return f"{said} With {', or '.join(agree)} it agrees."
    nearest = min(variants, key=distance)
    if distance(nearest) < distance(mean):
        return f"{said} None of these agrees; {nearest.line.variant} comes nearest."
    return f"{said} None of these comes nearer, so the reason lies elsewhere."


def explain_claim(claim: Claim, judged: Judged, found: Results) -> str:
    """Describe which variants make a failed claim hold; "" of a claim that holds or was not run.

    Both methods are taken from the variant, where both were run so.
    """
    words = {"is reversed": "the opposite holds", CANNOT_TELL: CANNOT_TELL}
    if judged.word not in words:
        return ""
    tried = []
    for variant in found.variants(*claim.better):
        name = variant.line.variant
        worse = found.at(*claim.worse, name) or found.at(*claim.worse)
        if worse is not None:
            (one,) = _judge_claims([(claim, variant, worse)])
            tried.append(f"{name}: {words.get(one.word, one.word)} ({in_percent(variant)} against {in_percent(worse)})")
    return f"{claim.sentence}: {words[judged.word]}. Other settings: {'; '.join(tried)}." if tried else ""


def in_percent(mean: Mean) -> str:
    """Mean ± standard error; of a single split the mean alone."""
    said = percent(mean.mean, 1)
    if math.isnan(mean.standard_error):
        return said
    return f"{said[:-2]} ± {percent(mean.standard_error, 1)}"
