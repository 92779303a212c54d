"""Titles, "sep=;" and the row names of R, as programs put them above and beside the names of columns."""

import pytest

from datasets.base.errors import DataError
from datasets.columns import build_dataset
from datasets.proposals import propose
from datasets.reading import ReadOptions, read_table
from datasets.reading.place import place_of
from tests.datasets.planned import column_plan

ROWS = [["1.5", "2", "x"], ["2.5", "7", "y"], ["3.5", "1", "x"], ["4.5", "8", "y"]]


def read(text, **options):
    return read_table(text.encode(), "t.csv", ReadOptions(**options))


def lines(*above, rows=ROWS, separator=","):
    return "\n".join([*above, *(separator.join(row) for row in rows)]) + "\n"


def test_sep_is_taken_at_its_word_and_lines_keep_their_numbers():
    table = read("sep=;\r\n" + lines("a;b;label", separator=";").replace("\n", "\r\n"))
    assert table.columns == ("a", "b", "label")
    assert table.rows[0] == ("1.5", "2", "x")
    assert table.line_numbers.tolist() == [3, 4, 5, 6]
    assert table.detected.line_end == "CRLF"


@pytest.mark.parametrize(
    ("text", "first_line", "note"),
    [
        (lines("Report of 3.4.2024", "", "a,b,label"), 4, "The title 'Report of 3.4.2024' above the names"),
        (lines("Report,,", "made by us,,", "a,b,label"), 4, "2 lines above the names were left out, from 'Report' on."),
        (lines("Report", "a;b;label", separator=";"), 3, "The title 'Report'"),
        (lines(",Report,", ",,made by us", "a,b,label"), 4, "2 lines above the names were left out, from 'Report' on."),
    ],
)
def test_titles_above_the_names_are_left_out_and_said(text, first_line, note):
    table = read(text)
    assert table.columns == ("a", "b", "label")
    assert len(table.rows) == 4
    assert table.line_numbers[0] == first_line
    assert any(sentence.startswith(note) for sentence in table.notes)


def test_rows_without_any_value_are_counted_but_for_those_above_and_below_the_table():
    text = ",,\na,b,label\n,,\n1,2,u\n\n , ,\n3,4,v\n,,\n"
    table = read_table(text.encode(), "t.csv")
    assert table.n_rows == 2
    assert table.notes == ("2 rows without any value were left out (lines 3, 6).",)


def test_names_one_short_name_the_first_columns_where_the_first_cells_repeat():
    """Names of rows, as R writes them, are all different."""
    rows = [f"{3.9 + k % 4} {k * 1.5} 0" for k in range(9)]
    table = read_table("\n".join(["Depth Salinity", *rows]).encode(), "t.cnv")
    assert table.columns == ("Depth", "Salinity", "column 3")
    assert "The last column has no name." in table.notes


@pytest.mark.parametrize(("n_above", "left_out"), [(7, True), (4, False)])
def test_a_row_below_a_line_drawn_at_the_end_sums_up_those_above(n_above, left_out):
    rows = [f"{k} {k * 1.5} {k * 2}" for k in range(n_above)]
    drawn = "-----------"
    table = read_table("\n".join(["day rain wind", drawn, *rows, drawn, "3 4.5 6"]).encode(), "t.txt")
    assert table.n_rows == n_above + (not left_out)
    assert any("below the last drawn line was left out (line 11:" in note for note in table.notes) == left_out


def test_a_line_with_one_filled_cell_is_a_title_though_the_row_below_begins_blank():
    body = [[f"0{k}", f"place {k}", *(f"{k}{year}.00" for year in range(4))] for k in range(1, 9)]
    table = read(lines("Towns;;;;;", "Source: a census;;;;;", ";;2020 (p);share;2017;2012", rows=body, separator=";"))
    assert table.columns == ("column 1", "column 2", "2020 (p)", "share", "2017", "2012")
    assert (table.n_rows, table.line_numbers[0]) == (8, 4)


def test_years_below_titles_are_names_and_so_is_the_name_of_the_row_names():
    titles = ["Measure - Rates", "Sex - All", ""]
    body = [[f"cause {k}", *(str(10.5 * k + year) for year in range(4))] for k in range(1, 8)]
    table = read(lines(*titles, "Year,1981,1982,1983,1984", "Cause,", rows=body))
    assert table.columns == ("Year Cause", "1981", "1982", "1983", "1984")
    assert (table.n_rows, table.line_numbers[0], table.short_lines) == (7, 6, ())
    body[3][1:] = [""] * 4  # a heading further down: then the first one is a heading as well
    assert read(lines("Cause,a,b,c,d", "All,", rows=body)).n_rows == 8


