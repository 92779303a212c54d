"""Cells between blanks: columns of fixed width, and words beside numbers."""

import pytest

from datasets.columns.cells import column_of
from datasets.reading import ReadOptions, read_table
from datasets.reading.layout import _cut, fixed_gaps, sampled_lines, with_tabs, with_words_joined

N = 30


def read(text, name="t.csv", **options):
    return read_table(text.encode(), name, ReadOptions(**options))


@pytest.mark.parametrize("gap", ["\t\t", "   ", " \t "])
def test_runs_of_blanks_and_tabs(gap):
    rows = "".join(f"{k}.5{gap if k % 3 else chr(9)}{k}\t{'xy'[k % 2]}\n" for k in range(N))
    table = read(rows)
    assert (len(table.columns), table.n_rows) == (3, N)
    assert all("" not in row for row in table.rows)


def test_columns_of_fixed_width():
    rows = [
        f"{'plot ' + str(k):<12}{k * 1.5:>8.2f}{'' if k % 5 == 0 else k:>6}  {'wet' if k % 2 else 'dry'}"
        for k in range(N)
    ]
    table = read("\n".join([f"{'site':<12}{'growth':>8}{'n':>6}  kind", *rows]) + "\n", "t.txt")
    assert table.columns == ("site", "growth", "n", "kind")
    assert table.rows[5] == ("plot 5", "7.50", "", "wet")
    assert table.detected.separator == "fixed"
    assert "Columns are cut at fixed widths." in table.notes


def test_names_across_the_gaps_of_fixed_widths_belong_to_the_column_they_cover_more_of():
    """A tenth of the towns has a blank in its name, so that blanks alone do not cut all lines alike."""
    rows = [f"{k:05d}   {'Ash Hill' if k % 11 == 3 else 'Yew':<12}{k * 7:>6} {k % 4:>5}" for k in range(110)]
    names = [f"{'FIPS':<20}{'Labor':>6} {'Unemployed':>9}", f"{'Code':<8}{'Town':<12}{'Force':>6} {'Rate':>5}"]
    table = read("\n".join(["   Labor Force of All Towns in 2001   ", "", *names, *rows]) + "\n", "t.txt")
    assert (table.n_rows, table.columns) == (110, ("FIPS Code", "Town", "Labor Force", "Unemployed Rate"))
    assert table.rows[3] == ("00003", "Ash Hill", "21", "3")
    assert any("above the names was left out" in note for note in table.notes)


def test_a_name_across_a_gap_belongs_to_the_column_it_covers_more_of_and_one_across_several_is_a_title():
    rows = [f"{k:05d}   {'Ash Hill' if k % 11 == 3 else 'Yew':<12}   {k + 100:>3}     {k % 9}.25" for k in range(90)]
    names = [f"{'FIPS':<8}{'Home':<15}Unemployed", f"{'Code':<8}{'Town':<15}{'Level':<8}Rate"]
    table = read("\n".join(["Year 2001   Unemployment/of/the/towns", *names, *rows]), "t.txt")
    assert table.columns == ("FIPS Code", "Home Town", "Unemployed Level", "Rate")
    assert "The title 'Year 2001   Unemployment/of/the/towns' above the names was left out." in table.notes


def test_a_tab_far_down_among_columns_of_fixed_width_is_no_column():
    rows = [f"{k:>6}   {'Ash-Hill' if k % 11 else 'Yew':<12}{k * 7:>8}" for k in range(2_000)]
    sampled, inside = set(sampled_lines("\n".join(rows))), len("   600   Ash")
    k = next(k for k in range(600, 2_000) if k % 11 and rows[k] not in sampled)
    rows[k] = rows[k][:inside] + "\t" + rows[k][inside + 1 :]
    assert with_tabs("\n".join(rows)).split("\n")[k].split("\t") == [str(k), "Ash Hill", str(k * 7)]


