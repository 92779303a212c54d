"""Files as the world makes them -> Table: detected by content, checked for size first, foreign binaries in a child."""

from datasets.reading.east_asian import Guess
from datasets.reading.faulty_lines import FaultyLine, FaultyLinesError
from datasets.reading.missing import is_missing, missing_words
from datasets.reading.number_formats import bare_number
from datasets.reading.on_one_line import on_one_line
from datasets.reading.options import ENCODINGS, SEPARATORS, THOUSANDS, ReadOptions
from datasets.reading.questions import (
    ReadAnswer,
    ReadQuestion,
    encoding_question,
    faulty_lines_question,
    with_missing_word,
)
from datasets.reading.read_table import read_table
from datasets.reading.table import Detected, Limits, Table, as_number

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
    "read_table",
    "with_missing_word",
]
