"""What is asked about how a file is read; each answer carries the ReadOptions with which it is read again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from datasets.reading.east_asian import ENCODING_NAMES
from datasets.reading.faulty_lines import FaultyLinesError
from datasets.reading.options import ReadOptions
from datasets.reading.table import Table


@dataclass(frozen=True)
class ReadAnswer:
    """A button: its words, the options to read the file again with, and what some lines look like then."""

    text: str
    options: ReadOptions
    preview: str = ""


@dataclass(frozen=True)
class ReadQuestion:
    """A question about the file, the best answer first."""

    text: str
    answers: tuple[ReadAnswer, ...]


def encoding_question(table: Table, options: ReadOptions) -> ReadQuestion | None:
    """Ask which encoding is right, with a preview of each; None where it was said or is clear."""
    found = table.detected.encodings if table.detected is not None else ()
    if options.encoding is not None or not found:
        return None
    answers = tuple(
        ReadAnswer(ENCODING_NAMES[guess.encoding], replace(options, encoding=guess.encoding), guess.preview)
        for guess in found
    )
    return ReadQuestion(f"{table.name} is not UTF-8. In which of these does it read right?", answers)


def faulty_lines_question(error: FaultyLinesError, options: ReadOptions) -> ReadQuestion | None:
    """Offer to skip lines with too many cells; None where too few lines would be left."""
    if not error.can_skip:
        return None
    lines = "this line" if error.n_lines == 1 else f"these {error.n_lines:,} lines"
    preview = "\n".join(f"line {line.number}: {line.text}" for line in error.lines)
    return ReadQuestion(str(error), (ReadAnswer(f"skip {lines}", replace(options, faulty_lines="skip"), preview),))


def with_missing_word(options: ReadOptions, cell: str) -> ReadOptions:
    """The options with one more cell, however long and with whatever commas, that counts as missing."""
    return options if cell in options.missing else replace(options, missing=(*options.missing, cell))
