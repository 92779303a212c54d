"""Tables below each other in one text file."""

import re

import pytest

from datasets.reading import ReadOptions, read_table


def read(*blocks, **options):
    return read_table("\n\n".join(blocks).encode(), "t.txt", ReadOptions(**options))


def table(names, *columns, n=9):
    rows = [" ".join(f"{(k * k + j) % 7}.{k}" for j in range(len(columns))) for k in range(n)]
    return "\n".join([" ".join([names, *columns]), *(f"0{k}:00:01 {row}" for k, row in enumerate(rows))])


CPU = table("00:00:01", "usr", "sys", "idle", n=30)


IO, TASKS = table("00:00:01", "tps", "rtps", "wtps", "dtps"), table("00:00:01", "proc", "cswch", "a", "b")


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        ((IO, CPU), "1 other table begins on line 1; the one from line 12 on was read."),
        ((CPU, "Tasks", TASKS), "1 other table begins on line 35; the one from line 1 on was read."),
        ((IO, CPU, TASKS), "2 other tables begin on lines 1, 44; the one from line 12 on was read."),
    ],
)
def test_the_largest_is_read_and_the_others_are_named(blocks, words):
    found = read(*blocks)
    assert (found.columns[1:], found.n_rows) == (("usr", "sys", "idle"), 30)
    assert words in found.others


def test_the_first_of_tables_that_are_about_as_large_is_read():
    found = read(table("id", "usr", "sys", "idle", n=10), table("id", "tps", "rtps", "wtps", "dtps", n=9))
    assert (found.columns[1], found.n_rows) == ("usr", 10)


@pytest.mark.parametrize("time", ["00:00:01", "09:00:01"])
def test_repeated_names_are_left_out_though_another_time_stands_before_them(time):
    found = read(CPU, CPU.replace("00:00:01 usr", f"{time} usr"), TASKS)
    assert (found.n_rows, found.line_numbers[30]) == (60, 34)
    assert "Its names are repeated 1 time; these lines were left out." in found.notes
    assert read(CPU, CPU.replace("00:00:01 usr", "09:00:01 usr")).n_rows == 60  # without another table, too


def test_the_title_of_a_table_that_goes_on_stays_a_heading_among_its_rows():
    blocks = [f"Site {site}\n{IO.replace(' ', ',')}" for site in ("north", "south")]
    found = read(*blocks, CPU.replace(" ", ","))
    assert (found.title, found.n_rows) == ("Site north", 19)
    assert found.row(9) == ("Site south", "", "", "", "")


def sampled(time):
    """As a server's monitor writes it: tables of one row among others, with the same names at each time."""
    cpu = "\n".join([f"{time} CPU %usr %sys", *(f"{time} {k} {k * k % 7}.5 0.{k}" for k in range(9))])
    return [cpu, f"{time} tps wtps bps\n{time} 1.5 2.5 7.5", f"{time} proc/s csw/s\n{time} 1.5 2.5"]


def test_names_of_which_other_blocks_have_the_same_stand_above_a_single_row():
    blocks = [*sampled("09:00:01"), *sampled("09:00:02")]
    found = read(*blocks)
    assert (found.n_rows, found.columns[1:]) == (18, ("CPU", "%usr", "%sys"))
    assert "2 other tables begin on lines 12, 15; the one from line 1 on was read." in found.others
    values = [*sampled("09:00:01"), "09:00:02 1.5 2.5 3.5\n09:00:02 2.5 1.5 3.5"] * 2
    assert read(*values).sheets == found.sheets  # a line without words holds no names


def test_another_of_the_tables_is_read_where_a_person_chose_it():
    data = "\n\n".join([*sampled("09:00:01"), *sampled("09:00:02")]).encode()
    names = ("line 1: CPU, %usr, %sys", "line 12: tps, wtps, bps", "line 15: proc/s, csw/s")
    table = read_table(data, "t.log")
    assert (table.sheets, table.sheet) == (names, names[0])
    for wanted, rows, columns in ((names[1], 2, ("tps", "wtps", "bps")), (names[2], 2, ("proc/s", "csw/s"))):
        table = read_table(data, "t.log", sheet=wanted)
        assert (table.n_rows, table.columns[1:], table.sheets, table.sheet) == (rows, columns, names, wanted)
    assert read_table(data, "t.log", sheet="line 2: other").sheet == names[0]
    assert read(CPU).sheets == ()
    long = IO.replace("wtps", "written" * 20)
    assert [len(name) for name in read(CPU, long).sheets] == [len("line 1: usr, sys, idle"), 80]
    settings = "key value limit\n" + "\n".join(f"width{k} {k}.5 {k * k}" for k in range(6))
    assert read(settings, CPU, IO).sheets == ("line 9: usr, sys, idle", "line 41: tps, rtps, wtps, dtps")


