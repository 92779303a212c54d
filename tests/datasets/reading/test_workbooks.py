"""Workbooks as people keep them: titles, merged headings, hidden sheets, errors, formulas nobody worked out."""

import datetime
import io
import struct
import zipfile
from dataclasses import replace

import openpyxl
import pytest

from datasets.base.errors import DataError
from datasets.proposals import apply, propose
from datasets.reading import Limits, ReadOptions, read_table, sheets_question, workbooks
from datasets.reading.formats import Refused
from tests.datasets.files import with_sheet, workbook, written, xls

ROWS = [[1.5, 2, "x"], [2.5, 7, "y"], [3.5, 1, "x"], [4.5, 8, "y"]]


def book_of(*rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    return book


def test_a_merged_title_is_left_out_and_said():
    book = book_of(["Trees of 2024", None, None], ["a", "b", "label"], *ROWS)
    book.active.merge_cells("A1:C1")
    table = read_table(written(book.save), "t.xlsx")
    assert table.columns == ("a", "b", "label")
    assert table.line_numbers.tolist() == [3, 4, 5, 6]
    assert "The title 'Trees of 2024' above the names was left out." in table.notes
    assert table.title == "Trees of 2024"
    two = book_of(["Trees", "2024"], [*"abcde", "label"], *([k * k % 7, k, 1, k % 3, 2, "xy"[k % 2]] for k in range(9)))
    assert read_table(written(two.save), "t.xlsx").title == ""


def test_an_opendocument_workbook_is_read():
    cell, row = "table:table-cell", "table:table-row"

    def cells(number, word):
        text = '<{0} office:value-type="string"><text:p>{1}</text:p></{0}>'.format
        first = text(cell, number) if number == "a" else f'<{cell} office:value-type="float" office:value="{number}"/>'
        return f"<{row}>{first}{text(cell, word)}</{row}>"

    rows = [cells("a", "label"), *(cells(k / 4, "xy"[k % 2]) for k in range(8))]
    rows.append(f'<{row} table:number-rows-repeated="1048570"><{cell} table:number-columns-repeated="1024"/></{row}>')
    space = "urn:oasis:names:tc:opendocument:xmlns"
    spaces = " ".join(f'xmlns:{name}="{space}:{name}:1.0"' for name in ("office", "table", "text"))
    table = f'<table:table table:name="S">{"".join(rows)}</table:table>'
    table += table.replace('"S"', "\"'file:///a/b.ods'#S\"")
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        document = f"<office:spreadsheet>{table}</office:spreadsheet>"
        archive.writestr("content.xml", f"<office:document-content {spaces}>{document}</office:document-content>")
    table = read_table(file.getvalue(), "t.ods")
    assert (table.columns, table.n_rows, table.rows[1]) == (("a", "label"), 8, ("0.25", "y"))
    assert table.sheets == ("S",)  # not the copy of another file's


def test_an_old_workbook_whose_letters_take_two_bytes_is_read_another_way(monkeypatch):
    data = xls([["a", "label"], *([k, "xy"[k % 2]] for k in range(6))])
    as_read = workbooks._opened(data)
    garbled = {name: replace(sheet, rows=[["a\0"]]) for name, sheet in as_read[0].items()}
    monkeypatch.setattr(workbooks, "_opened", lambda data: (garbled, None))
    assert workbooks.read_workbook(data, Limits(), None).rows[0] == ("a", "label")


def test_a_title_merged_over_most_of_the_width_is_one_cell_and_a_narrow_heading_is_one_for_each_column():
    rows = [["x", k, k + 1, k + 2, k + 3] for k in range(6)]
    book = book_of(["Trees", None, None, None, None], ["kind", "wet", None, None, "dry"], [None, *"abcd"], *rows)
    for cells in ("A1:D1", "B2:D2"):
        book.active.merge_cells(cells)
    table = read_table(written(book.save), "t.xlsx")
    assert table.columns == ("kind", "wet a", "wet b", "wet c", "dry d")


@pytest.mark.parametrize(
    ("sizes", "read"),
    [
        ({"a": 20, "all": 8}, "all"),
        ({"a": 20, "data": 8, "all": 8}, "a"),
        ({"a": 20, "b": 8}, "a"),
        ({"a": 20, "results": 0}, "a"),  # a remark alone
    ],
)
def test_the_only_sheet_that_is_called_so_is_read(sizes, read):
    book = book_of()
    book.remove(book.active)
    for name, n_rows in sizes.items():
        sheet = book.create_sheet(name)
        for row in (["a", "b", "label"], *ROWS * (n_rows // 4)) if n_rows else (["See the other sheet"], ["1"]):
            sheet.append(row)
    book.create_chartsheet("chart")
    table = read_table(written(book.save), "t.xlsx")
    assert (table.sheet, table.sheets) == (read, tuple(sizes))


def _sheets(**more):
    plots = {
        name: [[f"Plots in the {name}"], ["plot", "growth", "height"], *([f"p{j}", j * j % 7 + k, j] for j in range(9))]
        for k, name in enumerate(("north", "south"))
    }
    plots["north"] = plots["north"][1:]
    return workbook(**plots, about=[["Read me"], ["by", "us"]], **more)


def test_sheets_with_the_same_names_are_offered_to_be_joined():
    east = [["Plot", "Growth", "Height", "remark"], ["p1", 3, 4, "wet"]]
    west = [["PLOT", "Growth", "height"], ["p0", 77, 8], ["p1", 5, 6, "wet"]]
    table = read_table(_sheets(east=east, west=west), "t.xlsx")
    assert (table.alike, table.n_rows) == (("north", "south", "west"), 9)
    question = sheets_question(table, ReadOptions())
    assert question.text == (
        "3 sheets have these columns: 'north', 'south', 'west'. Join them, with a column that names the sheet?"
    )
    (answer,) = question.answers
    joined = read_table(_sheets(east=east, west=west), "t.xlsx", answer.options)
    assert sheets_question(joined, answer.options) is None
    assert joined.columns == ("plot", "growth", "height", "column 4", "sheet")
    assert joined.column("sheet") == ["north"] * 9 + ["south"] * 9 + ["west"] * 2
    assert joined.rows[8:10] == [("p8", "1", "8", "", "north"), ("p0", "1", "0", "", "south")]
    assert joined.rows[-1] == ("p1", "5", "6", "wet", "west")
    assert joined.line_numbers.tolist() == [*range(2, 11), *range(13, 22), 23, 24]
    assert "3 sheets were joined, one below the other: 'north', 'south', 'west'; " in joined.notes[0]
    label = apply(propose(joined)).label
    assert (label.name, label.sure) == ("sheet", False)


def test_joined_sheets_share_both_lines_of_their_names_blanks_in_these_aside():
    def sheet(gap, first):
        head = [["place", "born", None, "died", None], [None, f"per{gap}sons", "rate", f"per{gap}sons", "rate"]]
        return [*head, *([f"p{k}", first + k, k * k % 7, 2 * k, k % 3] for k in range(6))]

    book = openpyxl.load_workbook(io.BytesIO(workbook(one=sheet("", 10), two=sheet(" ", 30), three=sheet("", 50))))
    for each in book.worksheets:
        for cells in ("A1:A2", "B1:C1", "D1:E1"):
            each.merge_cells(cells)
    joined = read_table(written(book.save), "t.xlsx", ReadOptions(all_sheets=True))
    assert joined.columns == ("place", "born persons", "born rate", "died persons", "died rate", "sheet")
    assert joined.n_rows == 18


def test_joined_sheets_are_each_read_as_one_alone_is():
    """With titles, units below the names, groups that are named once, and a total at the end."""

    def sheet(place, first):
        head = [[f"Soils of {place}"], [], ["layer", "carbon", "clay", "iron", "lime"], ["", "g/kg", "%", "g/kg", "%"]]
        rows = [["" if k % 3 else f"{k // 3}5 cm", first + k, k * k % 7, k % 5, 9 - k] for k in range(12)]
        return [*head, *rows, ["Total", sum(first + k for k in range(12)), 40, 22, 42]]

    swapped = [[row[0], *row[:2:-1], *row[1:3]] if len(row) > 1 else row for row in sheet("the south", 30)]
    data = workbook(north=sheet("the north", 10), south=swapped, east=sheet("the east", 70)[2:3])
    joined = read_table(data, "t.xlsx", ReadOptions(all_sheets=True))
    assert joined.columns == ("layer", "carbon g/kg", "clay %", "iron g/kg", "lime %", "sheet")
    assert joined.rows[14] == ("", "31", "1", "1", "8", "south")
    assert "2 sheets: The names are joined from 2 header rows." in joined.notes
    assert "Sheet 'east' has a header row and no rows below it." in joined.notes
    plan = apply(propose(joined))
    assert plan.table.column("layer") == [f"{k // 3}5 cm" for k in range(12)] * 2
    assert [group.sentence for group in plan.proposal.groups] == [
        "2 rows of totals or statistics were skipped (lines 17, 34: 'Total 186 40 22 42 north')."
    ]


def test_a_long_row_far_below_is_not_the_head_of_a_joined_sheet():
    west = [["plot", "growth", "height"], *([f"p{k}", k * k % 7, k] for k in range(60)), ["p60", 1, 2, "see", "the", 3]]
    table = read_table(_sheets(west=west), "t.xlsx", ReadOptions(all_sheets=True))
    assert (table.alike, table.column("sheet").count("west")) == (("north", "south", "west"), 61)


def test_only_visible_sheets_with_names_are_alike():
    numbers = {name: [[k, k + 1, 5] for k in range(9)] for name in "ab"}
    assert read_table(workbook(**numbers), "t.xlsx").alike == ()
    book = openpyxl.load_workbook(io.BytesIO(_sheets()))
    book["south"].sheet_state = "hidden"
    table = read_table(written(book.save), "t.xlsx")
    assert table.alike == ("north",)
    assert read_table(written(book.save), "t.xlsx", sheet="south").alike == ()
    assert sheets_question(table, ReadOptions()) is None


@pytest.mark.parametrize(("width", "read"), [(3, "long"), (7, "short")])
def test_a_long_sheet_is_read_before_a_short_one_that_looks_not_much_more_like_a_table(width, read):
    short = [[*"abcdefg"[:width]], *([k * j % 7 for j in range(width)] for k in range(8))]
    long = [["u", "v", "w"], *(["x", "y", "z"] for k in range(14))]
    assert read_table(workbook(short=short, long=long), "t.xlsx").sheet == read


@pytest.mark.parametrize(("n_alike", "times", "read"), [(3, 1, "b0"), (2, 1, "a"), (3, 2, "a")])
def test_one_of_several_sheets_with_the_same_columns_is_read_before_a_single_wider_one(n_alike, times, read):
    """That is not far longer, as one that holds the rows of all others."""
    rows = [[f"2004-0{k + 1}", *(k * j % 7 for j in range(5))] for k in range(9)]
    small = {f"b{k}": [["date", "u", "v", "w"], *(row[:4] for row in rows)] for k in range(n_alike)}
    table = read_table(workbook(a=[["date", *"mnopq"], *rows * times], **small), "t.xlsx")
    assert (table.sheet, len(table.alike)) == (read, n_alike if read == "b0" else 1)


@pytest.mark.parametrize(("name", "alike"), [("sex", True), ("age group", False)])
def test_sheets_that_group_by_other_words_are_not_alike(name, alike):
    years = [str(year) for year in range(2013, 2021)]
    rows = [["m" if k % 2 else "f", *(k * j % 97 for j in range(8))] for k in range(15)]
    table = read_table(workbook(a=[["sex", *years], *rows], b=[[name, *years], *rows]), "t.xlsx")
    assert (len(table.alike) == 2) == alike


def test_sheets_with_two_lines_of_names_of_which_neither_is_full_are_alike():
    def sheet(first):
        head = [["", "", "April 2021"], ["place", "homes", "people"], ["", "", "all", "men", "women"]]
        return [*head, *([f"p{k}", first * k, 9 * k, 4 * k, 5 * k] for k in range(1, 14))]

    table = read_table(workbook(north=sheet(10), south=sheet(30)), "t.xlsx")
    assert table.alike == ("north", "south")


def test_settings_above_two_tables_are_not_their_names():
    settings = [["Block type", "96 wells"], *([f"Setting {k}", "on"] for k in range(45))]
    cycles = [*settings, [], ["well", "cycle", "a", "b", "c"], *([f"A{k}", k, k * k % 7, 2, k % 3] for k in range(30))]
    results = [*settings, [], ["well", "target", "ct", "mean", "sd"], *([f"A{k}", "g", k % 5, 2, 1] for k in range(30))]
    table = read_table(workbook(cycles=cycles, results=results), "t.xlsx")
    assert (table.n_rows, table.alike) == (30, ())


def test_joined_sheets_hold_no_more_cells_than_are_read():
    west = [["plot", "growth", "height"], *([f"p{j}", j, 2 * j] for j in range(10))]
    data, limits = _sheets(west=west), Limits(cells=70)
    assert read_table(data, "t.xlsx", limits=limits).n_rows == 9
    with pytest.raises(DataError, match="has 96 cells on its 3 sheets; at most 70 are read"):
        read_table(data, "t.xlsx", ReadOptions(all_sheets=True), limits=limits)


def test_what_was_left_out_of_a_joined_sheet_is_named_with_it():
    other = [["id", "size", "age", "mass"], *([f"i{j}", j, j * j % 5, 3 * j % 7] for j in range(5))]
    west = [["plot", "growth", "height"], *([f"p{j}", j, 2 * j % 9] for j in range(20)), [], *other]
    table = read_table(_sheets(west=west), "t.xlsx", ReadOptions(all_sheets=True))
    assert table.n_rows == 38
    assert [said[:46] for said in table.others] == ["Sheet 'west': 1 other table begins on line 23;"]
    assert table.all_notes[0] == table.others[0]


def test_more_cells_than_are_read_are_refused():
    rows = [["a", "label"], *([k, "xy"[k % 2]] for k in range(6))]
    with pytest.raises(Refused, match=r"has 14 cells on its sheet .*; at most 13 are read"):
        workbooks.read_workbook(xls(rows), Limits(cells=13), None)
    assert len(workbooks.read_workbook(xls(rows), Limits(cells=14), None).rows) == 7


def test_keys_above_a_wide_table_do_not_count_when_a_sheet_is_chosen():
    keys = [[f"key {k}", k] for k in range(20)]
    wide = [[f"A{k}", "x", *range(k, k + 8)] for k in range(30)]
    book = book_of(*keys, ["well", "gene", *(f"c{k}" for k in range(8))], *wide)
    other = book.create_sheet("list")
    for k in range(25):
        other.append([k, k * k])
    assert read_table(written(book.save), "t.xlsx").sheet == "Sheet"


def test_a_head_of_many_lines_is_left_out():
    head = [[f"Remark {k}", None, None] for k in range(9)]
    table = read_table(written(book_of(*head, ["a", "b", "label"], *ROWS * 3).save), "t.xlsx")
    assert (table.columns, table.n_rows) == (("a", "b", "label"), 12)


def test_two_header_rows_are_joined_and_said():
    table = read_table(written(book_of(["leaf", None, "kind"], ["cm", "cm", "name"], *ROWS).save), "t.xlsx")
    assert table.columns == ("leaf cm", "cm", "kind name")
    assert len(table.rows) == 4
    assert "The names are joined from 2 header rows." in table.notes
    described = book_of(
        ["leaf", "age", "kind"], ["how wide the leaf is", "how old it is, in days", "what it is"], *ROWS
    )
    table = read_table(written(described.save), "t.xlsx")
    assert table.columns == ("leaf", "age", "kind")
    assert "1 row below the column names is not used as names, from 'how wide the leaf is' on." in table.notes
    assert not any("joined" in note for note in table.notes)


def test_a_heading_that_holds_a_word_of_the_name_below_leaves_it_there():
    head = [["Heat and Treatment Data", None, "Weight kg"], ["Heat", "Treatment", "kg"]]
    table = read_table(workbook(a=[*head, *([k, k * k % 7, k % 5] for k in range(8))]), "t.xlsx")
    assert table.columns == ("Heat and Treatment Data Heat", "Treatment", "Weight kg")


def test_a_heading_over_several_columns_tells_equal_names_apart():
    head = [["run 1", None, "run 2", None, "note", None], ["s", "N", "s", "N", "kind", "maker"]]
    rows = [[k, k * k % 7, k + 1, k * k % 5, "xy"[k % 2], f"m{k % 3}"] for k in range(8)]
    table = read_table(written(book_of(*head, *rows).save), "t.xlsx")
    assert table.columns == ("run 1 s", "run 1 N", "run 2 s", "run 2 N", "note kind", "maker")


def test_a_hidden_sheet_is_read_only_where_it_is_asked_for():
    book = book_of(["code", "text"], [1, "one"], [2, "two"])
    book.active.title = "codes"
    shown = book.create_sheet("data")
    for row in (["a", "b", "label"], *ROWS):
        shown.append(row)
    book["codes"].sheet_state = "hidden"
    book.active = 1
    table = read_table(written(book.save), "t.xlsx")
    assert (table.sheets, table.sheet) == (("codes", "data"), "data")
    assert read_table(written(book.save), "t.xlsx", sheet="codes").columns == ("code", "text")


def test_formulas_that_were_never_worked_out_are_counted():
    rows = [[*row[:2], f"=A{k}+B{k}", row[2]] for k, row in enumerate(ROWS, start=2)]
    table = read_table(written(book_of(["a", "b", "sum", "label"], *rows).save), "t.xlsx")
    assert [row[2] for row in table.rows] == [""] * 4
    assert any(note.startswith("4 formulas have no stored result") for note in table.notes)
    file, data = io.BytesIO(), written(book_of(["a", "b", "sum", "label"], *rows).save)
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(file, "w") as changed:
        for name in archive.namelist():
            xml = archive.read(name)
            changed.writestr(name, xml.replace(b'<c r="C3">', b'<c r="C3" t="str">'))  # an empty text is its result
    table = read_table(file.getvalue(), "t.xlsx")
    assert any(note.startswith("3 formulas have no stored result") for note in table.notes)
    assert "formula" not in " ".join(read_table(written(book_of(["a", "b", "l"], *ROWS).save), "t.xlsx").notes)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("0,1,2,label\n1.5,2,3,x\n2.5,7,1,y\n3,4,5,x\n", ("0", "1", "2", "label")),
        ("land,2019,2020,2021\nAT,1.5,2,3\nCH,2.5,7,1\n", ("land", "2019", "2020", "2021")),
        ("1,2,3,x\n1.5,2,3,x\n2.5,7,1,y\n", ("column 1", "column 2", "column 3", "column 4")),
        ("5,6,7,8\n1.5,2,3,1\n2.5,7,1,0\n", ("column 1", "column 2", "column 3", "column 4")),
    ],
)
def test_numbers_that_count_up_can_be_names(text, columns):
    assert read_table(text.encode(), "t.csv").columns == columns


@pytest.mark.parametrize(
    ("said", "columns", "n_rows"),
    [
        (None, ("a", "b", "label"), 4),
        (0, ("column 1", "column 2", "column 3"), 5),
        (2, ("a 1.5", "b 2", "label x"), 3),
    ],
)
def test_how_many_rows_hold_names_can_be_said(said, columns, n_rows):
    data = written(book_of(["a", "b", "label"], *ROWS).save)
    table = read_table(data, "t.xlsx", ReadOptions(header_lines=said))
    assert (table.columns, len(table.rows)) == (columns, n_rows)


def test_the_sheet_that_looks_like_a_table_is_read_first():
    book = book_of(["Remarks"], ["see below"], ["Contact", "us"], ["Version", "3"])
    book.active.title = "About"
    codes = book.create_sheet("Codes")
    for row in (["code", "text"], ["x", "one"], ["y", "two"]):
        codes.append(row)
    data = book.create_sheet("2024")
    for row in (["a", "b", "label"], *ROWS * 5):
        data.append(row)
    table = read_table(written(book.save), "t.xlsx")
    assert (table.sheet, len(table.rows)) == ("2024", 20)
    assert table.sheets == ("About", "Codes", "2024")
    assert read_table(written(book.save), "t.xlsx", sheet="Codes").columns == ("code", "text")
    with pytest.raises(DataError, match="no sheet 'three'"):
        read_table(written(book.save), "t.xlsx", sheet="three")


def test_a_sheet_called_data_is_read_before_a_regular_list():
    book = openpyxl.Workbook()
    for title in ("plan", "Data"):
        sheet = book.active if title == "plan" else book.create_sheet(title)
        for row in [("a", "b", "c"), *((k, k * k, f"{title} {k % 3}") for k in range(60))]:
            sheet.append(row)
    assert read_table(written(book.save), "t.xlsx").sheet == "Data"


def test_the_first_of_equal_sheets_is_read():
    book = book_of(["a", "b", "label"], *ROWS)
    other = book.create_sheet("second")
    for row in (["a", "b", "label"], *ROWS * 2):
        other.append(row)
    assert read_table(written(book.save), "t.xlsx").sheet == "Sheet"


def test_gaps_do_not_put_a_sheet_of_measurements_behind_the_list_of_its_variables():
    cells = [
        [(k % 2 and "u") or "v", *(None if (j + k) % (3 + k % 4) == 0 else j * k for j in range(30))] for k in range(40)
    ]
    book = book_of(["class", *(f"m{j}" for j in range(30))], *cells)
    variables = book.create_sheet("Variables")
    for row in (["number", "name", "missing"], *([j, f"m{j}", j / 100] for j in range(40))):
        variables.append(row)
    assert read_table(written(book.save), "t.xlsx").sheet == "Sheet"


def test_years_below_two_rows_of_merged_headings_are_names():
    heads = [
        ["occupation", "employment", None, None, None, "change", None],
        [None, "number", None, "share", None, None, None],
        [None, 2010, 2020, 2010, 2020, "number", "percent"],
    ]
    rows = [[f"job {k}", 14.5 * k, 16.5 * k, 0.1 * k, 0.2 * k, 2.5 * k, k % 3] for k in range(1, 30)]
    book = book_of(["Table 1.2 Employment by occupation", *[None] * 6], *heads, *rows)
    for cells in ("A1:G1", "A2:A4", "B2:E2", "B3:C3", "D3:E3", "F2:G3"):
        book.active.merge_cells(cells)
    table = read_table(written(book.save), "t.xlsx")
    numbers = ("employment number 2010", "employment number 2020", "employment share 2010", "employment share 2020")
    assert table.columns == ("occupation", *numbers, "change number", "change percent")
    assert table.n_rows == len(rows)


def test_times_of_more_than_a_day_go_on():
    book = book_of(
        ["time", "a", "label"], *([datetime.timedelta(hours=12.5 * k), *row[1:]] for k, row in enumerate(ROWS))
    )
    assert [row[0] for row in read_table(written(book.save), "t.xlsx").rows] == [
        "00:00:00",
        "12:30:00",
        "25:00:00",
        "37:30:00",
    ]


@pytest.mark.parametrize(
    ("row", "column", "words"), [(3, 9_000, "at MHD3, far to the right"), (900_000, 1, "at A900000, far below")]
)
def test_a_stray_cell_far_from_the_others_is_named(row, column, words):
    book = book_of(["a", "b", "label"], *ROWS)
    book.active.cell(row, column, "stray")
    with pytest.raises(DataError, match=words):
        read_table(written(book.save), "t.xlsx")


def test_a_formatted_cell_far_from_the_others_is_none():
    cells = "".join(
        f'<row r="{r}"><c r="A{r}"><v>{r}</v></c><c r="B{r}" t="str"><v>{"pq"[r % 2]}</v></c></row>'
        for r in range(1, 9)
    )
    far = '<row r="900000"><c r="D900000" s="0"/></row>'
    assert read_table(with_sheet(cells + far), "t.xlsx").n_rows == 8
    with pytest.raises(DataError, match="at D900000, far below"):
        read_table(with_sheet(cells + far.replace('s="0"/>', "><v>1</v></c>")), "t.xlsx")


def test_an_old_workbook_is_read_in_the_child():
    table = read_table(xls([["a", "b", "label"], *ROWS]), "t.xls")
    assert (table.columns, table.sheet) == (("a", "b", "label"), "one")
    assert table.rows == [tuple(str(cell) if k != 1 else str(int(cell)) for k, cell in enumerate(row)) for row in ROWS]
    with pytest.raises(DataError, match="damaged"):
        read_table(xls(ROWS)[:700], "t.xls")


def test_cells_beyond_the_size_that_a_sheet_declares_are_read():
    book = io.BytesIO()
    old = zipfile.ZipFile(io.BytesIO(written(book_of(["a", "b", "label"], *ROWS).save)))
    with zipfile.ZipFile(book, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'<dimension ref="A1:C5"', b'<dimension ref="A1"'))
    table = read_table(book.getvalue(), "t.xlsx")
    assert table.columns == ("a", "b", "label")
    assert table.n_rows == 4


