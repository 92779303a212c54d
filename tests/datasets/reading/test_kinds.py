"""Lines of several kinds in one text."""

import pytest

from datasets.base.errors import DataError
from datasets.proposals import apply, propose
from datasets.reading import read_table
from datasets.reading.kinds import (
    lines_of_one_kind,
    section_with_names,
    tables_between_marks,
    tables_of_the_same_rows,
)


def log(n=20, mark=",", before=""):
    """Fixes of 5 cells, speeds of 3 and, of half as many, states of 4."""
    lines = []
    for k in range(n):
        lines += [f"{before}$FIX,{k},{k * k % 7}.5,{'AV'[k % 2]},{k}.25", f"{before}$SPEED,{k},{k % 3}.5"]
        lines += [f"{before}$STATE,{k},on,7"] * (k % 2)
    return "\n".join([*lines, f"{before}$SPEED,{n},1.5"]).replace(",", mark)


@pytest.mark.parametrize(("mark", "before"), [(",", ""), (";", ""), ("\t", ""), (",", "08:15:01,")])
def test_one_kind_of_line_is_read_and_another_can_be_chosen(mark, before):
    data = log(mark=mark, before=before).encode()
    kinds = ("$FIX (20 lines)", "$SPEED (21 lines)", "$STATE (10 lines)")
    table = read_table(data, "t.log")
    assert (table.n_rows, len(table.columns)) == (20, 5 + bool(before))
    assert (table.sheets, table.sheet) == (kinds, kinds[0])
    said = "31 lines of other kinds, with other columns, were left out: $SPEED (21 lines), $STATE (10 lines)."
    assert table.others == (said,)
    assert f"{said} To use another, choose it as 'Table'." in apply(propose(table)).costs
    table = read_table(data, "t.log", sheet=kinds[2])
    assert (table.n_rows, len(table.columns), table.sheet) == (10, 4 + bool(before), kinds[2])
    assert table.line_numbers.tolist()[:2] == [5, 10]


def test_cut_lines_are_left_out_with_the_others():
    table = read_table(f"{log(40)}\n$FIX,3\n,5\n".encode(), "t.log")
    assert (table.n_rows, table.sheets[0], len(table.sheets)) == (41, "$FIX (41 lines)", 3)
    assert "1 short line was filled up with missing cells (line 102)." in table.all_notes


@pytest.mark.parametrize(
    "text",
    [
        "kind,a,b,c\n" + log(),  # names that occur once
        "\n".join(f"{k % 3},{k}{',5' * (k % 3)}" for k in range(40)),  # numbers
        "\n".join(f"{'xyz'[k % 3]},{k},{k * k}" for k in range(40)),  # of one width
        "\n".join(f"{'xyz'[k % 3]},{k}{',5' * (k % 5)}" for k in range(60)),  # of any width
        "\n".join(f"name {k},{k}{',5' * (k % 2)}" for k in range(40)),  # all different
        log() + "\n" + "\n".join(f"name {k},{k}" for k in range(5)),  # many cut lines
        "x,1,2\nz,1\n" * 4,  # few
        "x,1,2,3\n,5,6\n" * 10,  # the first cell is blank
        "\n".join(f"{'xy'[k % 2]},{k}{',5' * (k % 4 > 2)}{',6' * (k % 2)}" for k in range(60)),  # one of two widths
        "\n".join(["x,1,2"] * 60 + ["z,1,2,3"] * 2),  # hardly any of another width
    ],
)
def test_lines_that_are_of_no_kinds(text):
    assert lines_of_one_kind(text) is None


def test_kinds_of_lines_between_blanks_are_told_by_a_word_behind_the_time():
    lines = []
    for k in range(60):
        lines.append(f"{k}.5 201 GPS {k * 7} {k * k % 11} {k % 3}")
        lines.append(f"{k}.7 201 INS {k * 3} {k}")
        lines += [f"{k}.8 201 BAT {k} 3 4 5 6 7"] if k % 4 == 0 else []
    table = read_table("\n".join(lines).encode(), "t.log")
    assert (table.n_rows, len(table.columns), table.sheet) == (60, 6, "GPS (60 lines)")
    assert table.sheets == ("GPS (60 lines)", "INS (60 lines)", "BAT (15 lines)")
    bat = read_table("\n".join(lines).encode(), "t.log", sheet="BAT (15 lines)")
    assert bat.row(1) == ("4.8", "201", "BAT", "4", "3", "4", "5", "6", "7")
    two = [line for line in lines if "BAT" not in line]
    assert read_table("\n".join(two).encode(), "t.log").sheets == ()