def test_a_column_of_fixed_width_that_only_later_rows_fill():
    words = "surface data of the stations of all the world"
    titles = [words[k:] + words[:k] for k in range(12)]  # no blank is below another
    rows = [f"{k:>6}   {'Yew':<8}{'TX' if 82 <= k < 92 else '':>8}   {k * 7:>8}" for k in range(100)]
    assert len(fixed_gaps([*titles, *rows])) == 3


def test_units_below_names_of_fixed_width_stand_where_their_columns_do():
    """Blanks alone cut the rows as well, but not the units, which not all columns have."""
    rows = [f"{1948 + k // 12:>7}{k % 12 + 1:>4}{k * 0.3:>7.1f}{k % 9:>8}{k * 1.7:>9.1f}" for k in range(90)]
    names = [f"{'yyyy':>7}{'mm':>4}{'tmax':>7}{'af':>8}{'rain':>9}", f"{'':>11}{'degC':>7}{'days':>8}{'mm':>9}"]
    text = "\r\r\n".join(["Heathrow", "Missing data is marked by ---, as a rule", *names, *rows])
    table = read(text, "t.txt")
    assert table.columns == ("yyyy", "mm", "tmax degC", "af days", "rain mm")
    assert (table.n_rows, table.rows[13]) == (90, ("1949", "2", "3.9", "4", "22.1"))


def test_a_quote_that_closes_a_padded_cell_begins_no_column():
    """As MATLAB shows a table; most of the shorter words stand below the first quarter."""
    groups = ["Normal"] * 12 + ["TGA"] * 40
    lines = ["    Group         CaseNo    MPA ", "    ________    ____    ____", ""]
    padded = [
        f"    {{'{group}'{' ' * (6 - len(group))}}}    {k:>4}    {k * 7 % 50:>4}" for k, group in enumerate(groups)
    ]
    table = read("\n".join([*lines, *padded]), "t.txt")
    assert table.columns == ("Group", "CaseNo", "MPA")
    assert table.cell(20, "Group") == "{'TGA'   }"


def test_lines_of_another_form_at_the_end_leave_the_widths_of_the_others():
    times = [f"2017 {k % 30:02d} {k * 11 % 60:02d} {k * 7 % 60:02d} {k * 13 % 97:>4}.25" for k in range(222)]
    rows = [f"{time}  {k * k % 901:>6}.125 {k * 7 % 50:>6}.5  H{k % 3}" for k, time in enumerate(times[:192])]
    table = read("\n".join([*rows, *(time[:22] for time in times[192:])]), "t.txt")
    assert (len(table.columns), table.n_rows) == (8, 222)


def test_a_column_that_hardly_any_of_the_first_lines_fills_is_cut_by_those_further_down():
    """As the list of weather stations of the world, whose first hundreds have no state and call sign."""
    rows = [
        f"{k:06d} {'STATION':<9} {'ST' if k > 699 else '':<2} {'KABC' if k > 699 else '':<4}  {k % 90:>4}.5"
        for k in range(5000)
    ]
    assert len(read("\n".join(rows), "t.txt").columns) == 5


def test_a_single_blank_in_all_of_many_lines_cuts_columns_of_fixed_width():
    rows = [
        f"{k:>3}  {k * 7.25:>8.2f} {'VA'[k % 3 > 0]} {'HE' if k % 2 else 'FE'}   {'rare one' * (k == 50)}"
        for k in range(120)
    ]
    table = read("\n".join(rows), "t.dat")
    assert (table.rows[4], table.rows[50][-1]) == (("4", "29.00", "A", "FE", ""), "rare one")