def test_a_workbook_of_excel_2_is_read():
    """Records of a kind, a length and content: words (4) and whole numbers (2) at a row and a column."""

    def record(kind, content):
        return struct.pack("<HH", kind, len(content)) + content

    def cell(row, column, value):
        place = struct.pack("<HH3x", row, column)
        if isinstance(value, int):
            return record(2, place + struct.pack("<H", value))
        return record(4, place + bytes([len(value)]) + value.encode())

    rows = [("a", "b", "kind"), *((k, k * k, "xy"[k % 2]) for k in range(8))]
    cells = [cell(k, j, value) for k, row in enumerate(rows) for j, value in enumerate(row)]
    table = read_table(record(9, b"\x02\x00\x10\x00") + b"".join(cells) + record(10, b""), "t.xls")
    assert (table.columns, table.n_rows, table.rows[3]) == (("a", "b", "kind"), 8, ("3", "9", "y"))


def test_of_tables_below_each_other_on_a_sheet_the_largest_is_read():
    kinds = [f"{'xyz'[k % 3]}{' 3' if k % 2 else ''}" + '" pipe' * (k % 3 == 0) for k in range(20)]  # seven quotes
    cells = [[k * k % 7 / 4, k * k % 5, kind, k] for k, kind in enumerate(kinds)]
    book = book_of(
        ["Run", "A7"], ["Gain", 3], [], ["a", "b", "label", "d"], *cells, [], ["well", "rate", "fit", "lag", "e"]
    )
    for k in range(8):
        book.active.append([f"A{k}", 0.5 + k * k % 3, 0.9, k, 2 * k])
    table = read_table(written(book.save), "t.xlsx")
    assert (table.columns[:4], table.n_rows) == (("a", "b", "label", "d"), 20)
    assert table.line_numbers.tolist() == list(range(5, 25))
    assert table.row(18)[2] == 'x" pipe'
    assert table.others == ("1 other table begins on line 26; the one from line 4 on was read.",)
    assert table.notes == ("2 lines above the names were left out, from 'Run A7' on.",)
    said = read_table(written(book.save), "t.xlsx", ReadOptions(header_lines=0))
    assert said.row(0)[0] == "Run"