def sections(n, mark=";", first="# host;at;"):
    """Loads of n times and 3 cells, and disks of 8 times and 4 cells; of the loads again."""
    loads = [f"{first}load", *(f"x;{k}:00;{k}.5" for k in range(n))]
    return "\n".join([*loads, f"{first}disk;tps", *(f"x;{k}:00;{k};{k * k}" for k in range(8)), *loads]) + "\n"


@pytest.mark.parametrize(("n", "wanted", "begins", "n_rows"), [(4, None, 1, 8), (3, None, 5, 8), (3, "line 1", 1, 6)])
def test_sections_with_names_of_their_own_are_tables(n, wanted, begins, n_rows):
    names = ("line 1: load", f"line {n + 2}: disk, tps")
    table = read_table(sections(n).encode(), "t.csv", sheet=wanted and names[0])
    assert (table.sheets, table.sheet, table.n_rows) == (names, names[begins > 1], n_rows)
    assert table.columns == ("host", "at", *(["load"] if begins == 1 else ["disk", "tps"]))
    assert table.others == (
        f"1 other table begins on line {1 if begins > 1 else n + 2}; the one from line {begins} on was read.",
    )
    assert ("Its names are repeated 1 time; these lines were left out." in table.notes) == (begins == 1)


def test_sections_whose_names_go_on_those_of_the_others():
    assert section_with_names(sections(4).replace("disk;tps", "load;tps")).names[1] == "line 6: load, tps"


@pytest.mark.parametrize(
    "text",
    [
        sections(4).replace("disk;tps", "load"),  # names that come again
        "\n".join(f"p;x;{'ab'[k % 2]};{'cd'[k // 2 % 2]}" for k in range(40)),  # rows of words
        "\n".join(["a;b;c", *(f"a;b;{k}" for k in range(40))]),  # rows that begin like the names
        sections(4, first="host;"),  # one name in common
        'a;b;c\n1;2;"see\na;b;d\n"\n' + "3;4;x\n" * 9,  # inside a cell
    ],
)
def test_lines_that_begin_alike_part_no_sections(text):
    assert section_with_names(text) is None


def storms(n=4, n_rows=5, end=","):
    lines = []
    for k in range(n):
        lines.append(f"AL0{k},  STORM{k}, {n_rows},{'x' if not end else ''}")
        rows = (f"2019060{j}, {'TD' if j % 2 else 'TS'}, {20 + k}.{j}, {70 + j}.{k}, {k + j}" for j in range(n_rows))
        lines += [f"{row}, {990 - j}, 5, {j * j}{end}" for j, row in enumerate(rows)]
    return lines


@pytest.mark.parametrize("end", [",", ""])
def test_the_cells_of_lines_above_groups_of_rows_are_columns_behind_theirs(end):
    table = read_table("\n".join(storms(end=end)).encode(), "t.txt")
    assert (table.n_rows, len(table.columns)) == (20, 11 + (not end))
    assert table.row(0)[:2] == ("20190600", "TS")
    assert table.row(0)[8:] == ("AL00", "STORM0", "5", *["x"] * (not end))
    assert table.row(19)[8:10] == ("AL03", "STORM3")
    assert table.line_numbers.tolist()[:6] == [2, 3, 4, 5, 6, 8]
    assert "The cells of 4 lines above groups of rows are columns behind theirs." in table.notes


def plates(*titles, between="", rows=None, names="Location,Sample,alpha,bravo,Total"):
    """Lines as Luminex writes them, the rows of each plate given or those of wells."""
    wells = [f'"{k}(1,A{k})",S{k},{k * k % 7}.5,{k},9' for k in range(6)]
    blocks = [[f"DataType:,{title}", names, *(rows or {}).get(title, wells), between] for title in titles]
    return ["Program,xPONENT,,x", *(line for block in blocks for line in block)]


@pytest.mark.parametrize("between", ["", ",,,,"])
def test_tables_of_the_same_rows_below_titles_stand_beside_each_other(between):
    dilutions = ["DataType:,Factor", "Location,Sample,Factor", *(f'"{k}(1,A{k})",S{k},{k}' for k in range(6))]
    lines = [*plates("Median", "Count", between=between), *dilutions, "", "x,y"]
    table = read_table("\n".join(lines).encode(), "t.csv")
    of_both = [f"{title} {name}" for title in ("Median", "Count") for name in ("alpha", "bravo", "Total")]
    assert table.columns == ("Location", "Sample", *of_both, "Factor")
    assert table.row(4) == ("4(1,A4)", "S4", "2.5", "4", "9", "2.5", "4", "9", "4")
    assert table.line_numbers.tolist() == list(range(4, 10))
    assert "3 tables of the same rows were joined side by side: Median, Count, Factor." in table.notes
    assert "1 line between and below them was left out." in table.notes