@pytest.mark.parametrize("first", ["eth0,1.5,2.5,3.5", "wet sites only"])
def test_a_row_or_a_title_that_begins_several_blocks_holds_no_names(first):
    rows = [f"eth{k},{k}.5,{k * k % 7}.5,0.{k}" for k in range(1, 9)]
    found = read("\n".join(["port,a,b,c", *rows]), *["\n".join([first, *rows[:2]])] * 3)
    assert (found.columns[:4], found.sheets) == (("port", "a", "b", "c"), ())


def test_names_between_commas_stand_above_a_single_row_too():
    blocks = [block.replace(" ", ",") for block in [*sampled("09:00:01"), *sampled("09:00:02")]]
    assert read(*blocks).sheets == ("line 1: CPU, %usr, %sys", "line 12: tps, wtps, bps", "line 15: proc/s, csw/s")


def test_lines_above_the_names_end_at_a_blank_line_or_a_section():
    settings = "\n".join(f"Setting {k} = {k * 7} of {k} {'on ' * (k % 4)}" for k in range(40))
    rows = "\n".join(f"{k}\tA{k}\t{k * k % 7}.5" for k in range(12))
    for text in (f"{settings}\n\nWell\tName\tSize\n{rows}", f"{settings}\n[Results]\nWell\tName\tSize\n{rows}\n"):
        found = read(text)
        assert (found.columns, found.n_rows) == (("Well", "Name", "Size"), 12)
        assert any(note.startswith("4") and "lines above the names were left out" in note for note in found.notes)


def test_blank_lines_inside_a_table_or_a_cell_end_none():
    letter = '"See:\n\na,b,c,d,e\n' + "1,2,3,4,5\n" * 30 + '\nBye"'
    assert (
        read(
            "a,b,label\n" + "".join(f"{k},{k * k % 7},{letter if k == 5 else 'xyz'[k % 3]}\n" for k in range(20))
        ).n_rows
        == 20
    )
    rows = [f'{k},{k * k % 7},"{"xy"[k % 2]}\n\n{"a,b" if k == 4 else "z"}"' for k in range(12)]
    assert read("a,b,label\n" + "\n".join(rows)).n_rows == 12
    groups = ["a,b,label", *("\n".join(f"{k},{k * k % 7},x" for k in range(5)) for _ in range(4))]
    assert (read(*groups).columns, read(*groups).n_rows) == (("a", "b", "label"), 20)
    assert read(*groups, header_lines=1).n_rows == 20


def test_a_title_of_as_many_words_as_there_are_columns_is_no_line_of_names():
    rows = [f" {280 + k}.00     3.8{k}E-15  {k % 7}.40E-15   1.3{k % 9}E-14" for k in range(10, 50)]
    names = " LOWER WVL  DIRECT     DIFFUSE UP  TOTAL"
    found = read(" RADIATION SCHEME:  2 streams", " SPECTRAL IRRADIANCE (W m-2):", "\n".join([names, *rows]))
    assert (len(found.columns), found.n_rows) == (4, 40)
    assert found.columns[0] == "LOWER WVL"


def test_tables_without_names_below_each_other():
    n = 30
    first, other = ("\n".join(f"{k}\t{k * k % 7}\tA{k}" + more for k in range(n)) for more in ("\t0", "\t1\t2"))
    found = read("Catalogue A, 2 sources", first, "Catalogue B, 4 sources", other[: 9 * 12])
    assert (len(found.columns), found.n_rows) == (4, n)
    assert [said[:29] for said in found.others] == ["1 other table begins on line "]
    alone = read("Catalogue A, 2 sources", first)
    assert (len(alone.columns), alone.n_rows) == (4, n)
    in_groups = read("k\ta\tb\tc", first, first)
    assert in_groups.n_rows == 2 * n


def test_quotes_around_blank_lines_are_no_table():
    rows = ["p,q,r,s,t", *(f"{k},{k * k % 7},{k % 3},4,5" for k in range(20))]
    found = read(table("id", "a", "b", "c").replace(" ", ","), '"\n\n"', "\n".join(rows))
    assert (found.columns[0], found.n_rows) == ("p", 20)


def test_names_above_a_blank_line_belong_to_the_one_block_below():
    rows = [f"{'uvw'[k % 3]}\tp{k}\t{'rg'[k % 2]}\tm{k % 4}" for k in range(40)]
    found = read("kind\tplace\tcolour\tmaker", "\n".join(rows))
    assert (found.columns, found.n_rows) == (("kind", "place", "colour", "maker"), 40)


def test_prose_is_no_table_without_names():
    prose = [
        "The stations were set up in the spring of that year",
        "and read every hour by two persons",
        "one of whom was often ill in the winter that followed",
        "so that gaps are frequent",
        "see also the report on methods",
    ]
    data = "\n".join(f"{k}\t{k * k % 7}\tA{k}\t0\t{k % 5}" for k in range(20))
    found = read("\n".join(prose), data)
    assert (len(found.columns), found.n_rows) == (5, 20)
    assert not any("other table" in note for note in found.notes)