def test_a_block_beside_the_table_with_rows_of_its_own_is_left_out_and_said():
    rows = [[k, k * 1.5, "xy"[k % 2]] for k in range(20)]
    beside = [[None, "codes"], *([None, k] for k in range(8))]
    names = ["n", "size", "label"]
    book = book_of(*([*row, *more] for row, more in zip([names, *rows], [*beside, *[[]] * 12], strict=True)))
    table = read_table(written(book.save), "t.xlsx")
    assert (table.columns, table.n_rows) == (("n", "size", "label"), 20)
    said = "1 column beside the table, from column 5 on, was left out, as a table of its own (the first cell: 'codes')."
    assert table.others == (said,)
    assert f"{said} To use another, save it as a file of its own." in apply(propose(table)).costs
    whole = book_of([*names, None, "weight"], *([*row, None, k] for k, row in enumerate(rows)))
    assert read_table(written(whole.save), "t.xlsx").columns[-1] == "weight"  # a blank column among those of the table
    left = [
        [*more, *[None] * (2 - len(more)), *row]
        for row, more in zip([names, *rows], [["codes"], *[[k] for k in range(8)], *[[]] * 12], strict=True)
    ]
    assert read_table(written(book_of(*left).save), "t.xlsx").columns == ("n", "size", "label")
    named = book_of([*names, None, "tin", None, "lead"], [*rows[0], None, None, None, 7], *rows[1:])
    assert read_table(written(named.save), "t.xlsx").columns[-3:] == ("tin", "column 6", "lead")  # hardly any cells
    small = book_of([*names, None, "codes"], *([*row, None, k] for k, row in enumerate(rows[:2])), *rows[2:])
    assert read_table(written(small.save), "t.xlsx").columns == ("n", "size", "label")  # two cells below a name
    seldom = book_of([*names, None, "again"], *([*row, None, k if k % 3 else None] for k, row in enumerate(rows)))
    assert read_table(written(seldom.save), "t.xlsx").columns[-1] == "again"  # of some of the rows, all over
    below = [[*row, None, k if k > 14 else None] for k, row in enumerate([*rows, *[[None] * 3] * 4])]
    table = read_table(written(book_of(names, *below).save), "t.xlsx")
    assert (table.columns[-1], table.n_rows) == ("label", 20)


