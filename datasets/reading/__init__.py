"""Files as the world makes them -> Table: detected by content, checked for size first, foreign binaries in a child."""

from datasets.base.words import on_one_line
from datasets.reading.decoding import ENCODINGS, Guess
from datasets.reading.faulty_lines import FaultyLine, FaultyLinesError
from datasets.reading.numerals import as_number, bare_number
from datasets.reading.reader import (
    ReadAnswer,
    ReadQuestion,
    encoding_question,
    faulty_lines_question,
    header_question,
    other_sheet_question,
    read_table,
    sheets_question,
)
from datasets.reading.table import (
    FAR_ABOVE_0,
    GAP_CODES,
    SEPARATORS,
    THOUSANDS,
    Detected,
    Limits,
    ReadOptions,
    Table,
    is_missing,
    missing_words,
)
from datasets.reading.text import raw_lines