@pytest.mark.parametrize(("n_wells", "is_read"), [(5, True), (4, False)])
def test_tables_of_the_same_rows_have_five_or_more(n_wells, is_read):
    wells = [f'"{k}(1,C{k})",S{k},{k},{k + 3},5' for k in range(n_wells)]
    lines = plates("Median", "Count", rows={"Median": wells, "Count": [well[:-1] + "7" for well in wells]})
    assert (tables_of_the_same_rows("\n".join(lines)) is not None) == is_read


def test_titles_end_the_rows_above_them_without_a_blank_line():
    counts = [f'"{k}(1,A{k})",S{k},{k + 40},{k + 50},5' for k in range(6)]
    lines = [line for line in plates("Median", "Count", rows={"Count": counts}) if line]
    table = read_table("\n".join(lines).encode(), "t.csv")
    assert (table.n_rows, table.columns[2]) == (6, "Median alpha")


OTHER_WELLS = [f'"{k}(1,B{k})",S{k},1,2,3' for k in range(6)]


@pytest.mark.parametrize(
    "lines",
    [
        plates("Median"),
        plates("Median", "Median"),
        plates("Median", "Count", rows={"Count": OTHER_WELLS}),  # other rows
        plates("Median", "Count", rows=dict.fromkeys(("Median", "Count"), tuple(f"{k}:30,S,1,2,3" for k in range(6)))),
        plates("Median", "Count", rows=dict.fromkeys(("Median", "Count"), OTHER_WELLS[:4])),  # few
        plates("Median", "Count", names="2001,2002,2003,2004,2005"),
        [line.replace("DataType", title) for title in "ab" for line in plates("Median")],  # other keys
    ],
)
def test_tables_of_other_rows_or_without_titles_do_not(lines):
    assert tables_of_the_same_rows("\n".join(lines)) is None


def soft(*parts, end="!{}_table_end\n", n=8):
    """A SOFT file of GEO: annotations of a platform, then values of samples."""
    texts = []
    for kind, title in parts:
        names, cells = ("ID\tGene", "g{0}") if kind == "platform" else ("ID_REF\tVALUE\tP", "{0}.5\t0.0{0}")
        rows = "".join(f"{k}\t{cells.format(k)}\n" for k in range(n))
        about = f"^{kind.upper()} = {title}\n!{kind}_title = {title}\n"
        texts.append(f"{about}!{kind}_table_begin\n{names}\n{rows}" + end.format(kind))
    return "".join(texts)


PARTS = ("platform", "oligos"), ("sample", "wild type"), ("sample", "mutant")


@pytest.mark.parametrize(
    ("wanted", "sheet", "first", "line"),
    [
        (None, "SAMPLE = wild type", ("0", "0.5", "0.00"), 18),
        ("SAMPLE = mutant", "SAMPLE = mutant", ("0", "0.5", "0.00"), 31),
        ("PLATFORM = oligos", "PLATFORM = oligos", ("0", "g0"), 5),
    ],
)
def test_each_table_between_marks_of_a_soft_file_can_be_chosen(wanted, sheet, first, line):
    table = read_table(soft(*PARTS).encode(), "t.txt", sheet=wanted)
    assert (table.sheet, table.row(0), table.n_rows, table.line_numbers[0]) == (sheet, first, 8, line)
    assert table.sheets == ("PLATFORM = oligos", "SAMPLE = wild type", "SAMPLE = mutant")


def test_samples_of_the_same_title_are_two_tables():
    table = read_table(soft(*PARTS[1:2] * 2).encode(), "t.txt", sheet="SAMPLE = wild type (2)")
    assert table.line_numbers[0] == 18


@pytest.mark.parametrize("text", [soft(PARTS[1]), soft(*PARTS, end=""), soft(*PARTS).replace("!", "")])
def test_a_single_table_or_other_marks_part_no_tables(text):
    assert tables_between_marks(text) is None