def test_years_below_a_title_are_names_though_a_group_of_rows_has_no_name():
    body = [[f"crop {k}", *(str(10.5 * k + year) for year in range(4))] for k in range(1, 12)]
    body[8][0] = ""
    body[9][2] = "see note 3"
    place = place_of([["", "Crops", "", "", ""], ["", "1900", "1910", "1920", "1930"], *body])
    assert (place.top, place.n_names) == (1, 1)


@pytest.mark.parametrize(("year", "top"), [("2015 *", 2), ("2015", 2), ("2015.5", 0)])
def test_falling_years_below_titles_are_names_though_a_footnote_tells_of_one(year, top):
    body = [["", f"fare {k}", *(str(k * k * 7 + 90 * j) for j in range(4))] for k in range(1, 9)]
    rows = [["City", *[""] * 5], ["Rides", *[""] * 5], ["", "fare", "2017", "2016", year, "2014"], *body]
    assert place_of(list(map(tuple, rows))).top == top


def test_sparse_titles_and_several_lines_of_names():
    body = [["1", f"item {k}", *(f"{k}{j}.5" for j in range(9))] for k in range(20)]
    titles = [",,Costs,,,,2011,,,,", ",,in Euro,,,,,,,,inhabitants", ",,,,,,,,,,"]
    names = [",," + ",".join(["province"] * 9), ",," + ",".join("ABCDEFGHI"), "NR.,item," + ",".join(["x"] * 9)]
    table = read(lines(*titles, *names, rows=body))
    assert table.n_rows == 20
    assert table.columns[:3] == ("NR.", "item", "province A x")


def test_remarks_between_the_names_and_the_rows_are_left_out_and_said():
    names = "\t".join(["Obs", "time", "Photo", "Cond", "Ci"])
    rows = [f"{k}\t{'on ' * (k % 3)}x\t0.{k}6\t{k * k % 7}.5\t{k % 5}" for k in range(10, 50)]
    remarks = [f"t{k} Lamp Off" for k in range(4)]
    table = read("\n".join(["OPEN 6.3.4", "Tue Aug 22", names, *remarks, *rows]))
    assert (table.columns[0], table.n_rows) == ("Obs", 40)
    assert "4 lines below the column names are not used as names, from 't0 Lamp Off' on." in table.notes


def test_names_above_a_long_footer():
    rows = [f"plan {k},{k}.5,{k * k % 7},{k % 5}" for k in range(12)]
    table = read("\n".join(["(All in thousands),,,", "type,2020,2021,2022", *rows, *["note,,,"] * 16]))
    assert table.columns == ("type", "2020", "2021", "2022")


@pytest.mark.parametrize(("n_numbers", "is_doubtful"), [(3, True), (4, False)])
def test_names_are_doubtful_where_a_quarter_of_the_columns_speaks_for_a_row(n_numbers, is_doubtful):
    rows = [",".join(["uv"[k % 2], *(f"{k}.{j}" for j in range(n_numbers))]) for k in range(30)]
    table = read("\n".join([",".join(["u", *"abcd"[:n_numbers]]), *rows]))
    assert table.columns[0] == "u"
    assert (table.other_header is not None) == is_doubtful


def test_a_name_that_ticked_boxes_below_it_repeat_speaks_for_no_row():
    boxes = "\n".join(f"{'Lack of time' if k % 3 else ''},{'Costs' if k % 5 else ''},{k}.5" for k in range(40))
    assert read(f"Lack of time,Costs,a\n{boxes}").other_header is None
    words = "\n".join(f"{['', 'u', 'v'][k % 3]},{k}.5,{k * k % 7}" for k in range(40))
    assert read(f"u,a,b\n{words}").other_header is not None


def test_names_on_three_lines_of_which_the_first_two_are_sparse():
    more = "  ".join("abcdef")
    rows = [
        f"{k:05d}  {k % 3:02d}     {k * k % 7:03d}      {'an item' if k % 3 else 'item':<9} {k:02d}.5  1  2  3  4  5  6"
        for k in range(20)
    ]
    names = ["       State  County", "       FIPS   FIPS", f"code   code   code     name      rate  {more}"]
    table = read("\n".join(["   A title above all of these", "", *names, "", *rows]) + "\n")
    assert table.columns == ("code", "State FIPS code", "County FIPS code", "name", "rate", *"abcdef")


def test_a_title_in_two_cells_above_few_numbers_heads_no_groups():
    words = [",".join("uvwxyz"[(k * k + j) % 6] for j in range(6)) for k in range(20)]
    rows = [f"item {k},{k}.5,{k * k % 7}.5,{k % 5},{words[k]}" for k in range(20)]
    table = read("\n".join([",Report on the rates,,,,,page 3 of them,,,", "name,a,b,c,d,e,f,g,h,i", *rows]))
    assert table.columns == ("name", *"abcdefghi")