def test_titles_and_wide_names_above_columns_of_fixed_width():
    rows = [f"{'Town ' + 'abc'[k % 3] * (k % 9 + 1) + ', TX':<20}{k * 77:>9}{k % 7:>9}{k * k:>9}" for k in range(60)]
    names = [f"{'':<20}{'':>9}{'3 and 4':>9}{'5 up':>9}", f"{'':<20}{'Total':>9}{'Units':>9}{'or more':>9}"]
    titles = ["Table 3. New Units Owned by People of Townships", "     in dollars", ""]
    table = read("\n".join([*titles, *names, *rows]) + "\n", "t.txt")
    assert (table.n_rows, table.detected.separator) == (60, "fixed")
    assert table.columns == ("column 1", "Total", "3 and 4 Units", "5 up or more")


def test_names_that_stand_beside_the_columns_of_fixed_width_are_cut_between_blanks():
    lines = ["chip        opt     freq  time   score"]
    lines += [
        f"{'AMD R5' if k % 2 else 'stm32':9s}{'O3' if k % 3 else 'fast':8s}{k * 50 + 16:7d}{k / 3:10.3f}{k * 7:12d}"
        for k in range(40)
    ]
    table = read_table("\n".join(lines).encode(), "t.prn")
    assert table.columns == ("chip", "opt", "freq", "time", "score")
    assert table.row(39) == ("AMD R5", "fast", "1966", "13.000", "273")


def test_a_single_blank_before_numbers_is_a_gap_of_fixed_width():
    names = ["Grand Coulee", "Chief Joseph of the lake", "Hoover", "The Dalles on the river"]
    rows = [f"{names[k % 4]:23.23s} {k * 137 % 6000:>5d}  {'ab'[k % 2] + 'c' * 5}   {k / 7:.2f}" for k in range(24)]
    rows = [row.replace(row[24:29], f"{k * 137 % 6000:<5d}") for k, row in enumerate(rows)]
    table = read_table("\n".join(rows).encode(), "t.txt", ReadOptions(separator="fixed"))
    assert table.row(3)[:3] == ("The Dalles on the river", "411", "bccccc")
    assert len(read_table("\n".join(rows[:19]).encode(), "t.txt", ReadOptions(separator="fixed")).columns) == 3


@pytest.mark.parametrize("behind", [False, True])
def test_words_beside_numbers_between_blanks_are_one_cell(behind):
    names = ["Vega", "Alpha Centauri B", "Wolf 359 x", "Barnard's Star", "Sun"] * 3
    numbers = [f"{k}.5 {k * k % 7} -" for k in range(15)]
    lines = [f"{n} {name}" if behind else f"{name} {n}" for name, n in zip(names, numbers, strict=True)]
    head = "mass size age name" if behind else "name mass size age"
    table = read_table("\n".join([head, *lines]).encode(), "t.txt")
    assert table.columns == tuple(head.split())
    assert table.cells.column("name").to_pylist() == names
    assert table.cells.column("mass").to_pylist() == [f"{k}.5" for k in range(15)]
    assert "Words beside the numbers of a line were joined to one cell." in table.notes


def test_a_command_of_several_words_behind_numbers_that_glue_fixed_widths_is_one_cell():
    """As pidstat writes them, with a line of names above each of its blocks."""
    names = ["Time", "UID", *(f"%{letter}" for letter in "abcdefghijkl"), "RSS", "Command"]
    commands = ["/usr/lib/systemd --switched-root", "kworker/0:0H", "(sd-pam)", "/bin/sh -c run the job"]
    lines = ["Linux 3.10.0 (host) \t11/25/15 \t_x86_64_\t(16 CPU)"]
    for block in range(3):
        lines += ["", f"#      Time   UID   {'     '.join(names[2:14])}     RSS  Command"]
        for k in range(20):
            numbers = " ".join(f"{k / (j + 7):6.2f}" for j in range(12))
            size = 52571328 if k == 7 else 2696 * k
            lines.append(f" 14484815{block:02}  {k * 7 % 90:4} {numbers} {size:7}  {commands[k % 4]}")
    table = read_table("\n".join(lines).encode(), "pidstat.txt")
    assert table.columns == tuple(names)
    assert (table.row(0)[:2], table.row(0)[-1]) == (("1448481500", "0"), commands[0])
    assert (table.n_rows, table.row(7)[-2]) == (60, "52571328")
    assert "Words beside the numbers of a line were joined to one cell." in table.notes