STARS = ("name", "type", "x", "y", "z", "mass", "unit", "size", "rest", "age")
UNITS = ("", "", "ly", "ly", "", "", "", "mm", "", "d")
BLANK = ((7, 8), (6,), (9,), (3, 4))  # columns in the groups


def stars(*, n_groups=8, shift=0):
    """Names, units, a line and groups of rows in which columns are blank that others fill."""

    def row(k, blank):
        cells = [f"s {k}" if k % 3 else f"Ab {k}", "AB"[k % 2], *(f"{k * j % 7}.5" for j in range(8))]
        return ["" if j in blank else cell for j, cell in enumerate(cells)]

    head = [STARS, UNITS, ["-" * 9] * 10, *(row(k, (2, 3, 4, 5, 6, 9)) for k in range(6))]
    groups = [[row(6 + 5 * g + k, BLANK[g % 4]) for k in range(5)] for g in range(n_groups)]
    return [
        "\n".join("".join(f"{cell:<{9 + shift}}" for cell in cells) for cells in group) for group in (head, *groups)
    ]


def test_blank_lines_between_rows_of_the_same_widths_part_no_tables():
    found = read(*stars())
    assert (found.n_rows, found.others) == (46, ())
    assert found.columns == ("name", "type", "x ly", "y ly", "z", "mass", "unit", "size mm", "rest", "age d")
    assert found.row(45)[:4] == ("Ab 45", "B", "0.5", "")


def test_rows_of_other_widths_are_another_table():
    assert read(*stars(), *stars(shift=5)[1:]).n_rows < 46
    few = stars(shift=2)[1].splitlines()[:3]
    assert read(*stars(n_groups=6), "\n".join(few)).n_rows < 36


SAMPLES = "\n".join(f"s{k},{k * k % 7},{k}.5,{k + 3}" for k in range(8))


def reads(*titles, rows=(SAMPLES,) * 3, settings="Machine,7"):
    blocks = [f"Kind: {title}\nsample,red,green,blue\n{each}" for title, each in zip(titles, rows, strict=False)]
    return "\n\n".join([settings, *blocks, "sample,dose\n" + "\n".join(f"s{k},{k}" for k in range(8))])


def test_what_is_told_of_the_same_rows_below_other_titles_is_a_table_of_its_own():
    text = reads("Median", "Count").encode()
    table = read_table(text, "t.csv")
    assert (table.n_rows, table.sheet) == (8, "line 4: Kind: Median")
    assert "line 15: Kind: Count" in table.sheets
    assert read_table(text, "t.csv", sheet="line 15: Kind: Count").line_numbers[0] == 16


def test_other_rows_below_the_same_names_go_on():
    text = reads("north", "south", rows=(SAMPLES, SAMPLES.replace("s", "t"))).encode()
    assert read_table(text, "t.csv").n_rows == 17  # and a title between them
    times = re.sub(r"(?m)^s(\d)", r"0\1:30", SAMPLES)
    assert read_table(reads("north", "south", rows=(times, times)).encode(), "t.csv").n_rows == 17
    few = "\n".join(SAMPLES.splitlines()[:4])
    assert read_table(reads("Median", "Count", rows=(few, few)).encode(), "t.csv").n_rows == 9


def test_names_stand_below_comments_and_above_units_and_a_line_drawn():
    star = "\n".join(f"{k};{k * k % 7}.5;{'AB'[k % 2]}0V;{k}.25;0.{k}" for k in range(10, 40))
    remark = "\n".join(
        f"{k:4};{k % 3:2};G:  ;star {k} is one of several, of which others are too" for k in range(10, 30)
    )
    remark += '\n   9; 1;G:  ;"two" stars'
    head = "#Column\tHR\n" * 3
    text = f"#made today\n\n{head}HR;mag;type;ra;dec\n ;mag; ;deg; \n--;---;---;---;---\n{star}\n\n"
    text += f"#Table\tnotes\n{head}HR;Count;Category;Remark\n ; ; ; \n----;--;----;{'-' * 60}\n{remark}\n"
    table = read_table(text.encode(), "t.tsv")
    assert (table.columns, table.n_rows) == (("HR", "mag", "type", "ra deg", "dec"), 30)
    assert table.sheets[1] == "line 44: HR, Count, Category, Remark"


