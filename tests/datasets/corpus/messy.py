"""What the corpus is made of: MessyTable, what is expected of it, and helpers that write files."""

import csv
import io
from collections.abc import Callable, Sequence
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


def messy(make: Callable[[], MessyTable]) -> Callable[[], MessyTable]:
    """Enter a table in the corpus."""
    TABLES[make.__name__] = make
    return make


def rng_of(name: str) -> np.random.Generator:
    return np.random.default_rng(list(name.encode()))


def csv_text(names: Sequence[str], columns: Sequence[Sequence[object]], separator: str = ",") -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(zip(*columns, strict=True))
    return stream.getvalue()


def numbers(rng: np.random.Generator, n: int, digits: int = 2, scale: float = 1.0, shift: float = 0.0) -> list[str]:
    return [f"{value:.{digits}f}" for value in rng.normal(shift, scale, n)]


def drawn(rng: np.random.Generator, n: int, values: Sequence[str], shares: Sequence[float] | None = None) -> list[str]:
    p = None if shares is None else np.array(shares) / np.sum(shares)
    return [values[k] for k in rng.choice(len(values), n, p=p)]


def with_gaps(rng: np.random.Generator, cells: Sequence[str], share: float, gap: str = "") -> list[str]:
    gone = set(rng.permutation(len(cells))[: round(share * len(cells))].tolist())
    return [gap if k in gone else cell for k, cell in enumerate(cells)]