@pytest.mark.parametrize(("every", "is_joined"), [(3, True), (1, False)])
def test_words_between_a_number_and_others_are_one_cell_unless_most_hold_numbers(every, is_joined):
    names = [("El Djezair", "Juno", "La Paz")[k % 3] if k % every else f"{1990 + k} XB" for k in range(15)]
    lines = [f"{k + 7} {name} 19{k} {k}.5 {k * k % 7}" for k, name in enumerate(names)]
    joined = with_words_joined("\n".join(lines))
    assert (joined is not None) == is_joined
    if joined is not None:
        assert joined.splitlines()[:2] == ['7 "1990 XB" 190 0.5 0', "8 Juno 191 1.5 1"]


@pytest.mark.parametrize("other", ["Vega {k}, {k} 5 5", "Vega {k}\t{k} 5 5", "Vega is far {k} away"])
def test_words_beside_numbers_are_joined_in_plain_lines_of_equally_many_numbers_only(other):
    lines = [other.format(k=k) if k % 3 else f"Alpha Centauri {k} 2 3" for k in range(15)]
    assert with_words_joined("\n".join(lines)) is None


@pytest.mark.parametrize(("odd", "n_joined"), [("V57RRab 0.56 23.1 - 10 7", 0), ("V57 RRab c 0.56 23.1 - 10 7", 20)])
def test_a_line_with_a_field_too_few_leaves_the_words_of_the_others_apart(odd, n_joined):
    lines = [f"V{k} RR{'ab'[k % 2]} 0.{k}5 2{k % 4}.{k} - 10 {k % 9}" for k in range(1, 20)]
    joined = with_words_joined("\n".join([*lines[:9], odd, *lines[9:]])) or ""
    assert joined.count('"V') == n_joined


def test_words_with_numbers_among_them_are_columns():
    lines = [f"V{k} RRab 0.{k}5 2{k % 4}.{k} C {'B ' * (k % 3)}10 7" for k in range(1, 20)]
    assert with_words_joined("\n".join(lines)) is None


def test_a_single_blank_that_all_of_some_lines_have_cuts_columns_where_most_fill_them():
    words = ["Antlia", "Bootes", "Canes", "Venatici", "Draco", "Leo", "Segue", "Tucana", "Ursa"]
    names = [f"{words[k % 9]} {words[k * k % 7][: 3 + k % 4]} {'I' * (k * k % 4)}".strip() for k in range(60)]
    rows = [f"{names[k]:<16} {k % 5} {100 + k * 3.25:8.4f} {k * k % 97 - 40:>3} {k % 40:>2}" for k in range(60)]
    table = read("\n".join(rows), "t.dat")
    assert (table.rows[6], len(table.columns)) == ((names[6], "1", "119.5000", "-4", "6"), 5)


@pytest.mark.parametrize(("share", "n_gaps"), [(0.8, 3), (0.4, 2)])
def test_a_single_blank_of_some_lines_cuts_where_most_of_them_have_letters_beside_it(share, n_gaps):
    long = [k % 10 < 10 * share for k in range(60)]
    words = [f"{'grey' if k % 2 else 'blue':<4}{'ish' if long[k] else '':<3}" for k in range(60)]
    rows = [f"{k:>3}   {word} {'b' if k % 4 == 1 else ' '}ar   {k * 7 % 90:>3}" for k, word in enumerate(words)]
    assert len(fixed_gaps(rows)) == n_gaps


@pytest.mark.parametrize(
    ("numbers", "n_lines", "joined"), [("5", 12, None), ("5 7", 8, '"the red car" 5 7'), ("5 7", 7, None)]
)
def test_words_are_joined_beside_two_numbers_or_more_of_eight_lines_or_more(numbers, n_lines, joined):
    text = "\n".join(f"{words} {numbers}" for words in (["the red car", "a dog"] * 6)[:n_lines])
    assert (with_words_joined(text) or "").partition("\n")[0] == (joined or "")