def test_a_sheet_of_a_few_rows_is_not_read_before_a_longer_one():
    few = [["museum", "town", "size", "year"], *([f"m{k}", f"t{k}", k * 7, 1900 + k] for k in range(5))]
    many = [["painting", "genre", "height", "width"], *([f"p{k}", "uv"[k % 2], k * k % 91, k] for k in range(40))]
    table = read_table(workbook(museums=few, paintings=many), "t.xlsx")
    assert table.sheet == "paintings"
    few += [[f"n{k}", f"t{k}", k * 7, 1900 + k] for k in range(7)]
    assert read_table(workbook(museums=few, paintings=many), "t.xlsx").sheet == "museums"


def test_a_far_longer_or_wider_sheet_is_read_in_place_of_one_before_it():
    def plate(n_rows, n_columns):
        names = ["cycle", *(f"w{k}" for k in range(n_columns))]
        return [names, *([j, *(f"{j * k % 9}.5" for k in range(n_columns))] for j in range(n_rows))]

    assert read_table(workbook(log=plate(40, 3), wells=plate(40, 48)), "t.xlsx").sheet == "wells"
    assert read_table(workbook(log=plate(40, 3), wells=plate(40, 12)), "t.xlsx").sheet == "log"
    assert read_table(workbook(mean=plate(14, 3), each=plate(300, 3)), "t.xlsx").sheet == "each"