def test_titles_of_two_columns_stand_above_words_and_numbers():
    body = [[f"place {k}", f"{k}.5"] for k in range(9)]
    assert read(lines("A figure of rates,", "from us,", "Area,Rate", rows=body)).columns == ("Area", "Rate")


PROSE = [
    "Study of the spring, 1990, by us",
    "File: spring.dat  (lines 9 to 20)",
    "y = 3.5 x + 2, about",
    "",
    "These are the data",
]


@pytest.mark.parametrize(
    ("separator", "names"), [("  ", ["y   x"]), ("  ", []), ("\t", ["y\tx"]), (";", ["y;x"]), (",", ["y,x"]), (",", [])]
)
def test_prose_above_numbers_does_not_hide_their_separator(separator, names):
    rows = [[f"{k * k}.5", f"{k}.25"] for k in range(1, 9)]
    table = read(lines(*PROSE, *names, rows=rows, separator=separator))
    assert (len(table.columns), table.n_rows, table.line_numbers[0]) == (2, 8, 6 + len(names))
    assert table.columns == ("y", "x") if names else table.columns[0] == "column 1"
    what = "names" if names else "rows"
    assert any(note.startswith(f"4 lines above the {what} were left out, from 'Study of") for note in table.notes)


@pytest.mark.parametrize(("n_prose", "n_columns"), [(400, 2), (600, 1)])
def test_prose_may_be_long_but_not_without_end(n_prose, n_columns):
    rows = [[f"{k * k}.5", f"{k}.25"] for k in range(1, 9)]
    table = read(lines(*[f"Note {k}, about the spring" for k in range(n_prose)], rows=rows, separator="\t"))
    assert (len(table.columns) == 2 and table.n_rows == 8) == (n_columns == 2)


def test_a_title_above_names_between_blanks():
    rows = [[f"p{k}", f"{k}.5", f"{k * k}"] for k in range(9)]
    table = read(lines("     Rain of the year 1990", "", "place jan feb", rows=rows, separator="   "))
    assert (table.columns, table.n_rows) == (("place", "jan", "feb"), 9)


def test_rows_with_a_cell_more_are_no_prose():
    rows = [[f"{k}.5", f"{k * k}", "1", ""][: 3 + (k < 9)] for k in range(40)]
    assert read(lines("a;b;c;", rows=rows, separator=";")).n_rows == 40


def test_lines_with_too_many_cells_are_no_prose():
    with pytest.raises(DataError, match="too long are also lines"):
        read(lines("a,b,label", "1,2,x,y", "3,4,x,y", "5,6,y,x", "6,6,y,x", rows=ROWS * 3))


@pytest.mark.parametrize(
    "rows",
    [
        [["a", ""], ["1", "x"], ["2", "y"], ["3", "x"]],  # of two columns, one has no name
        [["title", "", ""], ["1", "2", "x"], ["2", "3", "y"]],  # no names below it
        [["name", ""], ["a", "x"], ["b", "y"], ["c", "x"]],  # nor here
        [["a", "b", "c"], ["1", "2", "3"], ["4", "5", "6"]],
    ],
)
def test_what_is_no_title_stays(rows):
    assert place_of(rows).top == 0


def test_who_says_how_many_lines_hold_names_keeps_rows_of_full_width():
    assert read(lines("Report,,", "a,b,label"), header_lines=2).columns == ("Report a", "b", "label")


@pytest.mark.parametrize("separator", [" ", ",", "\t", ";"])
@pytest.mark.parametrize("name", ["{}", "r{}"])
def test_row_names_of_r_are_a_column_without_a_name_and_no_feature(separator, name):
    rows = [[f'"{name.format(k)}"', *row[:2], f'"{row[2]}"'] for k, row in enumerate(ROWS, start=1)]
    table = read(lines(separator.join(['"a"', '"b"', '"label"']), rows=rows, separator=separator))
    assert table.columns == ("column 1", "a", "b", "label")
    assert table.rows[1] == (name.format(2), "2.5", "7", "y")
    assert "There is one name fewer than cells in each row" in " ".join(table.notes)
    assert build_dataset(table, column_plan(table)).feature_names == ("a", "b")