def test_names_that_reach_over_gaps_are_cut_between_blanks_where_these_part_as_many():
    """As pidstat writes them, one blank or two apart."""
    names = "time usr %system  %guest   %wait"
    assert _cut(names, [(4, 5), (24, 27), (33, 35), (37, 39)]) == names.split()


@pytest.mark.parametrize(("text", "n_columns"), [("{k}.5 ± 0.{k}", 3), ("{k}.5 ±0.{k}", 4)])
def test_blanks_around_an_error_separate_no_cells(text, n_columns):
    rows = [f"J0{k} {text.format(k=k)} {'ab'[k % 2]}" for k in range(12)]
    table = read("\n".join(rows), "t.txt")
    assert len(table.columns) == n_columns
    column = column_of(table, table.columns[1])
    assert (column.kind, column.numbers.values.tolist()) == ("numbers", [k + 0.5 for k in range(12)])


@pytest.mark.parametrize(
    ("names", "columns"),
    [("Benchmark Score Error", ("Benchmark", "Score", "Error")), ("Benchmark     Score", ("Benchmark", "Score"))],
)
def test_an_error_that_has_a_name_is_a_column(names, columns):
    """As JMH writes them."""
    rows = [f"of{'ab'[k % 2]}.run{k:<3}  {10 ** (k % 5) * k:>9}.5 ± {k * k:>6}.25" for k in range(12)]
    table = read("\n".join([names, *rows]), "t.txt")
    assert table.columns == columns
    assert table.row(3)[1:] == (("3000.5", "9.25") if len(columns) > 2 else ("3000.5±9.25",))


@pytest.mark.parametrize(("gap", "columns"), [(" ", ("time", "wet AE")), ("  ", ("time", "wet", "AE"))])
def test_a_word_one_blank_behind_a_name_goes_on_with_it_where_no_row_reaches_below(gap, columns):
    rows = [f"{2 * k:02d}:00{k * k * 7 / 5:>9.1f}" for k in range(10, 40)]
    assert read("\n".join([f" time       wet{gap}AE", *rows]), "t.txt").columns == columns


def test_what_is_drawn_beside_the_words_of_names_is_no_part_of_them():
    names = ["#        -----    Solar   ----", "day      Density  Speed   Heat"]
    rows = [f"{k:>3}      {k * k % 90:>7}  {400 + k:>5}   {k * 7 % 30:>4}" for k in range(1, 31)]
    table = read("\n".join([*names, *rows]), "t.txt")
    assert (table.columns, table.n_rows) == (("day", "Density", "Solar Speed", "Heat"), 30)


@pytest.mark.parametrize(
    ("comment", "first", "columns"),
    [
        ("# Date     flux  spots  Field", "2024", ("Date", "column 2", "column 3", "flux", "spots", "Field")),
        ("# from here on", "2024", None),
        ("# 2023 12 31   63    7   -999", "2024", None),  # a row that was left out
        ("# y  m  d flux  spots Field", "2024", ("y", "m", "d", "flux", "spots", "Field")),
    ],
)
def test_a_comment_above_most_columns_of_fixed_width_names_them(comment, first, columns):
    days = [(month, day) for month in range(1, 7) for day in range(1, 31)]
    rows = [f"2024 {m:02d} {d:02d}  {60 + d * d % 90:>3}   {d * m * 7 % 300:>3}   -999" for m, d in days]
    table = read("\n".join([":Product: index", ":Issued: by us", "#", comment, "#" + "-" * 30, *rows]), "t.txt")
    assert table.columns == (columns or tuple(f"column {k}" for k in range(1, 7)))
    assert (table.n_rows, table.row(0)[0]) == (180, first)