def test_sheets_whose_names_are_parted_otherwise_are_alike():
    north = [["plot number", "growth", "height"], *([f"p{j}", j, j * j] for j in range(9))]
    south = [["Plot", "number growth", "height"], *([f"p{j}", j, j * j] for j in range(9))]
    assert read_table(workbook(north=north, south=south), "t.xlsx").alike == ("north", "south")
    south[0][2] = "weight"
    assert read_table(workbook(north=north, south=south), "t.xlsx").alike == ("north",)


def test_the_same_units_below_other_names_make_no_sheets_alike():
    def table(*names):
        head = [["Table"], ["part", *names], ["", "in 1000", "in %", "in 1000", "in %"]]
        return [*head, *([f"p{k}", k, k * k % 7, k + 3, k % 5] for k in range(12))]

    men, women = table("men", "", "women", ""), table("young", "", "old", "")
    assert read_table(workbook(a=men, b=women), "t.xlsx").alike == ("a",)
    assert read_table(workbook(a=men, b=men), "t.xlsx").alike == ("a", "b")


def test_sheets_whose_names_begin_a_column_later_are_not_joined():
    def sheet(ahead, place):
        names = [
            [*ahead[:-1], "", *["ICP"] * 6],
            [*ahead[:-1], "", *("Ag", "Al", "As", "B", "Ba", "Be")],
            [*ahead, *["ppm"] * 6],
        ]
        return [*names, *([f"{place} {k}", *[k] * (len(ahead) - 1), *(k * j % 7 for j in range(6))] for k in range(9))]

    dung = sheet(["sample"], "d")
    sites = {name: sheet(["id", word], name) for name, word in (("harappa", "context"), ("kanmer", "Context"))}
    sites = {name: [["", *row[1:]] if k < 2 else row for k, row in enumerate(rows)] for name, rows in sites.items()}
    table = read_table(workbook(dung=dung, **sites), "t.xlsx", sheet="kanmer")
    assert table.alike == ("harappa", "kanmer")
    joined = read_table(workbook(**sites), "t.xlsx", ReadOptions(all_sheets=True))
    assert joined.n_rows == 18
    assert joined.columns[2].endswith("Ag ppm")


def test_lines_of_names_without_merged_cells_are_no_crash():
    names = [
        ["Trait", "", "", "All", "Last year"],
        ["", "", "", "", "yes", "", "no"],
        ["", "", "", "n", "n", "%", "n", "%"],
    ]
    rows = [[f"group {k}", "", "", k * 3, k, k * 2 % 7, k % 5, k % 9] for k in range(30)]
    table = read_table(workbook(a=[["Title"], [], *names, *rows]), "t.xlsx")
    assert (table.n_rows, table.columns[4]) == (30, "Last year yes n")


def test_a_sheet_of_results_below_a_preamble_is_read_before_longer_ones():
    raw = [["Well", "Cycle", "x1"], *([f"A{k % 8 + 1}", k, k * k % 97] for k in range(400))]
    setup = [[f"setting {k}", f"value {k}"] for k in range(34)]
    results = [*setup, ["Well", "Target", "CT"], *([f"A{k % 8 + 1}", "uvw"[k % 3], 20.5 + k] for k in range(40))]
    assert read_table(workbook(**{"Raw Data": raw, "Results": results}), "t.xlsx").sheet == "Results"