@pytest.mark.parametrize(
    ("name", "code", "votes", "is_shifted"),
    [
        ("voter_id", "A{}", 3, False),
        ("votes", "A{}", 3, True),  # names no identifier
        ("voter_id", "{}", 3, True),  # counted by R
        ("voter_id", "A{}", 9, True),  # the second cells could be the identifier
    ],
)
def test_an_identifier_named_first_is_no_row_name_without_a_name(name, code, votes, is_shifted):
    rows = [[code.format(k + 1), f"B{k % votes}", f"{k}.5", "xy"[k % 2]] for k in range(9)]
    table = read(lines(f"{name};vote;kind", rows=rows, separator=";"))
    assert table.columns == (("column 1", name, "vote", "kind") if is_shifted else (name, "vote", "kind", "column 4"))
    assert ("The last column has no name." in table.notes) != is_shifted


def test_a_decimal_comma_is_no_sign_of_row_names():
    with pytest.raises(DataError, match="line 2 has 2 columns, the first line has 1"):
        read("a;label\n1,5;x\n2,5;y\n3,5;x\n", separator=",")


def test_the_last_lines_say_how_many_cells_are_usual_and_short_rows_belong_to_their_table():
    prose = [f"Note {k}, about the spring" for k in range(60)]
    table = read(lines(*prose, "w,x,y,z", rows=[[f"{k}.5", f"{k}.25", f"{k}", "7"] for k in range(20)], separator=","))
    assert (table.columns, table.n_rows) == (("w", "x", "y", "z"), 20)
    rows = [[f"{k * k}.5", f"{k}.25", f"{k % 3}", "7"][: 3 if k % 2 else 4] for k in range(1, 20)]
    table = read(lines(*PROSE, "w,x,y,z", rows=rows, separator=","))
    assert (table.columns, table.n_rows) == (("w", "x", "y", "z"), 19)


WORDS = [(f"{a} {b}", str(7 * k % 13)) for k, (a, b) in enumerate(zip("abcdefghijkl", "mnopqrstuvwx", strict=True))]
WIDE = [(f"t{a} thing", *(str(k * j % 7) for j in range(2, 5))) for k, a in enumerate("abcdefghijklmnopqrst")]
SPARSE = [(name, *(cell if (k + j) % 3 else "" for j, cell in enumerate(row))) for k, (name, *row) in enumerate(WIDE)]
FALLING = [(name, *sorted(cells, reverse=True)) for name, *cells in WIDE]
EVENTS = [("bot:", "2025/03/12", f"01:1{k // 4}:2{k // 4}", "on" if k % 2 else "off") for k in range(20)]
YEARS = [(name, a, str(2000 + k), str(2001 + k)) for k, (name, a, *_) in enumerate(WIDE)]
LINES = [("town", "people", "people", "work"), ("of", "men", "women", "hours"), ("the", "young", "old", "a week")]


@pytest.mark.parametrize(
    ("rows", "top", "first"),
    [
        ([("name", "value"), ("soft bed", "1"), ("hard rock", "low"), *WORDS], 0, 1),  # one column is no witness
        ([("name", "a", "b", "c"), ("soft thing", "low", "", ""), *SPARSE], 0, 1),  # gaps in columns full of gaps
        ([("Rocks", "", "", ""), ("name", "a", "b", "c"), ("Group", "", "", ""), ("Part", "", "", ""), *WIDE], 1, 2),
        ([("first thing", "1.5", "2.5", "3.5"), *FALLING], 0, 0),  # three numbers that increase by chance
        ([*LINES, ("north", "in %", "in %", "mean"), *WIDE], 0, 4),
        ([("Area", "Census", "Sum", "Sum"), ("", "base", "2010", "2011"), *WIDE], 0, 2),  # years beside a word
        ([("Area", "Census", "Sum", "Sum"), ("", "base", "2010", "2011"), *YEARS], 0, 1),  # as they stand below
        (
            [("", "all", "by age", ""), ("town", "", "young", "old"), *WIDE],
            0,
            2,
        ),  # names what the row below leaves blank
        ([("bot:", "2025/03/12", "01:15:04", "Begins"), *EVENTS], 0, 0),  # a time above times
    ],
)
def test_where_a_table_begins(rows, top, first):
    place = place_of(rows)
    assert (place.top, place.first) == (top, first)


@pytest.mark.parametrize("n_sums", [0, 3])
def test_many_rows_of_properties_below_the_names_are_left_out(n_sums):
    series = [[f"Series {j}", "Monthly", f"S{j * 7}", "RMB bn", "Active", "NBS", f"0{j + 1}/2000"] for j in range(4)]
    keys = ["", "Frequency", "Code", "Unit", "Status", "Source", "First Obs. Date"]
    above = [",".join(cells) for cells in zip(keys, *series, strict=True)]
    sums = [f"Sum {k},{k}.5,{k + 1}.5,2.5,3.5" for k in range(n_sums)]
    data = [f"{m:02d}/{year},{m}.5,{year % 7}.1,{m * year % 5},3" for year in range(2000, 2004) for m in range(1, 13)]
    table = read("\n".join([*above, *sums, *data]))
    assert (table.columns, table.n_rows) == (("column 1", "Series 0", "Series 1", "Series 2", "Series 3"), len(data))
    assert f"{6 + n_sums} lines below the column names are not used as names, from 'Frequency' on." in table.notes


