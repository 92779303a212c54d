"""Files as the world makes them -> Table: detected by content, checked for size first, foreign binaries in a child."""

from datasets.base.limits import Limits
from datasets.base.words import on_one_line
from datasets.reading.decoding import Guess
from datasets.reading.number_formats import as_number, bare_number
from datasets.reading.reader import (
    ReadAnswer,
    ReadQuestion,
    encoding_question,
    faulty_lines_question,
    read_table,
    with_missing_word,
)
from datasets.reading.table import (
    ENCODINGS,
    SEPARATORS,
    THOUSANDS,
    Detected,
    ReadOptions,
    Table,
    is_missing,
    missing_words,
)
from datasets.reading.text import FaultyLine, FaultyLinesError, raw_lines

__all__ = [
    "ENCODINGS",
    "SEPARATORS",
    "THOUSANDS",
    "Detected",
    "FaultyLine",
    "FaultyLinesError",
    "Guess",
    "Limits",
    "ReadAnswer",
    "ReadOptions",
    "ReadQuestion",
    "Table",
    "as_number",
    "bare_number",
    "encoding_question",
    "faulty_lines_question",
    "is_missing",
    "missing_words",
    "on_one_line",
    "raw_lines",
    "read_table",
    "with_missing_word",
]