def test_a_blank_line_below_rows_with_names_over_several_columns_makes_these_no_preamble():
    head = ["Election 2013", "No;Area;" + ";".join(f"{p};" for p in "ABCDEF"), ";;" + ";".join(["new;old"] * 6)]
    rows = [f"{k};area {k};" + ";".join(str((k * j * 7) % 101) for j in range(1, 13)) for k in range(1, 41)]
    table = read_table("\n".join([*head, *rows[:12], "", *rows[12:25], "", *rows[25:]]).encode(), "t.csv")
    assert table.columns[:4] == ("No", "Area", "A new", "A old")
    assert table.n_rows == 40


@pytest.mark.parametrize("above", [["Insured", ""], []])
@pytest.mark.parametrize(("first", "are_joined"), [("State", True), ("Part", False)])
def test_names_in_two_blocks_of_lines_belong_to_the_one_table_below_them(above, first, are_joined):
    names = [f"{first},Joined?,in 2013,in 2013,in 2014,in 2014", "", "State,Joined?,Number,Percent,Number,Percent", ""]
    rows = [f"State {k},{'YN'[k % 2]},{k * k},{k}.5,{k * k + 7},{k}.1" for k in range(20)]
    total = ["Country,,190,9,200,9", ""]
    table = read_table("\n".join([*above, *names, *total, *rows[:10], "", *rows[10:]]).encode(), "t.csv")
    number = "in 2013 Number" if are_joined else "Number"
    assert (table.columns[2], table.n_rows) == (number, 21)


@pytest.mark.parametrize(("n_names", "joined"), [(5, True), (4, False)])
def test_names_above_a_blank_line_are_those_of_the_rows_below_it(n_names, joined):
    names = ["JobID", "numProc", "WallTime(sec)", "State", "StartTime"][:n_names]
    head = ["", "Completed jobs list: ( time unit: second )", "   ".join(names), ""]
    rows = [
        f"{6869 + k}   {k * 7 % 48}        {k * k}   {'ok' if k % 3 else 'no'}    2018/01/03 14:{k:02d}:37"
        for k in range(40)
    ]
    report = [
        "QUEUES SUMMARY:      ( time unit: hour )",
        "QueueName   Jobs    CPUs",
        "",
        "cpuII   615   29400",
        "huichao   9   460",
    ]
    table = read_table("\n".join([*report, *head, *rows]).encode(), "t.dsp")
    assert table.n_rows == 40
    assert (table.columns[0] == "JobID") == joined


def test_a_line_drawn_below_names_leaves_them_those_of_all_blocks():
    """Blank lines set the rows of each host apart, and some names are cut by tabs."""
    groups = [
        "\n".join(f"{host} {k}.5 {k * k % 7}.25 {k} 0.{k}" for k in range(9)) for host in ("M101", "N1015", "LMC")
    ]
    found = read("host\tra\tdec    ID  sigma\n-----------------------\n" + groups[0], *groups[1:])
    assert (found.columns, found.n_rows) == (("host", "ra", "dec", "ID", "sigma"), 27)
    assert not any("above the names" in note for note in found.notes)


def test_a_line_drawn_below_the_last_blank_line_is_no_table():
    rows = "\n".join(f"x{k % 3}   {k:<5}{k * 7 % 11:<5}" for k in range(20))
    found = read("a    b    c\n" + rows, "______________\n")
    assert (found.columns, found.n_rows) == (("a", "b", "c"), 20)


def _like_vmstat(times: bool) -> str:
    heads = "procs ----memory---- --cpu--\n r  b   free  us sy id" + "  CET" * times
    stamps = (f" 2018-03-21 09:{k // 60:02}:{k % 60:02}" if times else "" for k in range(60))
    rows = [
        f"{k % 5:2} {k % 3:2} {k * k * 997:6} {k % 7:3}  {k % 2} {99 - k:2}{stamp}" for k, stamp in enumerate(stamps)
    ]
    return "\n".join(line for k in range(0, 60, 20) for line in (heads, *rows[k : k + 20]))


@pytest.mark.parametrize("times", [False, True])
def test_two_lines_above_the_rows_that_come_again_are_left_out(times):
    found = read(_like_vmstat(times))
    assert (found.columns, found.n_rows) == (("r", "b", "free", "us", "sy", "id", *["CET"] * times), 60)
    assert "The lines above its rows are repeated 2 times; these were left out." in found.notes
    assert found.line_numbers[[0, 19, 20, 59]].tolist() == [3, 22, 25, 66]
    if times:
        assert found.column("CET")[0] == "2018-03-21T09:00:00"


@pytest.mark.parametrize("names", ["a b c date time", "a b c"])
def test_date_and_time_with_a_name_each_or_none_stay_two_cells(names):
    rows = "\n".join(f"{k} {k * k % 7}.5 {k % 3} 2018-03-21 09:00:{k:02}" for k in range(30))
    found = read(names + "\n" + rows)
    assert found.column(found.columns[3])[:2] == ["2018-03-21", "2018-03-21"]
    assert found.column(found.columns[4])[:2] == ["09:00:00", "09:00:01"]