def test_footnotes_of_two_cells_below_a_wide_table_do_not_tell_its_width():
    above = ['"Labour force, monthly"', "", f"Geography,Canada{',' * 59}", f"Gender,Men{',' * 29},Women{',' * 29}"]
    above += ["Series," + ",".join(f"Month {j % 20}" for j in range(60))]
    rows = [f"series {k}," + ",".join(str((k * j) % 13) for j in range(60)) for k in range(15)]
    notes = [f'{k},"on the figures of {k}, and more"' for k in range(1, 13)]
    table = read_table("\n".join([*above, *rows, "", "Footnotes:", *notes, "How to cite: this"]).encode(), "t.csv")
    assert len(table.columns) == 61
    assert [row[1] for row in table.rows if row[0] == "series 3"] == ["0"]


def test_a_few_wide_lines_above_a_table_of_two_columns_do_not_tell_its_width():
    above = [f"set {k}," + ",".join(f"on{j}" for j in range(7)) for k in range(15)]
    place = place_of([tuple(line.split(",")) for line in [*above, *(f"{k},{k * k % 7}" for k in range(40))]])
    assert place.width == 2


def test_a_heading_below_the_names_heads_rows_where_others_further_down_do():
    text = "name,size,kind\nNorth,,\na,1,u\nb,2,v\nSouth,,\nc,3,u\nd,4,v\ne,5,u"
    found = read(text)
    assert (found.columns, found.row(0)) == (("name", "size", "kind"), ("North", "", ""))
    alone = read(text.replace("South,,\n", ""))
    assert alone.columns == ("name North", "size", "kind")


def test_names_that_come_again_are_the_names_above_the_few_rows_before_them():
    names = "time,cpu,disk,net"
    groups = [
        f"{names}\n" + "\n".join(f"{k}:0{j},{j},2.{k},{k * j}" for j in range(n)) for k, n in enumerate((2, 9, 9))
    ]
    found = read("\n".join(["run one,,,", *groups]))
    assert (found.columns, found.row(0)) == (tuple(names.split(",")), ("0:00", "0", "2.0", "0"))
    assert [row for row in found.rows if row[0] == "time"] == [tuple(names.split(","))] * 2


def satellites(last=12, n_times=4):
    """As a sketch for a receiver prints them: its names, and a line below these, come again after some rows."""
    names = [*range(1, 12), last]
    head = ["Time    " + "".join(f"{name:>4}" for name in names), "-" * 56]
    rows = [
        f"{k:02d}:15:01" + "".join(f"{'' if (k + j) % 5 > 1 else k * j % 41:>4}" for j in range(12))
        for k in range(7 * n_times + 3)
    ]
    groups = [head + rows[7 * k : 7 * k + 7] for k in range(n_times + 1)]
    return "\n".join(["Receiver.ino", "Shows satellites", "by me", "", *(line for group in groups for line in group)])


def test_numbers_that_count_up_behind_a_word_and_come_again_are_names():
    names = ("Time", *map(str, range(1, 13)))
    table = propose(read(satellites())).table
    assert (table.columns, table.n_rows) == (names, 31)
    assert table.row(30)[0] == "30:15:01"  # below the last of many lines
    assert propose(read(satellites(last=0))).table.columns != (*names[:-1], "0")


@pytest.mark.parametrize(("value", "names"), [("14:10:00", ("s", "low", "high")), ("7.5", ("s", "low", "high"))])
def test_a_key_and_its_value_above_the_names_are_no_part_of_them(value, names):
    rows = "".join(f"{3 * k},{k * k % 7}.5,{k % 3}.25\n" for k in range(20))
    assert read(f"Test,Start:,{value}\ns,low,high\n{rows}").columns == names


def test_words_behind_a_colon_above_the_names_go_with_them():
    rows = "".join(f"{3 * k},{k * k % 7}.5,{k % 3}.25\n" for k in range(20))
    assert read(f"Test,Gain:,signal\ns,low,high\n{rows}").columns == ("Test s", "Gain: low", "signal high")


