"""The report: for each experiment what was published, what we found, whether they agree, and why not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from datasets.base.counted import counted
from datasets.base.percent import percent
from study.experiments.base.document import Block, Figure, Heading, Paragraph, Table
from study.experiments.base.experiment import MAIN
from study.experiments.base.found import Found, Mean
from study.experiments.base.machine import Made
from study.experiments.base.verdict import FIRST_LOOK, Judged, counts, deviation, in_percent, judge, verdict_of, why_not
from study.splits import FEWEST

TITLE = "The papers' tables and figures, made again"
NOT_RUN = "not run"
_HOW = (
    "± is one standard error of the mean over splits, s/√m. A number of ours agrees with a published one where they "
    "are within two standard errors of their difference, s √(1/m + 1/m'), m' the splits behind the published one: "
    "both are means over random splits of the same data. Whether one method is better than another is a question "
    "about new rows, so claims are judged by paired differences with the corrected resampled variance (Nadeau and "
    "Bengio 2003); of data drawn anew each time, s/√m. Split k has seed k, which also seeds starts and whatever is "
    f"drawn. Fewer than {FEWEST} splits are a first look, without a verdict. Seconds are by the clock, with whatever "
    "else the machine did."
)


@dataclass(frozen=True)
class Row:
    """A published number beside ours, in words; for the report and the page alike."""

    row: str
    column: str
    published: str
    ours: str
    splits: str
    verdict: str
    seconds: str


def blocks(all_found: Sequence[Found], made: Made) -> list[Block]:
    """The whole report."""
    parts: list[Block] = [Heading(TITLE, 1), Paragraph(made.sentence), Paragraph(_HOW), _summary(all_found)]
    for found in all_found:
        parts += of_experiment(found)
    return parts


def _summary(all_found: Sequence[Found]) -> Table:
    words = ("agrees", "better", "worse", "claim holds", "claim is reversed", "claim cannot be told", FIRST_LOOK)
    rows, links = [], {}
    for k, found in enumerate(all_found):
        many = counts(found)
        done = f"{found.done} of {found.wanted}" if found.done else NOT_RUN
        rows.append(
            [
                found.experiment.key,
                found.experiment.title,
                done,
                *(str(many.get(w, 0) or "") for w in words),
                _time(found),
            ]
        )
        links[k] = found.experiment.key
    told = ("agree", "better", "worse", "claims hold", "reversed", "open", FIRST_LOOK)
    header = ["id", "what", "numbers", *told, "time"]
    return Table(header, rows, frozenset(range(2, 11)), links)


def of_experiment(found: Found, level: int = 2) -> list[Block]:
    """The section of one experiment."""
    experiment = found.experiment
    parts: list[Block] = [
        Heading(f"{experiment.key}: {experiment.title}", level, experiment.key),
        Paragraph(f"{experiment.source}. {experiment.settings}"),
    ]
    for sentence in dict.fromkeys(m.missing for m in found.means if m.missing):
        parts.append(Paragraph(f"Not run: {sentence}"))
    for sentence in dict.fromkeys(f"{m.line.row}: {m.line.stand_in}." for m in found.means if m.line.stand_in):
        parts.append(Paragraph(f"In the place of the published data, {sentence}"))
    if not found.done:
        return [*parts, Paragraph("Not run.")]
    if fewest := [m for m in found.means if m.line.variant == MAIN and 0 < m.n < FEWEST]:
        few = min(m.n for m in fewest)
        parts.append(
            Paragraph(
                f"A first look: of {counted(few, 'split')} a standard error says little, so there is no verdict before "
                f"{FEWEST}."
            )
        )
    if published := published_rows(found):
        header = ["data", "method", "published", "ours", "splits", "verdict", "s a split"]
        cells = [[r.row, r.column, r.published, r.ours, r.splits, r.verdict, r.seconds] for r in published]
        parts.append(Table(header, cells, frozenset((2, 3, 4, 6))))
    if [m for m in found.means if m.line.variant == MAIN and not m.line.published]:
        parts.append(matrix(found))
    parts += [Paragraph(f"{m.line.row}, {m.line.column}: {m.problem}") for m in found.means if m.problem]
    if experiment.claims:
        judged = [judge(claim, found) for claim in experiment.claims]
        rows = [[one.claim.sentence, gain(one), one.word] for one in judged]
        parts.append(Table(["claim", "difference", "verdict"], rows, frozenset((1,))))
        parts += [Paragraph(words) for one in judged if (words := why_not(one, found))]
    if experiment.answer is not None:
        parts.append(Paragraph(experiment.answer(found)))
    for mean in found.means:
        if mean.line.variant == MAIN and (why := deviation(mean, found)):
            parts.append(Paragraph(why))
    if experiment.figure is not None and (drawn := experiment.figure(found)):
        parts.append(Figure(drawn, experiment.title))
    return parts


def published_rows(found: Found) -> list[Row]:
    """Every published number with ours and the verdict."""
    rows = []
    for mean in found.means:
        if not mean.line.published or mean.line.variant != MAIN:
            continue
        verdict = verdict_of(mean, found.experiment.published_splits)
        published = " / ".join(percent(value, 1) for value in mean.line.published)
        seconds = "" if math.isnan(mean.seconds) else f"{mean.seconds:.2f}"
        rows.append(Row(*mean.line.place, published, ours(mean), str(mean.n), verdict.word, seconds))
    return rows


def matrix(found: Found) -> Table:
    """All lines with the paper's settings, data down and methods across."""
    rows = []
    for row in found.rows:
        cells = {m.line.column: ours(m) for m in found.means if m.line.row == row and m.line.variant == MAIN}
        if cells:
            rows.append([row, *(cells.get(column, "") for column in found.columns)])
    what = "error" if found.means[0].line.error else ""
    return Table([what, *found.columns], rows, frozenset(range(1, len(found.columns) + 1)))


def ours(mean: Mean) -> str:
    """Mean ± standard error in per cent; that it was not run, where it was not."""
    if not mean.n:
        return "cannot run" if mean.problem else NOT_RUN
    return in_percent(mean)


def gain(one: Judged) -> str:
    """By how much the claim is right, in points."""
    if math.isnan(one.gain):
        return ""
    error = "" if math.isnan(one.error) else f" ± {100 * one.error:.1f}"
    return f"{100 * one.gain:+.1f}{error}"


def _time(found: Found) -> str:
    seconds = found.seconds
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
