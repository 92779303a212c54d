"""A report as blocks, written out as Markdown and as one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

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


@dataclass(frozen=True)
class Heading:
    words: str
    level: int
    anchor: str = ""


@dataclass(frozen=True)
class Paragraph:
    words: str


@dataclass(frozen=True)
class Table:
    """Texts in rows; `numbers` are the columns that are set to the right."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: frozenset[int] = frozenset()
    links: dict[int, str] = field(default_factory=dict)  # row -> anchor of its first cell


@dataclass(frozen=True)
class Figure:
    """An SVG; Markdown has a sentence in its place."""

    svg: str
    caption: str


Block = Heading | Paragraph | Table | Figure


def as_markdown(blocks: Sequence[Block]) -> str:
    """The report for a repository; figures stay in the HTML."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def as_html(blocks: Sequence[Block], title: str) -> str:
    """The report as one file, for light and dark pages."""
    body = "\n".join(_html(block) for block in blocks)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def _markdown(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {block.words}"
    if isinstance(block, Paragraph):
        return block.words
    if isinstance(block, Figure):
        return f"*Figure, in the HTML report: {block.caption}*"
    edges = ["---:" if k in block.numbers else "---" for k in range(len(block.header))]
    lines = [block.header, edges, *block.rows]
    return "\n".join("| " + " | ".join(_one_cell(text) for text in line) + " |" for line in lines)


def _one_cell(words: str) -> str:
    return words.replace("|", "\\|").replace("\n", " ")


def _html(block: Block) -> str:
    if isinstance(block, Heading):
        anchor = f' id="{escape(block.anchor, quote=True)}"' if block.anchor else ""
        return f"<h{block.level}{anchor}>{escape(block.words)}</h{block.level}>"
    if isinstance(block, Paragraph):
        return f"<p>{escape(block.words)}</p>"
    if isinstance(block, Figure):
        return f"<figure>{block.svg}<figcaption>{escape(block.caption)}</figcaption></figure>"
    head = "".join(f'<th scope="col">{escape(words)}</th>' for words in block.header)
    rows = "".join(f"<tr>{_html_row(block, k)}</tr>" for k in range(len(block.rows)))
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _html_row(table: Table, row: int) -> str:
    cells = []
    for k, words in enumerate(table.rows[row]):
        said = escape(words)
        if k == 0 and row in table.links:
            said = f'<a href="#{escape(table.links[row], quote=True)}">{said}</a>'
        cells.append(f'<td class="number">{said}</td>' if k in table.numbers else f"<td>{said}</td>")
    return "".join(cells)