@pytest.mark.parametrize(("n", "n_names"), [(6, 1), (5, 0)])
def test_a_row_that_numbers_six_columns_or_more_is_no_data(n, n_names):
    names = ",".join(["area", *(f"c{chr(97 + k)}" for k in range(n))])
    rows = "".join(f"p{j}," + ",".join(str((j * j + 3 * k) % 17) for k in range(n)) + "\n" for j in range(20))
    table = read(f"{names}\n," + ",".join(map(str, range(1, n + 1))) + f"\n{rows}")
    assert table.n_rows == 20 + (not n_names)


def test_numbers_above_pairs_of_columns_are_names():
    rows = "".join(
        f"i{k},{'qd'[k % 2]},{200 + k % 3},{202 + k % 4},{311},{313 + k % 2},{98 + k % 5},{98}\n" for k in range(30)
    )
    table = read(f"3,30,2,,,,,\n,,,,,,,\nInd,Pop,1203, ,631, ,804,\n{rows}")
    assert (table.columns[:5], table.n_rows) == (("Ind", "Pop", "1203", "column 4", "631"), 30)


def test_two_numbers_with_blanks_behind_them_are_a_row_with_gaps():
    rows = [f"{'qd'[k % 2]},{200 + k % 3},{202 + k % 4},{311 + k % 5},{313 + k % 2}" for k in range(29)]
    assert read("\n".join(["q,204,,315,", *rows, ""])).n_rows == 30


def test_numbers_with_blanks_behind_them_in_all_rows_are_data():
    rows = [f"i{k},{200 + k % 3},,{311 + k % 5},,{98 + k % 4}," for k in range(30)]
    assert read("\n".join(["Ind,L,,M,,N,", *rows, ""])).n_rows == 30
    assert read("\n".join([*rows, ""])).n_rows == 30


@pytest.mark.parametrize("rule", ["---\t---\t---", "#---\t---\t---"])
def test_a_line_drawn_below_the_names_is_no_part_of_them(rule):
    rows = "\n".join(f"{k / 7:.3f}\t{k}\t{'xy'[k % 2]}" for k in range(12))
    table = read_table(f"mass\tn\tkind\nkg\t\t\n{rule}\n{rows}\n".encode(), "t.tsv")
    assert (table.columns, table.n_rows) == (("mass kg", "n", "kind"), 12)


@pytest.mark.parametrize(("first", "heads"), [("number", True), ("", False)])
def test_a_lone_cell_below_two_lines_of_names_heads_the_rows(first, heads):
    names = [f"{first},name,age,kind", f"{first and 'in the book'},as written,in years,of illness", "MEN,,,"]
    rows = [f"{k},name {k},{20 + k * 7 % 31},{'xy'[k % 2]}" for k in range(1, 40)]
    table = read_table("\n".join([*names, *rows]).encode(), "t.csv")
    assert table.columns[0].endswith("MEN") != heads
    assert table.n_rows == 39 + heads


def licor(n_remarks=5, n=30):
    """An export of a device for gas exchange: names, what they are, and remarks of two cells before the rows."""
    names = ["Obs", "Photo", "Cond", "Ci", "Area", "Tair", "Tleaf", "Flow", "Kind"]
    remarks = [f'Remark=,"""08:1{k}:09 Flow: Fixed"",\n"' + "," * 7 for k in range(n_remarks)]
    rows = [f"{k},{k * 3 % 7}.5,0.{k},{k * k % 11}.1,6,2{k % 5}.5,{k}.25,40{k % 3}.5,{'uv'[k % 2]}" for k in range(n)]
    lines = ["OPEN 6.3" + "," * 8, ",".join(names), "in,out,out,out,in,in,in,in,in", *remarks, *rows]
    return read_table("\n".join(lines).encode(), "t.csv"), names


def test_remarks_of_two_cells_stand_between_names_and_rows():
    table, names = licor()
    assert (list(table.columns), table.n_rows) == (names, 30)
    assert "6 lines below the column names are not used as names, from 'in' on." in table.notes


def test_a_row_that_numbers_the_columns_behind_a_word_is_no_data():
    names = ["region", *(f"{word} {k}" for word in ("births", "deaths") for k in range(6))]
    rows = [",".join([f"town {k}", *(str((k + 2) * (j + 3) % 97) for j in range(12))]) for k in range(20)]
    lines = [",".join(names), "code," + ",".join(map(str, range(1, 13))), *rows]
    assert read_table("\n".join(lines).encode(), "t.csv").n_rows == 20
    lines[1] = "code," + ",".join(map(str, range(2, 14)))
    assert read_table("\n".join(lines).encode(), "t.csv").n_rows == 21


