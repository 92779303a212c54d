"""Results: means of an experiment's stored cells, and their verdicts beside published numbers and claims."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np

from datasets.base.words import percent
from study.experiments.base.cell import Outcome
from study.experiments.base.data import Data
from study.experiments.base.experiment import MAIN, Claim, Experiment, Line
from study.experiments.base.store import OutcomeStore, key_of_split
from study.splits import FEWEST, corrected_error


@dataclass(frozen=True)
class Mean:
    """A line over the splits that were run."""

    line: Line
    # by the number of the split, as the table shows them; splits without the number are left out
    values: dict[int, float]
    wanted: int  # how many splits there are by default
    outcomes: tuple[Outcome, ...] = ()  # of each split that was run
    missing: str = ""  # how to get the data if they are missing

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float:
        return float(np.mean(list(self.values.values()))) if self.values else float("nan")

    @property
    def spread(self) -> float:
        """Standard deviation over splits; NaN of fewer than two."""
        return float(np.std(list(self.values.values()), ddof=1)) if self.n > 1 else float("nan")

    @property
    def standard_error(self) -> float:
        """Of the mean as that of all random splits of these data, s/√m."""
        return self.spread / math.sqrt(self.n) if self.n > 1 else float("nan")

    @property
    def seconds(self) -> float:
        """Of one split, on average."""
        return float(np.mean([outcome.seconds for outcome in self.outcomes])) if self.outcomes else float("nan")

    @property
    def problem(self) -> str:
        """Why there are no numbers; "" where there are, or nothing was run."""
        return next((outcome.problem for outcome in self.outcomes if outcome.problem), "") if not self.n else ""


@dataclass(frozen=True)
class Results:
    """An experiment with the means of its lines."""

    experiment: Experiment
    means: tuple[Mean, ...]

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
        return sum(min(len(m.outcomes), m.wanted) for m in self.means)

    @property
    def wanted(self) -> int:
        return sum(m.wanted for m in self.means)

    @property
    def seconds(self) -> float:
        """Of all cells together, each counted once."""
        cells = {id(outcome): outcome.seconds for m in self.means for outcome in m.outcomes}
        return float(sum(cells.values()))


def results_of(
    experiment: Experiment, store: OutcomeStore, data: Data, known: dict[str, Outcome | None] | None = None
) -> Results:
    """Read the default grid of an experiment from the store; compute nothing.

    Parameters
    ----------
    known : dict, optional
        A cache of outcomes by key: experiments that share a cell then share its outcome.
    """
    known = {} if known is None else known
    means = []
    for line in experiment.lines:
        wanted = experiment.splits_of(line)
        outcomes: dict[int, Outcome] = {}
        lacking, missing = data.lacks(line.cell), ""
        for seed in range(wanted):
            key = key_of_split(line.cell, seed, data.mark(line.cell), experiment.version)
            if key not in known:
                known[key] = store.get(key)
            outcome = known[key]
            if outcome is not None:
                outcomes[seed] = outcome
            else:
                missing = lacking
        values = {
            seed: line.shown(outcome.numbers[line.number])
            for seed, outcome in outcomes.items()
            if line.number in outcome.numbers
        }
        means.append(Mean(line, values, wanted, tuple(outcomes.values()), missing))
    return Results(experiment, tuple(means))


def difference(a: Mean, b: Mean) -> tuple[float, float]:
    """(mean, standard error) of a − b over the splits that both have.

    Splits of the same rows take the corrected error of `study.splits`; data drawn anew for each split are independent
    and take s/√m.
    """
    shared = sorted(a.values.keys() & b.values.keys())
    pairs = np.array([a.values[seed] - b.values[seed] for seed in shared])
    if not len(pairs):
        return float("nan"), float("nan")
    outcome = a.outcomes[0]
    independent = a.line.cell.drawn_anew
    n_test, n_train = (0, 1) if independent else (outcome.n_test, outcome.n_train)
    return float(pairs.mean()), corrected_error(pairs, n_train, n_test)


STANDARD_ERRORS = 2.0
FIRST_LOOK = "a first look"  # at fewer than FEWEST splits


@dataclass(frozen=True)
class Agreement:
    """A number of ours beside a published one."""

    # "agrees" within two standard errors, "better" or "worse" beyond them; FIRST_LOOK at few splits; "not run"
    word: str
    difference: float = float("nan")  # ours − published, of the published number that is nearest
    # standard error of that difference, s √(1/m + 1/m_published): both are means over random splits of the same
    # data, and the published one is taken to spread like ours
    error: float = float("nan")


def agreement_of(mean: Mean, published_splits: int) -> Agreement:
    """Whether `mean` agrees with a published number, or lies between two of them."""
    if not mean.n:
        return Agreement("not run")
    low, high = min(mean.line.published), max(mean.line.published)
    away = mean.mean - min(max(mean.mean, low), high)
    error = mean.spread * math.sqrt(1 / mean.n + 1 / published_splits)
    if mean.n < FEWEST:
        return Agreement(FIRST_LOOK, away, error)
    if abs(away) <= STANDARD_ERRORS * error:
        return Agreement("agrees", away, error)
    return Agreement("better" if (away < 0) == mean.line.error else "worse", away, error)


@dataclass(frozen=True)
class Judged:
    """The verdict on a claim, with the gain in its direction and the error of that gain.

    `word` is "holds", "is reversed", "undecided", FIRST_LOOK or "not run".
    """

    claim: Claim
    word: str
    gain: float = float("nan")
    error: float = float("nan")


def judge(claim: Claim, found: Results) -> Judged:
    """Whether the claim holds beyond two standard errors of the difference, split by split."""
    return _judged(claim, found.at(*claim.better, claim.variant), found.at(*claim.worse, claim.variant))


def _judged(claim: Claim, better: Mean | None, worse: Mean | None) -> Judged:
    if better is None or worse is None or not (shared := better.values.keys() & worse.values.keys()):
        return Judged(claim, "not run")
    gain, error = difference(better, worse)
    if better.line.error:
        gain = -gain
    if len(shared) < FEWEST:
        word = FIRST_LOOK
    elif gain > STANDARD_ERRORS * error:
        word = "holds"
    elif gain < -STANDARD_ERRORS * error:
        word = "is reversed"
    else:
        word = "holds" if claim.equal_will_do else "undecided"
    return Judged(claim, word, gain, error)


def deviation(mean: Mean, found: Results) -> str:
    """Describe a number that does not agree and the variants that come closer; "" of one that agrees."""
    splits, line = found.experiment.published_splits, mean.line
    if not line.published or (verdict := agreement_of(mean, splits)).word not in ("better", "worse"):
        return ""

    def distance(other: Mean) -> float:
        return min(abs(other.mean - value) for value in line.published)

    published = " / ".join(percent(value, 1) for value in line.published)
    by = f" by {abs(verdict.difference) / verdict.error:.1f} standard errors" if verdict.error > 0 else ""
    said = (
        f"{line.row}, {line.column}: {'error' if line.error else 'accuracy'} published {published}, ours "
        f"{in_percent(mean)} ({verdict.word}{by})."
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


def why_not(judged: Judged, found: Results) -> str:
    """Describe which variants make a failed claim hold; "" of a claim that holds or was not run.

    Both methods are taken from the variant, where both were run so.
    """
    claim = judged.claim
    if judged.word not in ("is reversed", "undecided"):
        return ""
    tried = []
    for variant in found.variants(*claim.better):
        name = variant.line.variant
        worse = found.at(*claim.worse, name) or found.at(*claim.worse)
        if worse is not None:
            word = _judged(claim, variant, worse).word
            tried.append(f"{name}: {word} ({in_percent(variant)} against {in_percent(worse)})")
    return f"{claim.sentence}: {judged.word}. Other settings: {'; '.join(tried)}." if tried else ""


def in_percent(mean: Mean) -> str:
    """Mean ± standard error; of a single split the mean alone."""
    said = percent(mean.mean, 1)
    if math.isnan(mean.standard_error):
        return said
    return f"{said[:-2]} ± {percent(mean.standard_error, 1)}"


def counts(found: Results) -> Counter[str]:
    """How many published numbers and claims have each verdict, with the paper's own settings."""
    splits = found.experiment.published_splits
    words = [
        agreement_of(mean, splits).word for mean in found.means if mean.line.published and mean.line.variant == MAIN
    ]
    claims = [judge(claim, found).word for claim in found.experiment.claims]
    return Counter([*words, *(word if word == FIRST_LOOK else f"claim {word}" for word in claims)])
