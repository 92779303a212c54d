"""The report: for each experiment what was published, what we found, whether they agree, and why not."""

import math
import os
import platform
import subprocess
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

from datasets.base.words import counted, percent
from study.experiments.base.experiment import MAIN, Claim
from study.experiments.base.results import (
    CANNOT_TELL,
    FIRST_LOOK,
    NOT_RUN,
    Judged,
    Judgements,
    Mean,
    Results,
    explain_claim,
    explain_deviation,
    in_percent,
    judge,
)
from study.inference import FEWEST_SPLITS, MARGIN

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --paper: #ffffff; --rim: #d5dce3; --link: #28628f }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --paper: #12161c; --rim: #2a333d; --link: #6cb2e0 } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 1000px;
  margin: 2rem auto; padding: 0 1rem }
a { color: var(--link) }
.wide { overflow-x: auto }
table { border-collapse: collapse; margin: 1rem 0; font-size: 0.9rem }
th, td { border-bottom: 1px solid var(--rim); padding: 0.25rem 0.7rem; text-align: left; vertical-align: top }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
figure { margin: 1rem 0 }
"""
_INK = "Plotly.relayout('{plot_id}', {'font.color': getComputedStyle(document.body).color})"


@dataclass(frozen=True)
class Heading:
    words: str
    level: int
    anchor: str = ""


@dataclass(frozen=True)
class TextTable:
    """Texts in rows; `numbers` are the right-aligned columns."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: frozenset[int] = frozenset()
    links: Sequence[str] = ()  # of each row, the anchor of its first cell


@dataclass(frozen=True)
class Figure:
    """A Plotly figure; Markdown has its caption only."""

    figure: Any
    caption: str


class Detail(str):
    """A paragraph for those who want to repeat or explain a number; the page folds it away."""


Block = str | Heading | TextTable | Figure  # a text is a paragraph


def as_markdown(parts: Sequence[Block]) -> str:
    """The report for a repository; figures stay in the HTML."""
    return "\n\n".join(map(_markdown, parts)) + "\n"


def _markdown(block: Block) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, Heading):
        return f"{'#' * block.level} {block.words}"
    if isinstance(block, Figure):
        return f"*Figure, in the HTML report: {block.caption}*"
    edges = ["---:" if k in block.numbers else "---" for k in range(len(block.header))]
    header, *rows = [[text.replace("|", "\\|") for text in row] for row in (block.header, *block.rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, edges, *rows))


def as_html(parts: Sequence[Block], title: str) -> str:
    """The report as one file, for light and dark pages, with Plotly's script where there are figures."""
    first = next((block for block in parts if isinstance(block, Figure)), None)
    body = "\n".join(_html(block, with_script=block is first) for block in parts)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def _html(block: Block, with_script: bool) -> str:
    if isinstance(block, Heading):
        return f'<h{block.level} id="{escape(block.anchor)}">{escape(block.words)}</h{block.level}>'
    if isinstance(block, str):
        return f"<p>{escape(block)}</p>"
    if isinstance(block, Figure):
        from plotly.io import to_html

        options = {"post_script": _INK, "config": {"responsive": True, "displayModeBar": False}}
        drawn = to_html(block.figure, full_html=False, include_plotlyjs=with_script, **options)
        caption = escape(block.caption)
        picture = f'<div role="img" aria-label="{caption}">{drawn}</div>'
        return f"<figure>{picture}<figcaption>{caption}</figcaption></figure>"
    head = "".join(f'<th scope="col">{escape(words)}</th>' for words in block.header)
    rows = [[escape(words) for words in row] for row in block.rows]
    for row, anchor in zip(rows, block.links, strict=False):
        row[0] = f'<a href="#{escape(anchor)}">{row[0]}</a>'
    kinds = [' class="number"' if k in block.numbers else "" for k in range(len(block.header))]
    lines = ("".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row, strict=True)) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def provenance(all_results: Sequence[Results], commit: str = "") -> str:
    """Day, commit (by default the one at hand) and machine of the report, and the versions stored with the cells."""
    outcomes = {id(o): o for results in all_results for m in results.means for o in m.outcomes.values()}.values()
    versions = sorted({f"{name} {number}" for o in outcomes for name, number in o.versions.items()})
    hours = sum(o.seconds for o in outcomes) / 3600
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    ran = f"{len(outcomes):,} cells took {hours:.2f} hours of one core. " if outcomes else "No cell was run. "
    return f"Made on {day} at commit {commit or _commit()}, on {_machine()}. {ran}{', '.join(versions)}.".strip()