@pytest.mark.parametrize(
    ("first", "names"), [("id", ("id", "words", "length")), ("", ("name: type: scale: unit:", "column 2", "column 3"))]
)
def test_names_of_all_columns_stand_above_what_is_said_of_some(first, names):
    keys = ("question:", "name:", "type:", "scale:", "unit:")
    said = [f"{key},,," + ",".join(f"{key[0]}{k} of this" for k in range(6)) for key in keys]
    rows = [f"{k},w{k * k % 7},{k % 4}," + ",".join(f"{k * j % 5}.5" for j in range(6)) for k in range(40)]
    lines = [f"{first},words,length,1,2,3,4,5,6", *said, *rows]
    table = read_table("\n".join(lines).encode(), "t.csv")
    assert (table.n_rows, table.columns[:3]) == (40, names)


STATION = "Adam 44.08 27.96 158.0 0.00 0.05 'Meter five'"
HOURS = [f"2024/12/2{k} {k}:00 0.1{k} {'GDM'[k % 3]}{'o' * (k * k % 3)} M" for k in range(1, 10)]


@pytest.mark.parametrize("above", [[STATION], ["Adam"], ["Adam", "44.08 27.96"], [STATION, "Adam"]])
def test_lines_of_many_more_or_fewer_words_than_the_rows_between_blanks_are_left_out(above):
    table = read("\n".join([*above, *HOURS]))
    assert table.rows[0] == ("2024/12/21", "1:00", "0.11", "Do", "M")
    assert table.n_rows == 9
    assert read("\n".join([STATION] * 3 + HOURS)).line_numbers[0] == 4


def test_many_lines_above_notes_of_equally_many_words_are_rows():
    table = read("\n".join(["a,b", *(f"{k},{k * k}" for k in range(4)), *(f"{k}. of the notes" for k in range(9))]))
    assert table.rows[:2] == [("0", "0"), ("1", "1")]


@pytest.mark.parametrize(
    ("names", "n_above"),
    [
        ("day        hour  wet in %  kind  at", 0),  # in the columns of the rows
        ("day hour wet in per cent kind at", 1),
    ],
)
def test_words_above_the_columns_of_fixed_widths_are_names(names, n_above):
    rows = [f"{day:10} {hour:>5}  {wet:8}  {kind:4}  {m}" for day, hour, wet, kind, m in map(str.split, HOURS)]
    table = read("\n".join([names, *rows]))
    assert (table.n_rows, len(table.columns), table.columns[0]) == (9, 5, "column 1" if n_above else "day")


def test_a_line_above_rows_of_which_others_further_down_are_as_short_heads_these():
    assert read("\n".join(["North field", *HOURS, "South field", *HOURS])).line_numbers[0] == 1


@pytest.mark.parametrize(
    ("first", "n_names"),
    [
        ("id,19,22,36,28,44,49,35,40", 1),
        ("id,19,22,36,28,44,49,35,35", 0),  # the same twice
        ("id,19,22,36,28,44,49,35,40.5", 0),  # a measurement
        ("id,19,22,36,28,44,49,35", 0),  # few
    ],
)
def test_whole_numbers_above_decimals_are_names_beside_a_word_above_numbers_that_count(first, n_names):
    n = first.count(",")
    rows = [(str(k), *(f"{k * j % 7}.{k}" for j in range(n))) for k in range(1, 20)]
    assert place_of([tuple(first.split(",")), *rows]).n_names == n_names
    whole = [(str(k), *(f"{k * j % 7}" for j in range(n))) for k in range(1, 20)]
    assert place_of([tuple(first.split(",")), *whole]).n_names == 0
    words = [(f"w{k}", *row[1:]) for k, row in enumerate(rows)]
    assert place_of([tuple(first.split(",")), *words]).n_names == 0
    dates = [(f"2012-08-{k + 10}", *row[1:]) for k, row in enumerate(rows)]
    assert place_of([tuple(first.split(",")), *dates]).n_names == n_names


@pytest.mark.parametrize(("months", "n_names"), [("2024.05,2024.06,2024.07", 1), ("2024.05,2024.06,2024.13", 0)])
def test_months_beside_words_are_names(months, n_names):
    rows = [(f"town {k % 3}", f"{'road' if k % 2 else 'park'}", str(k), str(k * k % 31), "7") for k in range(12)]
    assert place_of([("kind(1)", "kind(2)", *months.split(",")), *rows]).n_names == n_names


@pytest.mark.parametrize(
    ("first", "n", "names"),
    [
        ("94255,2018,1000,0,2010,0", 10, 1),
        ("94255,2018,1000,0,2010,12", 10, 0),  # a flag as below
        ("94255,2018,1000,0,2010.5,0", 10, 0),  # a measurement
        ("94255,2018,1000,0,2010,0", 9, 0),  # few rows
    ],
)
def test_a_first_row_that_alone_has_other_numbers_in_three_columns_holds_codes(first, n, names):
    rows = [("1", str(k), str(k * k % 7), "12", f"{k}.5", "12") for k in range(1, n + 1)]
    place = place_of([tuple(first.split(",")), *rows])
    assert (place.n_names, place.doubtful) == (names, names == 1)
    rows[-1] = ("1", "9", "3", "13", "9.5", "12")
    assert place_of([tuple(first.split(",")), *rows]).n_names == 0


