"""Parts of workbooks that are missing, merged, or of another kind than the table."""

import io
import zipfile

import openpyxl
import pytest

from datasets.base.errors import DataError
from datasets.proposals import apply, propose
from datasets.reading import read_table
from tests.datasets.files import workbook, written

ROWS = [["a", "b", "label"], *([k, k * k % 7, "xy"[k % 2]] for k in range(12))]


def with_parts(data, change):
    """The workbook with each part as `change(name, content)` gives it, None for none."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            if (content := change(name, old.read(name))) is not None:
                new.writestr(name, content)
    return stream.getvalue()


@pytest.mark.parametrize("lost", [b'r:id=""', b'r:id="rId77"', b'state="veryHidden" r:id=""'])
def test_a_sheet_without_a_part_of_its_own_is_no_damage(lost):
    data = workbook(one=ROWS, two=ROWS[:5])

    def with_lost(name, content):
        sheet = b'<sheet name="macros" sheetId="9" ' + lost + b" /></sheets>"
        return content.replace(b"</sheets>", sheet)

    table = read_table(with_parts(data, with_lost), "t.xlsx")
    assert (table.sheets, table.n_rows) == (("one", "two"), 12)


def test_only_a_workbook_that_could_have_a_password_is_said_to():
    damaged = with_parts(workbook(one=ROWS), lambda name, content: None if "_rels/w" in name else content)
    with pytest.raises(DataError, match=r"^t.xlsx is a damaged workbook; save it as .xlsx, or as CSV\.$"):
        read_table(damaged, "t.xlsx")
    compound = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(3000)
    with pytest.raises(DataError, match="is a damaged workbook or a workbook with a password"):
        read_table(compound, "t.xls")
    with pytest.raises(DataError, match=r"^t.xlsx is a workbook with a password; save it without one\.$"):
        read_table(compound + "EncryptedPackage".encode("utf-16-le"), "t.xlsx")


def merged(rows, *ranges):
    book = openpyxl.load_workbook(io.BytesIO(workbook(a=rows)))
    for cells in ranges:
        book.active.merge_cells(cells)
    return read_table(written(book.save), "t.xlsx")


def test_columns_that_are_merged_in_names_and_rows_are_one():
    rows = [["kind", "leaf", None, "stem", None, "seed"], *(["xy"[k % 2], k, None, k + 2, None, 7] for k in range(9))]
    pairs = [f"{a}{k}:{b}{k}" for k in range(1, 11) for a, b in ("BC", "DE")]
    assert merged(rows, *pairs).columns == ("kind", "leaf", "stem", "seed")
    assert merged(rows, *pairs).rows[2] == ("x", "2", "4", "7")
    rows[9][2] = 5  # a cell of its own
    assert merged(rows, *(each for each in pairs if each != "B10:C10")).columns[:3] == ("kind", "leaf", "leaf (2)")
    halved = [f"D{k}:E{k}" for k in range(1, 6)]  # in half of the rows
    assert len(merged(rows, *halved).columns) == 6
    assert len(merged(rows, *halved, "D6:E6").columns) == 5


def test_a_row_that_repeats_names_merged_with_it_is_one_of_names():
    head = [["level", "code", "place", "year", None], [None, None, None, 2019, None]]
    rows = [["UF", 10 + k, f"town {k}", 1000 + 7 * k, "persons"] for k in range(12)]
    table = merged([["People"], *head, *rows], "A2:A3", "B2:B3", "C2:C3", "D2:E2", "D3:E3")
    assert (table.columns, table.n_rows) == (("level", "code", "place", "year 2019", "year 2019 (2)"), 12)
    first = ["level", "code", "town 9", 1000, "persons"]  # a row that is alike in some columns only
    assert merged([[*head[0][:4], "unit"], first, *rows]).n_rows == 13


@pytest.mark.parametrize(
    ("name", "n_numbers", "read"),
    [("Notes", 3, "plots"), ("Notes", 2, "Notes"), ("READ ME", 3, "plots"), ("Grades", 3, "Grades")],
)
def test_a_sheet_of_notes_is_read_only_where_no_other_holds_numbers(name, n_numbers, read):
    notes = [["1", "the plot is wet"], *([k, f"remark {k}"] for k in range(2, 25))]
    wide = [*([f"{k}"] * 0 for k in range(3)), ["plot", "remark", *"abc", *(f"d{k}" for k in range(9))]]
    wide += [[f"p{k}", "wet", *([k, k * k % 7, k % 3][:n_numbers])] for k in range(5)] + [["p6"]] * 9
    assert read_table(workbook(**{name: notes, "plots": wide}), "t.xlsx").sheet == read


def test_marks_of_pupils_are_a_table_though_the_sheet_is_called_notes():
    marks = [["pupil", "maths", "art", "class"], *([f"p{k}", k % 6, k * k % 7, "ab"[k % 2]] for k in range(30))]
    weights = [["subject", "a", "b", "c"], *([f"s{k}", k, k + 1, 3] for k in range(8))]
    assert read_table(workbook(Notes=marks, weights=weights), "t.xlsx").sheet == "weights"
    marks = [[*row, k] for k, row in enumerate(marks)]
    assert read_table(workbook(Notes=marks, weights=weights), "t.xlsx").sheet == "Notes"


def test_merged_headings_name_every_column_they_span():
    rows = [["id", "leaf", None, "label"], [None, "cm", "kg", None], *(["p", *row] for row in ROWS[1:])]
    table = merged(rows, "A1:A2", "B1:C1", "D1:D2")
    assert table.columns == ("id", "leaf cm", "leaf kg", "label")
    assert table.n_rows == 12


def test_merged_cells_hold_for_all_their_rows():
    rows = [f"s{k // 2}" if k % 2 == 0 else None for k in range(4)]
    table = merged([["site", "a"], *([site, k + 0.5] for k, site in enumerate(rows))], "A2:A3", "A4:A5")
    assert table.column("site") == ["s0", "s0", "s1", "s1"]


def test_a_row_that_is_merged_with_the_one_above_in_all_columns_is_none():
    rows = [["leaf", "cm", "kind"], ["a", 1, "x"], ["b", 2, "y"], [None] * 3, ["c", 3, "x"], [None, 4, "y"]]
    table = merged([*rows, *ROWS[1:]], *(f"{column}3:{column}4" for column in "ABC"), "A5:A6")
    assert table.column("leaf")[:4] == ["a", "b", "c", "c"]
    assert table.column("cm")[:4] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("name", "cell", "is_left_out"),
    [("county", "d", True), ("town", "d", False), ("county", "c", False), ("county", "1", False)],
)
def test_a_block_whose_names_begin_again_above_other_words_is_a_table_of_its_own(name, cell, is_left_out):
    """Of the same rows it tells more, and so may numbers."""
    rows = [["County data"], ["county", "1990", "1991", "", name, "1992", "1993"]]
    rows += [[f"c{k}", k * k % 7, k, "", f"{cell}{k}", k % 5, 2 * k % 9] for k in range(14)]
    table = read_table(workbook(a=rows), "t.xlsx")
    assert table.columns[:3] == ("county", "1990", "1991")
    assert len(table.columns) == 3 + 4 * (not is_left_out)
    said = "3 columns beside the table, from column 5 on, were left out, as a table of its own"
    assert [said in each for each in table.others] == [True] * is_left_out


def stacked(first="No.", above=(), more=()):
    """Tables of three kinds below each other, the second the longest, with blank lines among their rows."""
    tables = []
    for k, names in enumerate((["giver", "sum"], ["lender", "city", "rate"], ["place", "rooms", "rent"])):
        rows = [[j + 1, *(f"{name} {j}" for name in names[:-1]), j * j % 97] for j in range(30 if k == 1 else 12)]
        tables += [[f"Part {k}"], *above, [first.replace(" ", "  " * k), *names], *rows[:9], [], *rows[9:], *more, []]
    return tables


@pytest.mark.parametrize(
    ("rows", "n_tables"),
    [
        (stacked(first="№ п/п"), 3),
        (stacked(above=[["a", "b"]]), 0),  # another row right above the names
        (stacked(first="7"), 0),
        (stacked(more=[[], ["No.", 1, 2, 3]]), 0),  # numbers
        ([["No.", "giver", "sum"], *[row for row in stacked() if row and len(row) > 1]], 0),
    ],
)
def test_tables_whose_names_begin_with_the_same_one_are_offered(rows, n_tables):
    data = workbook(a=rows)
    table = read_table(data, "t.xlsx")
    assert len(table.sheets) == (n_tables or 1)
    if n_tables:
        assert (table.columns[1:], table.n_rows) == (("lender", "city", "rate"), 30)
        assert table.others == ("2 other tables begin on lines 2, 52; the one from line 18 on was read.",)
        assert any("To use another, choose it as 'Sheet'" in cost for cost in apply(propose(table)).costs)
        other = read_table(data, "t.xlsx", sheet=table.sheets[2])
        assert (other.columns[1:], other.n_rows, other.sheet) == (("place", "rooms", "rent"), 12, table.sheets[2])
    with pytest.raises(DataError, match="has no sheet 'none'"):
        read_table(data, "t.xlsx", sheet="none")