@pytest.mark.parametrize(
    "lines",
    [
        storms(2),  # few
        [line for line in storms() for _ in range(1 + line.startswith("AL"))],  # two above each group
        [line.partition(",")[0] if line.startswith("AL") else line for line in storms()],  # a single cell
        [*storms(), "1,2,3,4,5,6"],  # a row of another width
        ["day,kind,a,b,c,d,e,f,", *storms()],  # names
        [line.replace("STORM", "a,STORM,b") for line in storms()],  # more than half as many cells
    ],
)
def test_other_short_lines_head_no_groups_of_rows(lines):
    try:
        notes = read_table("\n".join(lines).encode(), "t.txt").notes
    except DataError:
        notes = ()
    assert not any("above groups of rows" in note for note in notes)


def orbits(n=4, n_rows=6, head="Body {}", n_cells=6):
    lines = []
    for k in range(n):
        lines.append(head.format(str(4630 + k * k)))
        rows = (
            [f"{j * 360.0}", *(f"{(j + 3) * (i + 2) * (k + 1) % 97}.{i}" for i in range(n_cells - 1))]
            for j in range(n_rows)
        )
        lines += ["".join(f"{cell:>12}" for cell in row[: n_cells - (j == 0)]) for j, row in enumerate(rows)]
    return lines


def test_words_above_groups_of_rows_between_blanks_are_columns_behind_theirs():
    table = read_table("\n".join(orbits(head="Body {} xx", n_cells=7)).encode(), "t.out")
    assert (table.n_rows, len(table.columns)) == (24, 8)
    assert [row[-1] for row in table.rows[4:8]] == ["4630", "4630", "4631", "4631"]
    assert table.row(6)[6] == ""  # the first row of each is short
    assert table.line_numbers.tolist()[5:7] == [7, 9]
    assert "The cells of 4 lines above groups of rows are columns behind theirs." in table.notes


@pytest.mark.parametrize(
    "lines",
    [
        orbits(2),  # few
        orbits(head="Body 5{:.0s}"),  # the same above each group
        orbits(head="{} 5"),  # numbers only
        orbits(head="# Body {}", n_cells=7),  # comments
        orbits(n_cells=5),  # rows of four cells
        [*orbits(), "End 5.5"],  # a line of another form
        [*orbits(), "mean of all rows so far 5.5"],  # words
        [line for line in orbits() for _ in range(1 + line.startswith("Body"))],  # two above each group
        ["t x y z vx vy", *orbits()],  # names
    ],
)
def test_other_words_between_blanks_head_no_groups_of_rows(lines):
    try:
        notes = read_table("\n".join(lines).encode(), "t.out").notes
    except DataError:
        notes = ()
    assert not any("above groups of rows" in note for note in notes)


RULE = "=============== ======= ========"


def ruled(*titles, rule=RULE, n_rows=6, last="RAM [MB]", between=("", "")):
    lines = ["Times of a run", "", "* Linux"]
    for title in titles:
        rows = [f"tool {j}  full v{j % 2} {j * j * 7 % 91:>7} {j * 13 % 71:>8}" for j in range(n_rows)]
        lines += [*between, rule, f"{title:<15} {'Time':>7} {last:>8}", rule, *rows, rule]
    return lines


def test_tables_between_rules_with_the_same_names_but_one_are_one_table():
    table = read_table("\n".join(ruled("Open file", "Save file", between=["", "more"])).encode(), "t.txt")
    assert (table.columns, table.n_rows) == (("row", "Time", "RAM [MB]", "heading"), 12)
    assert table.row(7) == ("tool 1  full v1", "7", "13", "Save file")
    assert table.line_numbers.tolist()[5:7] == [14, 21]
    assert "2 tables between rules were joined; the name in which they differ is the cell in 'heading'." in table.notes
    assert "1 line around them was left out." in table.notes
    table = read_table("\n".join(ruled("File", "File")).encode(), "t.txt")
    assert (table.columns, table.n_rows) == (("File", "Time", "RAM [MB]"), 12)
    assert "2 tables between rules were joined." in table.notes


@pytest.mark.parametrize(
    "lines",
    [
        ruled("Open file"),  # one table
        [*ruled("Open file"), *ruled("Save file", last="CPU [%]")],  # two names differ
        [*ruled("Open file"), *ruled("Save file", rule="============== ======== ========")],  # other columns
        [line.replace("v1 ", "v1x") for line in ruled("Open file", "Save file")],  # words across the columns
        ruled("Open file", "Save file", "Merge files")[:-1],  # no rule below
        [*ruled("Open file", "Save file"), *ruled("Merge files", n_rows=0)],  # no rows
    ],
)
def test_other_tables_between_rules_are_not_joined(lines):
    try:
        notes = read_table("\n".join(lines).encode(), "t.txt").notes
    except DataError:
        notes = ()
    assert not any("between rules" in note for note in notes)