def test_names_that_come_again_below_a_few_rows_are_those_of_the_first_line():
    names = "INDEX MQ-3 PRES TEMP"
    rows = [f"{k} {598 + k * k % 9} 11{k % 5} 26.{k % 7}" for k in range(40)]
    table = read("\n".join([names, *rows[:3], names, *rows[3:]]))
    assert (table.columns, table.row(0)) == (tuple(names.split()), ("0", "598", "110", "26.0"))
    assert (table.row(3), table.n_rows) == (tuple(names.split()), 41)


@pytest.mark.parametrize(("tag", "columns"), [("L ", "mon ion ang"), ("C ", "column 1 column 2 column 3")])
def test_names_behind_the_mark_of_a_comment_and_a_tag_and_comments_below_others_of_any_width(tag, columns):
    scan = [f"{1000 + k} {k * k % 9} {k}.5" for k in range(12)]
    text = "\n".join(["#F scan 1", f"#{tag}mon ion ang", *scan, "#C until", "#C next 21:00", *scan])
    table = read(text)
    assert (" ".join(table.columns), table.n_rows) == (columns, 24)


@pytest.mark.parametrize(("place", "n_columns"), [("Charlie Lake, CDN", 6), ("Lake,CDN", 2)])
def test_a_comma_at_one_place_of_a_constant_text_separates_no_columns_of_fixed_width(place, n_columns):
    lines = [f"PLAMR  {1700 + k:>4}  {k * k % 97:>4}   {k % 9:>2} {k * 7 % 50:>4}   {place}  832" for k in range(60)]
    assert len(read("\n".join(lines)).columns) >= n_columns
    assert (len(read("\n".join(lines)).columns) == 2) == (n_columns == 2)


@pytest.mark.parametrize(
    ("first", "is_doubtful"),
    [
        ("V1,ab,0.51,-,2024/12/20", False),
        ("V1,ab,0.51,-,x", False),
        ("V1,zz,0.51,-,x", True),  # a word that occurs nowhere below
        ("V1,ab,,2,x", True),
    ],
)
def test_a_first_row_is_data_without_doubt_where_all_its_cells_are_as_those_below(first, is_doubtful):
    ends = [f"2024/12/2{k}" if "/" in first else "xy"[k % 2] for k in range(9)]
    rows = [f"V{k},{'ab' if k % 2 else 'c'},0.{k}5,{k},{ends[k]}" for k in range(2, 9)]
    place = place_of([tuple(row.split(",")) for row in [first, *rows]])
    assert (place.n_names, place.doubtful) == (0, is_doubtful)


@pytest.mark.parametrize(("every", "n"), [(3, 80), (1000, 69)])
def test_rows_of_few_cells_are_data_where_others_further_down_fill_the_same_columns(every, n):
    rows = [["x" * (k % 7) + " y-" + "z" * (k % 5), "ABCDEFGH"[k // 10], *[""] * 10] for k in range(80)]
    for k, row in enumerate(rows):
        if k >= 10 and k % every:
            row[2 + 3 * k % 10] = row[2 + k % 10] = str(k % 8)
    assert read("\n".join(map(",".join, [["player", "team", *"cdefghijkl"], *rows]))).n_rows == n


def test_a_title_merged_over_the_first_columns_is_no_line_of_names():
    """Else it is the first of more lines than names have, of which only the last one is used."""
    titles = [["Bureau of Statistics"] * 5, ["2033.0"], ["Released"], ["Table 2"]]
    groups = ["Code", "Name", "People", "in Australia", "in Australia", "in the State", "in the State", "in the State"]
    names = ["Code", "Name", "People", "Rank", "Decile", "State", "Rank", "Decile"]
    rows = [
        [f"{10050 + k}", f"Place {k}", f"{k * k}", f"{k}", f"{k % 9}", "NV"[k % 2], f"{k % 7}", "5"] for k in range(20)
    ]
    lines = [*([*title, *[""] * (8 - len(title))] for title in titles), groups, names, *rows]
    table = read_table("\n".join("\t".join(line) for line in lines).encode(), "t.tsv")
    assert table.columns[3:] == (
        "in Australia Rank",
        "in Australia Decile",
        "in the State",
        "in the State Rank",
        "in the State Decile",
    )
    assert "The names are joined from 2 header lines." in table.notes
