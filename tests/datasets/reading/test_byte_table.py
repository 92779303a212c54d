"""Tables whose head describes the bytes of each column."""

import pytest

from datasets.base.errors import DataError
from datasets.reading import ReadOptions, read_table

RULE = "-" * 40
HEAD = [
    "Title: Light curves",
    "=" * 40,
    "Byte-by-byte Description of file: table1.dat",
    RULE,
    "   Bytes Format Units Label   Explanations",
    RULE,
    "   1-  4 I4     ---   HIP     Identifier",
    "       5 A1     ---   Type    Kind of star, a: see",
    "                              note (1)",
    "   6- 10 F5.2   mag   Vmag    Magnitude",
    RULE,
    "Note (1): a or b.",
]
ROWS = [f"{1000 + 7 * k}{'ab'[k % 2]}{k + 0.25:5.2f}" for k in range(12)]


def read(*lines, **options):
    return read_table("\n".join(lines).encode(), "table1.dat", ReadOptions(**options))


@pytest.mark.parametrize("notes", [[RULE], []], ids=["notes", "no notes"])
def test_columns_are_cut_and_named_as_the_head_says(notes):
    head = HEAD if notes else HEAD[:-1]
    table = read(*head, *notes, *ROWS, "")
    assert table.columns == ("HIP", "Type", "Vmag")
    assert table.rows[1] == ("1007", "b", "1.25")
    assert table.line_numbers[0] == len(head) + len(notes) + 1
    assert table.notes[0] == "Columns are cut as the file describes their bytes."
    assert table.notes[1].endswith("lines above the names were left out, from 'Title: Light curves' on.")


def test_quotes_around_a_cell_are_part_of_it():
    wider = [("       5 A1 ", "   5-  7 A3 "), ("   6- 10", "   8- 12")]
    head = "\n".join(HEAD)
    for old, new in wider:
        head = head.replace(old, new)
    table = read(head, RULE, *(row.replace("b", '"b"').replace("a", " a ") for row in ROWS))
    assert [row[1] for row in table.rows[:2]] == ["a", '"b"']


def test_a_head_without_rows_is_no_such_table():
    with pytest.raises(DataError):
        read(*HEAD, RULE)
