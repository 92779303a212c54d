"""Upload: a file that somebody brought along, and everything that was said about it."""

from __future__ import annotations

from dataclasses import dataclass, field

from datasets.columns import ColumnFacts, ColumnPlan
from datasets.reading import ReadOptions, Table


@dataclass(frozen=True)
class Upload:
    """A file and everything that was said about it.

    Attributes
    ----------
    filename, data : str, bytes
        The file.
    options : ReadOptions
        What a person said about how to read it.
    sheet : str or None
        Of a workbook, the one that was asked for.
    table : Table or None
        The cells; None where the file could not be read.
    missing : tuple of str
        The words for missing values that the table holds.
    facts : tuple of ColumnFacts
        What each column holds.
    plan : ColumnPlan or None
        The columns as they are used.
    image_shape : (int, int) or None
        (rows, columns) where a person said that the rows are images.
    error : str
        One sentence where the file could not be read or the data set not be built.
    key : str
        Of the data set among the session's own; "" until one was built.
    """

    filename: str
    data: bytes = field(repr=False)
    options: ReadOptions = field(default_factory=ReadOptions)
    sheet: str | None = None
    table: Table | None = field(default=None, repr=False)
    missing: tuple[str, ...] = ()
    facts: tuple[ColumnFacts, ...] = ()
    plan: ColumnPlan | None = None
    image_shape: tuple[int, int] | None = None
    error: str = ""
    key: str = ""
