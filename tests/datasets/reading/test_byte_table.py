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


@pytest.mark.parametrize(
    ("listed", "names"),
    [
        (["Field1  :  Time (sec)", "Field2  :  Depth (m)", "Field3  :  Speed"], ("Time (sec)", "Depth (m)", "Speed")),
        (["# name 0 = t: hours", "# name 1 = d", "# name 2 = v", "# span 0 = 1, 5"], ("t: hours", "d", "v")),
        (["Column 1: time of a day", "Column 2: depth in m"], None),  # fewer than the columns
        (["Coeff 1 : 0.5", "Coeff 2 : 6.472", "Coeff 3 : 0.0"], None),  # numbers
        (["Site 1: on A", "Site 2: on B", "Site 3: on A"], None),
        (["Site 1: on A", "Site 2: on B", "Site 4: on C"], None),
    ],
)
def test_a_numbered_list_above_the_rows_names_their_columns(listed, names):
    rows = [f"0.{k}\t{k}.25\t{k * k % 7}" for k in range(9)]
    table = read_table("\n".join(["// Fields of a sounding", *listed, "// Data", *rows]).encode(), "t.edf")
    assert table.columns == (names or ("column 1", "column 2", "column 3"))
    assert any(note.startswith(f"{len(listed) + 2} lines above the rows were left out") for note in table.notes)
    assert table.n_rows == 9
    named = read_table("\n".join([*listed, "t\td\tv", *rows]).encode(), "t.edf")
    assert named.columns == ("t", "d", "v")


def test_the_head_of_a_cast_names_its_columns():
    """As Sea-Bird writes it."""
    names = ("scan: Scan Count", "prDM: Pressure [db]", "t090C: Temperature, 2 [deg C]")
    head = ["* Sea-Bird SBE 9", *(f"# name {k} = {name}" for k, name in enumerate(names)), "# span 0 = 1, 5"]
    head += ["# bad_flag = -9.99e-29", "# <a>1</a>", "*END*"]
    rows = [f"{k + 11:11}{-9.99e-29 if k == 4 else k / 4:11.4}{k * k % 97:11.4e}" for k in range(20)]
    table = read_table("\r\n".join([*head, *rows, ""]).encode(), "t.cnv")
    assert (table.columns, table.n_rows, table.column(names[1])[4]) == (names, 20, "")
    assert (table.row(3), table.line_numbers[3]) == (("14", "0.75", "9.0000e+00"), 12)
    short = read_table("\n".join([*head, *rows, "1 2", ""]).encode(), "t.cnv")
    assert not any("cast" in note for note in short.notes)


@pytest.mark.parametrize(("number", "are_names"), [("3", True), ("3 1 1", True), ("4", False)])
def test_names_on_a_line_each_below_their_number_are_those_of_geo_eas(number, are_names):
    rows = [f"{193 + k}.5 {k * k % 97} {4 + k // 9}" for k in range(27)]
    table = read("samples of a mine", number, "x", "Cu grade", "unit", *rows)
    assert table.columns == (("x", "Cu grade", "unit") if are_names else ("column 1", "column 2", "column 3"))
    assert table.n_rows == 27


WELL = [
    "# exported",
    "~Version Information",
    " VERS.   2.0 : CWLS LOG ASCII STANDARD",
    "~Well",
    " NULL.   -999.25 : ",
    "~Curve Information",
    "# name of the curve",
    " DEPT.M  : depth",
    " GAMMA RAY.GAPI : ",
    " LITH.   : class of rock",
]


def test_the_curves_of_a_well():
    rows = [f" {1670 + k}.5  {-999.2500 if k % 4 == 0 else k * 7 % 50:.4f} {k // 5}" for k in range(15)]
    table = read(*WELL, "~ASCII  DEPT  GR  LITH", *rows)
    assert table.columns == ("DEPT", "GAMMA RAY", "LITH")
    assert [table.row(k) for k in (0, 1)] == [("1670.5", "", "0"), ("1671.5", "7.0000", "0")]
    assert (table.n_rows, table.line_numbers[0]) == (15, 12)
    assert "11 lines above the names were left out, from '# exported' on." in table.notes
    assert read(*WELL, "~A", *rows).columns == table.columns
    # With rows on several lines it is no table that can be read so.
    wrapped = [line for row in rows for line in (row[:10], row[10:])]
    assert not any("curves" in note for note in read(*WELL, "~A", *wrapped).notes)


def test_names_between_bars_cut_the_rows_below_them():
    """As IPAC writes it: types, units and what stands for a gap may follow."""
    head = [
        "\\fixlen = T",
        "\\ host ___ a star",
        "|  host|  mag|kind |",
        "|  char| real|char |",
        "|      |  mag|     |",
    ]
    head += ["|      | null| null|"]
    rows = [f"  GJ {k:2d}  {k}.25 {'ab'[k % 2]}" for k in range(10)]
    rows[3] = "  GJ  3  null b  "
    table = read(*head, *rows, "")
    assert table.columns == ("host", "mag", "kind")
    assert [table.row(k) for k in (0, 3)] == [("GJ  0", "0.25", "a"), ("GJ  3", "", "b")]
    assert table.line_numbers[0] == 7
    assert read(*head[:3], *rows, "").columns == ("host", "mag", "kind")
    between_bars = [f"| GJ {k:2d}| {k}.25| {'ab'[k % 2]}|" for k in range(10)]
    assert read(head[2], *between_bars).row(0) == ("GJ  0", "0.25", "a")  # a table with bars in its rows
    assert "Columns are cut where bars" not in " ".join(read(*head[:3], *rows, "  GJ 1|  0.5 a  ").notes)
    moved = read(*head[:3], head[3].replace("| real", " |real"), *rows)
    assert "Columns are cut where bars stand between their names." not in moved.notes
