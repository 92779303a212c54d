"""Verdicts: whether a number of ours agrees with a published one, and whether a claim holds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from datasets.base.percent import percent
from study.experiments.base.experiment import MAIN, Claim
from study.experiments.base.found import Found, Mean, difference
from study.splits import FEWEST

STANDARD_ERRORS = 2.0
FIRST_LOOK = "a first look"  # at fewer than FEWEST splits
Agreement = Literal["agrees", "better", "worse", "a first look", "not run", "not to be told"]
Standing = Literal["holds", "is reversed", "cannot be told", "a first look", "not run"]


@dataclass(frozen=True)
class Verdict:
    """A number of ours beside a published one.

    Attributes
    ----------
    word : str
        "agrees" within two standard errors, "better" or "worse" beyond them; of few splits neither.
    difference : float
        Ours − published, of the published number that is nearest.
    error : float
        Standard error of that difference, s √(1/m + 1/m_published): both are means over random splits of the same
        data, and the published one is taken to spread like ours.
    """

    word: Agreement
    difference: float = float("nan")
    error: float = float("nan")


def verdict_of(mean: Mean, published_splits: int) -> Verdict:
    """Whether `mean` agrees with what was published of it; of several published numbers, with one or between two."""
    published = mean.line.published
    if not mean.n:
        return Verdict("not run")
    if not published:
        return Verdict("not to be told")
    low, high = min(published), max(published)
    away = mean.mean - min(max(mean.mean, low), high)
    error = mean.spread * math.sqrt(1 / mean.n + 1 / published_splits)
    if mean.n < FEWEST:
        return Verdict("a first look", away, error)
    if abs(away) <= STANDARD_ERRORS * error:
        return Verdict("agrees", away, error)
    return Verdict("better" if (away < 0) == mean.line.error else "worse", away, error)


@dataclass(frozen=True)
class Judged:
    """A claim with what became of it: how much better, in the direction of the claim, and the error of that."""

    claim: Claim
    word: Standing
    gain: float = float("nan")
    error: float = float("nan")


def judge(claim: Claim, found: Found) -> Judged:
    """Whether the claim holds beyond two standard errors of the difference, split by split."""
    better, worse = found.at(*claim.better, claim.variant), found.at(*claim.worse, claim.variant)
    if better is None or worse is None:
        return Judged(claim, "not run")
    return Judged(claim, *_standing(better, worse, claim.equal_will_do))


def _standing(better: Mean, worse: Mean, equal_will_do: bool) -> tuple[Standing, float, float]:
    """What becomes of "`better` is better", with the gain and its error."""
    gain, error = difference(better, worse)
    if better.line.error:
        gain = -gain
    if math.isnan(gain):
        return "not run", gain, error
    if len(better.values.keys() & worse.values.keys()) < FEWEST:
        return "a first look", gain, error
    if gain > STANDARD_ERRORS * error:
        return "holds", gain, error
    if gain < -STANDARD_ERRORS * error:
        return "is reversed", gain, error
    return ("holds" if equal_will_do else "cannot be told"), gain, error


def deviation(mean: Mean, found: Found) -> str:
    """What further runs say of a number that does not agree: which settings lead to the published one, if any do.

    Empty where it agrees, or nothing can be said.
    """
    splits = found.experiment.published_splits
    verdict = verdict_of(mean, splits)
    if verdict.word not in ("better", "worse"):
        return ""
    line = mean.line
    published = " / ".join(percent(value, 1) for value in line.published)
    what = "error" if line.error else "accuracy"
    said = (
        f"{line.row}, {line.column}: {what} published {published}, ours {in_percent(mean)} "
        f"({verdict.word} by {abs(verdict.difference) / verdict.error:.1f} standard errors)."
        if verdict.error > 0
        else f"{line.row}, {line.column}: {what} published {published}, ours {in_percent(mean)} ({verdict.word})."
    )
    if line.stand_in:
        said += f" The data are not the published ones: {line.stand_in}."
    variants = found.variants(line.row, line.column)
    if not variants:
        return f"{said} No other setting was run."
    agree = [m for m in variants if verdict_of(m, splits).word == "agrees"]
    tried = "; ".join(f"{m.line.variant}: {in_percent(m)}" for m in variants)
    if agree:
        names = ", or ".join(m.line.variant for m in agree)
        return f"{said} Run otherwise: {tried}. With {names} it agrees."
    nearest = min(variants, key=lambda m: min(abs(m.mean - value) for value in line.published))
    before = min(abs(mean.mean - value) for value in line.published)
    if min(abs(nearest.mean - value) for value in line.published) < before:
        return f"{said} Run otherwise: {tried}. None of these agrees; {nearest.line.variant} comes nearest."
    return f"{said} Run otherwise: {tried}. None of these comes nearer, so the reason lies elsewhere."


def why_not(judged: Judged, found: Found) -> str:
    """Which settings make a claim hold that does not hold with the paper's own; "" of one that holds or was not run.

    The better method is run otherwise; the other one is too, where it was run so.
    """
    claim = judged.claim
    if judged.word not in ("is reversed", "cannot be told"):
        return ""
    tried = []
    for variant in found.variants(*claim.better):
        name = variant.line.variant
        worse = found.at(*claim.worse, name) or found.at(*claim.worse)
        if worse is None:
            continue
        word = _standing(variant, worse, claim.equal_will_do)[0]
        tried.append(f"{name}: {word} ({in_percent(variant)} against {in_percent(worse)})")
    return f"{claim.sentence}: {judged.word}. Run otherwise: {'; '.join(tried)}." if tried else ""


def in_percent(mean: Mean) -> str:
    """Mean ± standard error; without that of a single split."""
    said = percent(mean.mean, 1)
    if math.isnan(mean.standard_error):
        return said
    return f"{said[:-2]} ± {percent(mean.standard_error, 1)}"


def counts(found: Found) -> dict[str, int]:
    """How many published numbers and claims came out how, those of the paper's own settings."""
    words: dict[str, int] = {}
    for mean in found.means:
        if mean.line.published and mean.line.variant == MAIN:
            word = verdict_of(mean, found.experiment.published_splits).word
            words[word] = words.get(word, 0) + 1
    for claim in found.experiment.claims:
        told = judge(claim, found).word
        standing = FIRST_LOOK if told == FIRST_LOOK else f"claim {told}"
        words[standing] = words.get(standing, 0) + 1
    return words
