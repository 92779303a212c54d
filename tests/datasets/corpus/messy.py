"""TABLES: files that imitate real ones, and what is right for each; its columns are written in a few words."""

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class MessyTable:
    """A file imitating a real one, and what is right for it.

    Attributes:
        name: of the file.
        data: its bytes.
        label: the right label column.
        features: columns that must be used, and no others.
        n_rows: rows that must be kept.
        n_classes: classes that must be found.
        asks: keys of the blocking questions it may ask; each one's first answer must be right.
        notes: words that must be said among the costs, questions or notes.
    """

    name: str
    data: bytes = field(repr=False)
    label: str
    features: tuple[str, ...]
    n_rows: int
    n_classes: int
    asks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


TABLES: dict[str, Callable[[], MessyTable]] = {}


def messy(
    key: str,
    name: str,
    n: int,
    label: str,
    n_classes: int,
    columns: str,
    *,
    n_rows: int = 0,
    separator: str = ",",
    file: Callable[[str], bytes] = str.encode,
    asks: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
) -> None:
    """Enter a table of n rows in the corpus, of which `n_rows` are kept (0: all).

    columns: separated by semicolons, each its name, "=" and what `column` makes cells of; a minus before a name: the
        column must be left out.
    file: its bytes, from its text as CSV.
    """

    def make() -> MessyTable:
        rng = np.random.default_rng(list(key.encode()))
        pairs = [part.strip().partition("=")[::2] for part in columns.split(";")]
        rows: list[dict[str, str]] = [{} for _ in range(n)]
        for title, what in pairs:
            for row, cell in zip(rows, column(what, rows, rng), strict=True):
                row[title.removeprefix("-")] = cell
        stream = io.StringIO()
        writer = csv.DictWriter(stream, list(rows[0]), delimiter=separator, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        used = tuple(title for title, _ in pairs if not title.startswith("-") and title != label)
        return MessyTable(name, file(stream.getvalue()), label, used, n_rows or n, n_classes, asks, notes)

    TABLES[key] = make


def column(what: str, rows: list[dict[str, str]], rng: np.random.Generator) -> list[str]:
    """A cell for each row, of the cells before it.

    what: f2 for normal numbers with two digits; an f-string of the row's number k, a place p that no other row has, a
        normal number x, and the cells before it by name, row; or words between bars, `a*3|b` with a three times as
        often. Behind it "~.2 NA": the share of the cells that say NA instead, or nothing without such a word.
    """
    what, _, gaps = what.partition("~")
    places, numbers = rng.permutation(len(rows)).tolist(), rng.normal(size=len(rows))
    if re.fullmatch(r"f\d", what):
        cells = [f"{number:.{what[1]}f}" for number in numbers]
    elif "{" in what:
        code = compile(f"f'''{what}'''", what, "eval")
        cells = [
            eval(code, {"k": k, "p": place, "x": number, "row": row})
            for k, (place, number, row) in enumerate(zip(places, numbers, rows, strict=True))
        ]
    else:
        words = [found for word in what.split("|") if (found := re.fullmatch(r"(.*?)(?:\*(\d+))?", word))]
        often = np.array([int(word[2] or 1) for word in words])
        cells = [words[k][1] for k in rng.choice(len(words), len(rows), p=often / often.sum())]
    share, _, gap = gaps.partition(" ")
    for k in rng.permutation(len(rows))[: round(float(share or 0) * len(rows))]:
        cells[k] = gap
    return cells