def _commit() -> str:
    described = ["git", "describe", "--always", "--exclude=*", "--dirty", "--abbrev=12"]
    here = Path(__file__).parent
    try:
        return subprocess.run(described, cwd=here, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _machine() -> str:
    model = ""
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((f" ({line.partition(':')[2].strip()})" for line in lines if line.startswith("model name")), "")
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores{model}"


TITLE = "The papers' tables and figures, made again"
_HOW = (
    "± is one standard error of the mean over splits, s/√m. A number of ours beside a published one: the difference "
    "of two means over random splits of the same data, with error s √(1/m + 1/m'), m' the splits behind the published "
    f"one. It agrees where a difference of {100 * MARGIN:.0f} points or more is ruled out. Claims are judged by paired "
    "differences with the corrected resampled t-test (Nadeau and Bengio 2003), whose error is larger than ±; of data "
    'drawn anew each time, by the paired t-test. "Not worse" and "near or above" claims hold where a loss of '
    f"{100 * MARGIN:.0f} points or more is ruled out. p is corrected over all published numbers, and over all claims, "
    "shown here (Holm); where neither is shown, it cannot be told. Split k has seed k, which also seeds starts and "
    f"whatever is drawn. Fewer than {FEWEST_SPLITS} splits are a first look, without a verdict. Seconds are by the "
    "clock, with whatever else the machine did."
)


def report_blocks(all_found: Sequence[Results], commit: str = "") -> list[Block]:
    """The whole report."""
    judged = judge(all_found)
    sections = [block for found in all_found for block in of_experiment(found, judged)]
    return [Heading(TITLE, 1), provenance(all_found, commit), _HOW, _summary(all_found, judged), *sections]


# verdict -> title of its column in the summary
_SUMMARY = {
    "agrees": "agree",
    "better": "better",
    "worse": "worse",
    CANNOT_TELL: CANNOT_TELL,
    "claim holds": "claims hold",
    "claim is reversed": "reversed",
    f"claim {CANNOT_TELL}": f"claims: {CANNOT_TELL}",
    FIRST_LOOK: FIRST_LOOK,
}


def _summary(all_found: Sequence[Results], judged: Judgements) -> TextTable:
    rows = []
    for found in all_found:
        own = [(of, one.word) for (key, of), one in judged.items() if key == found.experiment.key]
        many = Counter(f"claim {word}" if isinstance(of, Claim) and word != FIRST_LOOK else word for of, word in own)
        minutes = found.seconds / 60
        done = f"{found.done} of {found.wanted}" if found.done else NOT_RUN
        time = f"{found.seconds:.0f} s" if minutes < 1.5 else f"{minutes:.0f} min"
        verdicts = [str(many[word] or "") for word in _SUMMARY]
        rows.append([found.experiment.key, found.experiment.title, done, *verdicts, time])
    header = ["id", "what", "numbers", *_SUMMARY.values(), "time"]
    return TextTable(header, rows, frozenset(range(2, 12)), [found.experiment.key for found in all_found])


def of_experiment(found: Results, judged: Judgements | None = None) -> list[Block]:
    """The section of one experiment; without `judged` its own numbers and claims are the families."""
    judged = judged or judge([found])
    experiment = found.experiment
    parts: list[Block] = [
        Heading(f"{experiment.key}: {experiment.title}", 2, experiment.key),
        f"{experiment.source}.",
        Detail(experiment.settings),
    ]
    parts += dict.fromkeys(f"Not run: {m.missing}" for m in found.means if m.missing)
    parts += dict.fromkeys(
        f"In the place of the published data, {m.line.row}: {m.line.stand_in}." for m in found.means if m.line.stand_in
    )
    if not found.done:
        return [*parts, "Not run."]
    ours = [m for m in found.means if m.line.variant == MAIN]
    if few := min((m.n for m in ours if 0 < m.n < FEWEST_SPLITS), default=0):
        parts.append(
            f"A first look: of {counted(few, 'split')} a standard error says little, so there is no verdict before "
            f"{FEWEST_SPLITS}."
        )
    published = []
    for m in (m for m in ours if m.line.published):
        printed = " / ".join(percent(value, 1) for value in m.line.published)
        seconds = "" if math.isnan(m.seconds) else f"{m.seconds:.2f}"
        word = judged[experiment.key, m.line].word
        published.append([*m.line.place, printed, _ours(m), str(m.n), word, seconds])
    if published:
        header = ["data", "method", "published", "ours", "splits", "verdict", "seconds per split"]
        parts.append(TextTable(header, published, frozenset((2, 3, 4, 6))))
    if [m for m in ours if not m.line.published]:
        parts.append(_matrix(found))
    parts += [f"{m.line.row}, {m.line.column}: {m.problem}" for m in found.means if m.problem]
    if experiment.claims:
        claims = [(claim, judged[experiment.key, claim]) for claim in experiment.claims]
        header = ["claim", "difference, 95 % interval", "corrected p", "verdict"]
        rows = [[claim.sentence, *_gain(one), one.word] for claim, one in claims]
        parts.append(TextTable(header, rows, frozenset((1, 2))))
        parts += [Detail(words) for claim, one in claims if (words := explain_claim(claim, one, found))]
    if experiment.answer is not None:
        parts.append(experiment.answer(found))
    parts += [Detail(words) for m in ours if (words := explain_deviation(m, found))]
    if experiment.figure is not None and (drawn := experiment.figure(found)) is not None:
        parts.append(Figure(drawn, experiment.title))
    return parts


def _matrix(found: Results) -> TextTable:
    """All lines with the paper's settings, data down and methods across."""
    cells = {m.line.place: _ours(m) for m in found.means if m.line.variant == MAIN}
    rows = [[row, *(cells.get((row, column), "") for column in found.columns)] for row in found.rows]
    what = "error" if found.means[0].line.error else ""
    return TextTable([what, *found.columns], rows, frozenset(range(1, len(found.columns) + 1)))


def _ours(mean: Mean) -> str:
    if not mean.n:
        return "cannot run" if mean.problem else NOT_RUN
    return in_percent(mean)


def _gain(one: Judged) -> tuple[str, str]:
    """The gain of a claim with its interval, in points, and its corrected p-value."""
    if one.difference is None:
        return "", ""
    estimate, low, high = (100 * value for value in (one.difference.estimate, one.difference.low, one.difference.high))
    return f"{estimate:+.1f} ({low:+.1f} to {high:+.1f})", f"{one.corrected_p:.3f}"
