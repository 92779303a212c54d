"""Separator, comments, titles and names by evidence from the whole file, each by the table that showed the need."""

import pytest

from datasets.base.errors import DataError
from datasets.reading import ReadOptions, read_table
from datasets.reading.decoding import kind_of
from datasets.reading.layout import find_table
from datasets.reading.place import _completes
from datasets.reading.quotes import quote_mark

N = 30


def read(text, name="t.csv", **options):
    return read_table(text.encode(), name, ReadOptions(**options))


def rows_of_words(separator, *more):
    return "".join(separator.join([f"{k}.5", f"{k * k}", "xy"[k % 2], *more]) + "\n" for k in range(N))


def test_names_between_tabs_above_rows_that_hold_a_comma_each():
    table = read("a\tb\tlabel\tplace\n" + rows_of_words("\t", "Bern, CH"))
    assert (table.columns, table.n_rows) == (("a", "b", "label", "place"), N)


def test_letters_printed_twice_over_each_other_are_one():
    bold = "".join(f"{letter}\b{letter}" for letter in "aa")
    table = read(f"{bold},_\bb,kind\n" + rows_of_words(","))
    assert (table.columns, table.n_rows) == (("aa", "b", "kind"), N)


@pytest.mark.parametrize(
    ("head", "names"),
    [
        ("a,D(v,0.1),kind", ("a", "D(v,0.1)", "kind")),
        ("a,f(x,y,z),kind", ("a", "f(x,y,z)", "kind")),
        ("a,f(g(x,y),z),kind", ("a", "f(g(x,y),z)", "kind")),
        ("a (cm,b),kind", ("a (cm", "b)", "kind")),
        ("a,b (cm,kind", ("column 1", "a", "b (cm", "kind")),  # with names of the rows
    ],
)
def test_a_comma_inside_brackets_parts_no_name_if_the_rows_have_other_cells(head, names):
    table = read(head + "\n" + rows_of_words(",", *["7"] * (len(names) - 3)))
    assert (table.columns, table.n_rows) == (names, N)


def test_blanks_within_a_name_are_one():
    assert read('"a   name\nof two lines",b,kind\n' + rows_of_words(",")).columns[0] == "a name of two lines"


def test_lines_short_of_cells_do_not_speak_for_a_rarer_separator():
    rows = "".join(f"{k}\t2\tx\t\t\n" if k % 3 else f"{k},5\t2\ty\n" for k in range(N))
    assert read("a\tb\tlabel\tc\td\n" + rows).detected.separator == "\t"


@pytest.mark.parametrize("name", ["t.tsv", "t.tab", "T.TSV"])
def test_an_ending_decides_where_the_evidence_is_balanced(name):
    text = "a;b\tc\n" + "u;v\tw\n" * 9
    assert read(text).detected.separator == ";"
    assert read(text, name).detected.separator == "\t"
    assert read("a,b,c\n" + "1,2,3\n" * 9, name).columns == ("a", "b", "c")  # against the evidence it does not


@pytest.mark.parametrize(
    "above",
    [
        '# made by "logger 7, v2\n# it\'s "so";\n',
        "# station 7;;;;\n# height 3 m;;;;\n",
        "#a;b;c;d\n# so;\n",
        "! one\n! two;three\n",
    ],
)
def test_comments_above_the_table(above):
    table = read(above + "a;b;label\n" + rows_of_words(";"))
    assert (table.columns, table.n_rows) == (("a", "b", "label"), N)
    assert table.detected.n_comments == above.count("\n")
    assert table.line_numbers[0] == above.count("\n") + 2


def test_names_that_begin_with_the_semicolons_of_unnamed_columns():
    """As the German statistical office writes them, below titles filled up with semicolons."""
    rows = [f"01.01.20{k % 20:02d};0{k};Kiel;{k * 37};{k * k}" for k in range(800)]
    above = ["Table: 46251-0006", "Vehicles: districts, date;;;;", "Statistics;;;;", "Vehicles (number);;;;"]
    table = read("\n".join([*above, ";;;Kinds;Kinds", ";;;Cars;Lorries", *rows]))
    assert (table.columns[2:], table.n_rows) == (("column 3", "Kinds Cars", "Kinds Lorries"), 800)


def test_times_below_names_that_are_alike_belong_to_them():
    names = ["Well,Content", *["Raw (600)"] * 12]
    times = [",Time", *(str(10 * k) for k in range(12))]
    rows = [f"A{k},{'xy'[k % 2]}," + ",".join(str((k * j) % 9 + 0.5) for j in range(12)) for k in range(N)]
    table = read("\n".join([",".join(names), ",".join(times), *rows]))
    assert (table.columns[:4], table.n_rows) == (("Well", "Content Time", "Raw (600) 0", "Raw (600) 10"), N)
    other, falls = [f"c{k}" for k in range(12)], [",Time", *(str(10 * k % 70) for k in range(12))]
    blank = [f",x,{line.split(',', 2)[2]}" for line in rows]
    for head, first, below in (
        (names, falls, rows),  # numbers that do not increase
        (names, ["A0", *times[0].split(",")[1:], *times[1:]], rows),  # a row with its own name
        (["Well,Content", *other], times, rows),  # names that differ
        (names, times, blank),  # rows without names
    ):
        assert read("\n".join([",".join(head), ",".join(first), *below])).n_rows == N + 1


def test_years_below_names_that_are_alike_belong_to_them():
    head = "Shop,Sales,Sales,Cost,Cost,Type"
    rows = [f"S{k},{k * 37},{k * 31 % 90},{k * 7 % 40},{k * 3 % 50},{'xy'[k % 2]}" for k in range(N)]
    table = read("\n".join([head, ",2022,2023,2022,2023,", *rows]))
    assert (table.columns[1:5], table.n_rows) == (("Sales 2022", "Sales 2023", "Cost 2022", "Cost 2023"), N)
    founded = [f"S{k},{1990 + k},{1991 + k},{1950 + k},{1960 + k},x" for k in range(N)]
    assert read("\n".join([head, ",2022,2023,2022,2023,", *founded])).n_rows == N + 1  # a shop without a name


def test_names_behind_a_comment_mark():
    table = read("##version 4\n#a\tb\tlabel\n" + rows_of_words("\t"))
    assert (table.columns, table.n_rows, table.detected.n_comments) == (("a", "b", "label"), N, 1)


def test_names_behind_a_mark_above_remarks():
    table = read("#sample\ta\t\tlabel\n#These rows are from 1990\n" + rows_of_words("\t"))
    assert (table.columns, table.n_rows) == (("sample", "a", "label"), N)
    above = "# Range=\tOff\n# Taken=\t3.4.2024 09:57\n# Power\t2\n"
    assert read(above + "".join(f"{k}.5\t{k * k}\n" for k in range(N))).columns[0] == "column 1"


@pytest.mark.parametrize("n_rows", [3, 40])
def test_remarks_do_not_hide_the_separator(n_rows):
    above = "".join(
        f"# {name}   number {k}; of, all\n" for k, name in enumerate(["NUMBER", "FLUX", "ERROR", "MAG"] * 3)
    )
    table = read(above + "".join(f"  {k}.5E-01   -.{k}3E+00   {k * k}\n" for k in range(n_rows)), "t.dat")
    assert (len(table.columns), table.n_rows, table.detected.separator) == (3, n_rows, " ")


@pytest.mark.parametrize("separator", ["\t", " "])
def test_names_that_a_remark_says_it_holds(separator):
    above = ["#separator \\x09", "#path log", separator.join(["#fields", "a", "b", "kind"]), "#types x y"]
    rows = "".join(separator.join([f"{k}.5", f"{k * k}", "xy"[k % 2]]) + "\n" for k in range(N))
    table = read("\n".join(above) + "\n" + rows + "#close 9\n", "t.log")
    assert (table.columns, table.n_rows) == (("a", "b", "kind"), N)


def test_long_lines_of_numbers_above_a_table_that_none_of_them_fits():
    above = ["PLACE,Bern,CHE,46.9", "DESIGN,1,2,3,4,5,6,7,8,9,10", "GROUND,1,2,3,4,5,6,7"]
    rows = "".join(f"{k},{k % 12},{k * k}.5,{k / 7:.3f},9,{k % 5}\n" for k in range(N))
    table = read("\n".join(above) + "\n" + rows)
    assert (len(table.columns), table.n_rows) == (6, N)
    assert "3 lines above the rows were left out, from 'PLACE,Bern,CHE,46.9' on." in table.notes


def test_keys_with_values_above_two_columns():
    above = "".join(f"{line}\n" for line in ("a,x", "b,y", "c,z", "d,7", "e,u", "f,3.4.2024", "g,v"))
    table = read(above + "pressure,loading\n" + "".join(f"{k}.25,{k * k}.5\n" for k in range(N)))
    assert (table.columns, table.n_rows) == (("pressure", "loading"), N)
    assert "7 lines above the names were left out, from 'a,x' on." in table.notes


def test_a_series_matrix():
    above = "!Sample_title\tp1\tp2\tp3\n!Sample_source\tblood\tblood\tskin\n\n!begin\n"
    body = "ID_REF\tG1\tG2\tG3\n" + "".join(f"s_{k}\t{k}.1\t{k}.2\t{k}.3\n" for k in range(N)) + "!end\n"
    table = read(above + body)
    assert (table.columns, table.n_rows) == (("ID_REF", "G1", "G2", "G3"), N)


def test_words_with_blanks_between_tabs_stay_whole():
    assert read("a\tname\n" + "".join(f"{k}\tJo Doe\n" for k in range(N))).rows[0] == ("0", "Jo Doe")


def test_the_first_line_between_tabs_may_lack_the_name_of_the_row_names():
    rows = "".join(f"gene{k}\t{k}\t{k * k}\t{k % 7}\n" for k in range(4))
    table = read("6a\t8a\tB1\n" + rows)
    assert (table.detected.separator, table.columns) == ("\t", ("column 1", "6a", "8a", "B1"))


def test_keys_with_values_and_units_above_three_columns_are_no_names():
    above = [
        'Specimen,"run1"',
        "Load : at most,131.18,lbf",
        "Load : extension,1.5,in",
        "",
        "Time,Extension,Load",
        "(s),(in),(lbf)",
    ]
    table = read("\n".join([*above, *(f'"{k}.5","{k * k}","{k % 7}.25"' for k in range(N))]))
    assert (table.n_rows, table.columns) == (N, ("Time (s)", "Extension (in)", "Load (lbf)"))


def test_names_on_several_lines_between_blanks_belong_to_the_columns_below():
    rows = [f"{k + 1:>6} {k * 0.3:>6.1f} {k % 9:>6} {k * 1.7:>6.1f}" for k in range(40)]
    names = [f"{'':>6} {'Temp':>6} {'':>6} {'Hi':>6}", f"{'Time':>6} {'Out':>6} {'Rain':>6} {'Temp':>6}"]
    table = read("\n".join([*names, "-" * 27, *rows]), "t.txt")
    assert (table.n_rows, table.columns) == (40, ("Time", "Temp Out", "Rain", "Hi Temp"))


@pytest.mark.parametrize(
    "above",
    [
        ["Instrument;XY-12", "Date;3.4.2024", "Operator;Jo", ""],
        ["Instrument;XY-12;;;", "Date;3.4.2024;;;"],
        ["Report of the office", "", "Table 3. Growth;;;;"],
        [f"Key {k};value {k}" for k in range(24)],
    ],
)
def test_lines_above_the_names_of_an_instrument(above):
    table = read("\n".join([*above, "a;b;label;n;m", rows_of_words(";", "1", "2")]))
    assert (table.columns, table.n_rows) == (("a", "b", "label", "n", "m"), N)
    assert any("above the names" in note for note in table.notes)


def test_names_between_tabs_above_decimal_commas():
    above = [f"Setting {k}\tvalue of it" for k in range(30)]
    body = [f"{k},016667\t{'n.a.' if not k else 1}\t-0,{k:02}8750" for k in range(60)]
    table = read("\n".join([*above, "Trace Data:", "Time (min)\tStep (s)\tValue (nC)", *body]), "t.txt")
    assert (table.columns, table.n_rows) == (("Time (min)", "Step (s)", "Value (nC)"), 60)


def survey(*above):
    rows = "".join(f"{k % 5},{['never', 'often'][k % 2]},{k}\n" for k in range(N))
    return "".join(",".join(line) + "\n" for line in above) + rows


def test_a_first_row_below_names_with_blanks_among_them_is_no_line_of_names():
    days = [f"3/{k + 1}/23,{'blank' if k % 3 else 'pool'},run" for k in range(20)]
    table = read_table(
        "\n".join(["name,day,,", *(f"s{k}-pos.raw,{day}" for k, day in enumerate(days))]).encode(), "t.csv"
    )
    assert (table.columns, table.n_rows) == (("name", "day", "column 3", "column 4"), 20)


def test_the_questions_of_a_survey_below_its_names():
    text = survey(
        ["Q1", "Q2", "age"],
        ["How satisfied are you with the canteen?", "How frequently do you go there?", "How old are you in years?"],
        ['"{""ImportId"":""QID1""}"', '"{""ImportId"":""QID2""}"', '"{""ImportId"":""QID3""}"'],
    )
    table = read(text)
    assert (table.columns, table.n_rows, table.detected.header_lines) == (("Q1", "Q2", "age"), N, 3)


def test_the_answers_of_a_survey_below_its_questions():
    rows = "".join(f"{k * 7},{'nine' * (k % 2)},{'eight' * (k % 3 > 0)},{'pq'[k % 2]},{k}\n" for k in range(N))
    table = read(f"id,Which one?,,,How old?\n,nine,eight,other,\n{rows}")
    names = ("id", "Which one? nine", "Which one? eight", "Which one? other", "How old?")
    assert (table.columns, table.n_rows) == (names, N)


def test_numbers_of_rows_called_so_are_no_comment_though_a_name_goes_on_in_the_next_lines():
    rows = "".join(f"r{k},x{k},{k},{'nine' * (k % 2)},{'eight' * (k % 3 > 0)}\n" for k in range(N))
    text = f',Who?,Age,Which versions?,\n#,you,"How old?\n\nIs it correct, ""really""?",nine,eight\n{rows}'
    names = ("#", "Who? you", 'Age How old? Is it correct, "really"?', "Which versions? nine", "eight")
    assert (read(text).columns, read(text).n_rows) == (names, N)
    assert read("a,b,c\n#,1,2\n1,2,3\n4,5,6\n", comment="#").n_rows == 2


def test_types_and_roles_below_the_names():
    table = read(survey(["mark", "visit", "age"], ["c", "discrete", "c"], ["", "class", ""]))
    assert (table.columns, table.n_rows) == (("mark c", "visit discrete class", "age c"), N)


def test_a_word_that_occurs_once_in_a_short_table_is_data():
    words = ["q,low", "p,high", "p,high", "r,mid", "r,mid", "p,high", "r,high"]
    table = read("\n".join(["kind,tone", *words]))
    assert (table.columns, table.n_rows) == (("kind", "tone"), 7)


def test_names_end_with_the_last_line_that_is_no_data():
    rows = "".join(f"{k},{k * k % 7}.5,{k % 3}.25\n" for k in range(N))
    table = read("network,1,1\nnode,1,2\nside,left,right\n" + rows)
    assert (table.columns, table.n_rows) == (("network node side", "1 left", "1 2 right"), N)


def test_a_row_with_a_number_in_its_column_is_no_line_of_names():
    rows = "".join(f"{k}," + ",".join("pq"[k % 2] * 9) + "\n" for k in range(N))
    names = "id," + ",".join("abcdefghi")
    assert read(f"{names}\n1599,{names[3:].upper()}\n{rows}").n_rows == N + 1


def test_numbers_with_a_mark_behind_a_blank_are_no_names():
    """As the weather service of Japan marks what is incomplete."""
    rows = [f"{1911 + k},,10{k}.5,18{k * k % 90},{k % 7},{k}.5,9" for k in range(12)]
    names, marked = ",wind,hPa,rain,wet,warm,sun", "1910,,1012.1 ],1431.4 ],141.4 ],15.9 ],7 )"
    assert read("\n".join([names, marked, *rows])).n_rows == 13


def test_grouped_numbers_are_no_names():
    rows = "".join(f"place {k},{k + 1} {100 + k},${k + 2},{'xy'[k % 2]}\n" for k in range(N))
    assert read('Country,Total,Price,kind\nWORLD,243 700 236,"$1,234",z\n' + rows).n_rows == N + 1


def test_a_first_row_of_data_that_is_odd_is_data():
    text = "a,b,label\n?,NA,x\n" + "".join(f"{k},{k * k},{'xy'[k % 2]}\n" for k in range(N))
    assert read(text).n_rows == N + 1
    assert (
        read("a,kind,label\nword,p,x\n" + "".join(f"{k},{'pq'[k % 2]},{'xy'[k % 2]}\n" for k in range(N))).n_rows
        == N + 1
    )


def test_names_that_span_several_lines_below_a_title():
    names = 'time,"power\n(kW)","price\n(EUR)",kind'
    table = read(f"Plant 7,,,\n{names}\n" + rows_of_words(",", "u"))
    assert (table.columns, table.n_rows) == (("time", "power (kW)", "price (EUR)", "kind"), N)


def test_names_above_units_and_parts_below_the_head_of_a_report():
    head = ["Summary,,,,,", "Name:,,run 7,,Made:,3 May", "Place:,,hall,,By:,Jo", "Runs:,,40,,,", "Part,,salt,,,"]
    names = ["No.,sample,time,area,height,form", ",,min,mm,mm,", ",,salt,salt,iron,iron"]
    rows = "".join(f"{k},s{k},{k}.5,{k * k}.25,{k / 7:.3f},{'BM'[k % 2]}\n" for k in range(N))
    table = read("\n".join([*head, *names, rows]))
    assert (table.columns[0], table.columns[2:4]) == ("No.", ("time min salt", "area mm salt"))
    assert (table.n_rows, table.line_numbers[0]) == (N, 9)


def test_heads_of_groups_with_fewer_cells_than_the_rows():
    text = "".join(
        f"A{k},storm {k},9\n" + "".join(f"{k}{j},{j},DB,{j * j}.5,{j + k}\n" for j in range(12)) for k in range(4)
    )
    table = read(text, "t.txt")
    assert (len(table.columns), table.n_rows) == (5, 52)
    assert "4 short lines were filled up with missing cells (lines 1, 14, 27, 40)." in table.all_notes


def test_a_remark_right_above_the_names_with_one_cell_fewer():
    table = read("taken at dawn, by Jo\na,b,label\n" + rows_of_words(","))
    assert (table.columns, table.n_rows) == (("a", "b", "label"), N)


def test_a_second_line_of_names_may_hold_numbers_among_ranges():
    rows = "".join(f"{1990 + k},{'mf'[k % 2]}," + ",".join(str(k * j + 7) for j in range(6)) + "\n" for k in range(N))
    table = read("year,sex,age,age,age,age,age,age\nyear,sex,0,1~4,5~9,10~14,15~19,20~\n" + rows)
    assert (table.columns[:4], table.n_rows) == (("year", "sex", "age 0", "age 1~4"), N)


def test_rows_without_numbers_further_down_do_not_make_those_above_a_title():
    rows = "".join(f"thing {chr(97 + k)}x,{k}.5,0.{k}\n" for k in range(20)) + "".join(
        f"th,from {k},\n" for k in "abc" * 12
    )
    assert read("what,value,error\n" + rows).n_rows == 56


def test_a_line_drawn_below_names_is_no_row():
    table = read("|a|b|kind|\n|:---|---:|----|\n" + "".join(f"|{k}w|{k}z|{'xy'[k % 2]}|\n" for k in range(N)))
    assert (table.columns, table.n_rows) == (("a", "b", "kind"), N)
    assert table.notes == ("Columns are separated by pipe.",)
    short = read("|a|b\n" + "".join(f"|{k}|{k * k}|{'xy'[k % 2]}\n" for k in range(N)))
    assert "The last column has no name." in short.notes
    assert not any("---" in note for note in table.notes)


def test_a_row_of_missing_cells_is_no_drawn_line():
    table = read("a,b,kind\n-,-,-\n" + rows_of_words(","))
    assert (table.n_rows, table.notes) == (N, ("1 row holds no value and was left out (line 2).",))
    assert read("a,b,kind\n-,-,x\n" + rows_of_words(",")).n_rows == N + 1


def test_a_question_of_several_lines_below_the_names_is_no_prose():
    question = 'How?,"I have read\nall of it.\nMy questions, too,\nare answered",years\n'
    rows = "".join(f"{k % 5},{k * k % 7},{k}\n" for k in range(N))
    table = read(f"Q1,Q2,age\n{question}{rows}")
    assert (table.columns[0], table.columns[2], table.n_rows) == ("Q1", "age", N)


def test_years_one_fewer_than_the_cells_below_a_title():
    rows = "".join(f"{k}0 to {k}9,{k}.5,{k * k}.25,{k}\n" for k in range(N))
    table = read("Prices,percent\n1998,1999,2000\n" + rows)
    assert (table.columns, table.n_rows) == (("column 1", "1998", "1999", "2000"), N)


def test_rows_of_other_words_at_the_top_are_rows():
    above = "".join(f"LO.{k}.RE,reading,some,PISA,{chr(97 + k)}\n" for k in range(12))
    below = "".join(
        f"SE.TER.{chr(97 + k % 26)}.{k},{chr(97 + k % 26)}{chr(97 + k // 26)},more,UNESCO,{'xy'[k % 2]}\n"
        for k in range(60)
    )
    assert read("Code,Series,Text,Source,Topic\n" + above + below).n_rows == 72


def test_a_line_of_a_control_character_that_counts_as_blank_is_no_crash():
    with pytest.raises(DataError):
        read("\x01\n\x0b")


def test_the_last_column_has_no_name_below_names_that_begin_blank():
    plate = [f"{row if not k else ''}\t0.{k}1\t0.{k}7\t0.04{k}\t0.05{k}\tAB{k}" for row in "ABCDEF" for k in range(3)]
    table = read("\n".join(["Version\t3.02", "Results", "\t1\t2\t3\t4", *plate]), "t.txt")
    assert table.columns == ("column 1", "1", "2", "3", "4", "column 6")
    assert (table.n_rows, table.rows[0][-1]) == (18, "AB0")
    assert "The last column has no name." in table.notes


@pytest.mark.parametrize("separator", [",", ";"])
def test_lines_quoted_whole_are_cut_inside_their_quotes(separator):
    inside = [["place", '""year""', "value"], *([f"P{k % 3}", f'""20{k}""', str(k)] for k in range(10, 40))]
    table = read("".join(f'"{separator.join(row)}"\n' for row in inside))
    assert (table.columns, table.n_rows) == (("place", "year", "value"), 30)
    assert table.rows[0] == ("P1", "2010", "10")
    assert "Each line was in quotes as a whole; these were left out." in table.notes


def test_one_quoted_cell_a_line_stays_one_where_marks_cut_them_differently():
    assert read('"a, b"\n"c"\n"d, e, f"\n"g"\n').columns != ("a", "b")
    assert len(read('"a, b"\n"c"\n"d, e, f"\n"g"\n').columns) == 1


def test_a_mark_in_few_lines_is_no_separator():
    log = [f"May {k} host daemon: started{' again' * (k % 9)}" for k in range(60)]
    assert find_table("\n".join(["May 1 host sudo: root ; PWD=/root ; USER=root", *log]), "t.log") == (",", 0)
    log = [f"{'daemon ' * (1 + k % 7)}started{' again' * (k % 9)}" for k in range(60)]
    with pytest.raises(DataError, match=r"is no table: neither comma, .* or fixed width cuts most lines alike"):
        read("\n".join([*log, "May host sudo: root, wheel"]), "t.log")


def test_a_few_numbers_at_the_end_are_no_table_below_prose():
    words = "".join(f"{'abc'[k % 3]} x,{'de'[k % 2]} y\n" for k in range(13))
    assert find_table(words + "1;2;3\n4;5;6\n", "t.csv") == (",", 0)


@pytest.mark.parametrize("step", [3.5, -3.5])
def test_numbers_that_increase_or_decrease_above_others_are_names(step):
    waves = [f"{603.29 + step * k:.2f}" for k in range(12)]
    body = [[f"1.{k}", "ab"[k % 2], *(f"{(7 * k + 5 * j) % 11}e-5" for j in range(12))] for k in range(12)]
    table = read("\n".join("\t".join(row) for row in [["", "--", *waves], *body]))
    assert (table.columns, table.n_rows) == (("column 1", "--", *waves), 12)
    growing = [["x", "y", *(f"{k + j * step}" for j in range(12))] for k in range(12)]
    assert read("\n".join("\t".join(row) for row in growing)).n_rows == 12


@pytest.mark.parametrize("separator", ["\t", "|"])
def test_lone_quotes_are_parts_of_cells_where_all_lines_are_cut_alike(separator):
    lines = ['ham{}"See you {}', "spam{}win {}", 'ham{}"go" he said {}']
    table = read("".join(line.format(separator, k) + "\n" for k, line in enumerate(lines * 9)))
    assert (table.n_rows, table.rows[0][1]) == (27, '"See you 0')
    wrapped = read("".join(f'{k}{separator}"a\nb"{separator}x\n' for k in range(9)))
    assert (wrapped.n_rows, wrapped.rows[0][1]) == (9, "a\nb")


def test_columns_beyond_the_names_have_none():
    table = read("id,size\n" + "".join(f"{k},{k * k % 7},{k % 3},{'xy'[k % 2]}\n" for k in range(N)))
    assert (table.columns, table.n_rows) == (("id", "size", "column 3", "column 4"), N)
    assert "The last 2 columns have no names." in table.notes


@pytest.mark.parametrize("begin", ["[10.30 16:49:06] open,", "[Header]\na,", "[Sun Dec 04] [notice] a,"])
def test_text_that_begins_with_a_bracket_is_not_json(begin):
    assert kind_of(f"{begin}b\n1,2\n".encode(), "t.log") == "text"
    assert (
        kind_of(b'[{"a": 1}]', "t.log") == kind_of(b"[[1, 2], [3, 4]]", "t.log") == kind_of(b"[1]\n[2]", "t") == "json"
    )


@pytest.mark.parametrize("gap", [False, True])
def test_names_and_units_between_drawn_lines_head_a_sounding(gap):
    rows = [
        "".join(f"{cell:>7}" for cell in (1000 - 9 * k, 100 + 80 * k, f"{27 - k / 2:.1f}", k % 9)) for k in range(40)
    ]
    rows[0] = rows[0][:14] if gap else rows[0]
    rule = "-" * 28
    table = read("\n".join([rule, "   PRES   HGHT   TEMP   SKNT", "    hPa      m      C   knot", rule, *rows]))
    assert (table.columns, table.n_rows) == (("PRES hPa", "HGHT m", "TEMP C", "SKNT knot"), 40)
    assert "----" not in " ".join(table.notes)


def test_two_colons_separate_where_they_cut_all_lines_alike():
    table = read("".join(f"{k}::Film: {k}, The::{'xy'[k % 2]}\n" for k in range(N)), "movies.dat")
    assert (table.n_rows, table.row(3)) == (N, ("3", "Film: 3, The", "y"))
    assert "Columns are separated by two colons." in table.notes
    assert len(read("a,kind\nstd::map,x\n" + "vector,y\n" * N).columns) == 2


def test_lists_with_semicolons_in_cells_leave_commas_the_separator():
    rows = [
        f'{k},{"ab"[k % 2]},"{";".join("xyzuvw"[: 3 + k % 4])}","{";".join("stq"[: 2 + k % 2])}"' for k in range(40)
    ]
    table = read_table("\n".join(["id,type,domains,areas", *rows]).encode(), "t.csv")
    assert (len(table.columns), table.n_rows) == (4, 40)


def test_records_whose_cells_hold_brackets_are_json():
    assert kind_of(rb'[{"names": "[\"a.csv\"]", "label": "x"}]', "t.json") == "json"


def test_colons_separate_where_nothing_else_does():
    stars = "".join(
        f"0{k % 9}:4{k % 10}:08.9:-1{k % 7}.5:{'CMa' if k % 2 else 'Car'}:Alp {'b ' * (k % 3)}{k}\n" for k in range(N)
    )
    found = read("# hours:minutes\n\n" + stars, "stars.dat")
    assert (found.detected.separator, len(found.columns), found.n_rows) == (":", 6, N)
    times = "".join(f"0{k % 9}:4{k % 10}:08{{0}}{k}.5{{0}}{'xy'[k % 2]}\n" for k in range(N))
    for mark in (" ", ",", "\t"):
        assert read(f"time{mark}a{mark}label\n" + times.format(mark), "t.txt").detected.separator == mark
    keys = "".join(f"C{k}:0 {k}.5 {k * k} {'word ' * (k % 3)}\n" for k in range(N))
    assert find_table(keys, "t.txt")[0] != ":"


def test_cells_kept_from_being_guessed_are_read_as_what_they_say():
    table = read_table(b'a;b;kind\n="007";"=""2""";="u"\n="8";"=""3""";v\n', "t.csv")
    assert table.rows == [("007", "2", "u"), ("8", "3", "v")]
    assert '5 cells are written as ="…" and read as what it says.' in table.notes
    assert read_table(b'a;kind\nx="1";u\n"y=""2""";v\n', "t.csv").column("a") == ['x="1"', 'y="2"']


def test_names_with_a_decimal_comma_that_increase_are_names():
    names = ["index", "time (s)", *(f"{k / 10:.1f}".replace(".", ",") for k in range(8, 22))]
    rows = ["\t".join([str(k), "1,001" if k % 2 else "0,999", *(str(k * j % 9) for j in range(14))]) for k in range(30)]
    table = read_table("\n".join(["Title", "", "\t".join(names), *rows]).encode(), "t.txt")
    assert (table.columns, table.n_rows) == (tuple(names), 30)


def test_a_line_that_repeats_the_numbers_of_the_names_is_no_row():
    names = ["row", "content", *(f"at {k} nm" for k in range(220, 232))]
    rows = [",".join(["AB"[k % 2], f"X{k}", *(f"{k * j % 7 / 3:.3f}" for j in range(12))]) for k in range(30)]
    lines = [",".join(names), ",," + ",".join(map(str, range(220, 232))), *rows]
    table = read_table("\n".join(lines).encode(), "t.csv")
    assert (table.columns, table.n_rows) == (tuple(names), 30)
    lines[1] = ",," + ",".join(map(str, range(320, 332)))
    assert read_table("\n".join(lines).encode(), "t.csv").n_rows == 31


def test_names_between_blanks_above_rows_between_tabs():
    rows = [f"{k}\tAndrena {['alba', 'nigra'][k % 2]}\t{'fm'[k % 2]}\t{k * k % 7}.5" for k in range(30)]
    table = read_table("\n".join(["Sample species sex size", *rows]).encode(), "t.txt")
    assert table.columns == ("Sample", "species", "sex", "size")
    assert table.row(1) == ("1", "Andrena nigra", "m", "1.5")
    titled = "\n".join(["Sizes of some bees today", "Sample\tspecies\tsex\tsize", *rows])
    assert read_table(titled.encode(), "t.txt").columns == ("Sample", "species", "sex", "size")


def test_numbers_of_the_columns_above_their_names_are_no_part_of_these():
    rows = [" ".join([str(k), *(f"{k * j % 7 + 0.5:.3E}" for j in range(1, 7))]) for k in range(30)]
    text = "\n".join(["1 2 3", "version date mass", "7 8 9", "", "1 2 3 4 5 6 7", "step a b c d e f", *rows])
    assert read_table(text.encode(), "t.hist").columns == ("step", "a", "b", "c", "d", "e", "f")


def test_names_stand_above_units_that_repeat():
    rows = [f"2015 01 {k % 28 + 1:02d} {k * 7 % 360} {k / 7:.1f} {k / 3:.1f}" for k in range(40)]
    table = read_table("\n".join(["#YY MM DD WDIR WSPD GST", "#yr mo dy degT m/s m/s", *rows]).encode(), "t.txt")
    assert table.columns == ("YY", "MM", "DD", "WDIR", "WSPD", "GST")
    table = read_table("\n".join(["#by us in the year five", "#YY MM DD WDIR WSPD GST", *rows]).encode(), "t.txt")
    assert table.columns == ("YY", "MM", "DD", "WDIR", "WSPD", "GST")


def test_dicts_as_python_prints_them_are_records():
    text = "\n".join(str({"step": k, "mode": "ab"[k % 2], "loss": k / 7, "best": None}) for k in range(9))
    table = read_table(text.encode(), "t.txt")
    assert (table.columns, table.row(1)[:2]) == (("step", "mode", "loss", "best"), ("1", "b"))
    with pytest.raises(DataError, match="is not sound JSON"):
        read_table(b"{'a': 1}\n{'a': print(1)}\n", "t.txt")


@pytest.mark.parametrize("years", ["2019", "Y2019"])
def test_headings_of_two_levels_tell_equal_names_apart(years):
    head = [f",{years},,,,{years[:-4]}2020,,,", ",Men,,Women,,Men,,Women,", "Region," + ",".join("AB" * 4)]
    rows = "".join(f"R{k}," + ",".join(str(k * j % 11 + j) for j in range(1, 9)) + "\n" for k in range(N))
    names = read("\n".join([*head, rows])).columns
    assert names[1:5] == tuple(f"{years} {who} {what}" for who in ("Men", "Women") for what in "AB")
    assert names[-1] == f"{years[:-4]}2020 Women B"


def test_single_quotes_hold_separators_where_only_so_rows_are_of_one_width():
    lines = ["a;about;kind"]
    for k in range(40):
        about = f"'first; \"so {k}\"\nand more'" if k % 4 == 0 else f'"so" it is {k}'
        lines.append(f"{k};{about};{'xy'[k % 2]}")
    text = "\n".join(lines) + "\n"
    table = read_table(text.encode(), "t.csv")
    assert (table.n_rows, table.columns) == (40, ("a", "about", "kind"))
    assert table.row(4) == ("4", 'first; "so 4"\nand more', "x")
    assert quote_mark(text, ";") == "'"
    assert quote_mark(text.replace("and more'", "and more"), ";") == '"'  # apostrophes that quote nothing
    assert quote_mark('a;b\n"1;2";\'t Hof\n"3;4";x\n' * 9, ";") == '"'


@pytest.mark.parametrize(("mark", "n_rows"), [("", 20), ("%", 21)])
def test_quantiles_above_plain_numbers_are_names(mark, n_rows):
    rows = [",".join([f"term {k % 6}", *(f"{k * j % 13 + j}.5{mark}" for j in range(7))]) for k in range(20)]
    head = "term,10.5%,2%,10%,25%,75%,90%,98%"
    assert read("\n".join([head, *rows]) + "\n").n_rows == n_rows


@pytest.mark.parametrize(("packed", "n_columns"), [("ABC", 11), ("AB", 9)])
def test_keys_that_the_first_column_packs_are_columns(packed, n_columns):
    rows = [f"EUR,S{k % 3},{'A,B' if packed == 'AB' and k == 4 else 'AT'}\t{k}.5 \t{k * k % 7} p" for k in range(12)]
    rows = [row + "\t3.5 " * 6 for row in rows]
    table = read_table(
        "\n".join(["unit,sector,geo\\time" + "".join(f"\t{year} " for year in range(2014, 2006, -1)), *rows]).encode(),
        "t.tsv",
    )
    assert len(table.columns) == n_columns
    if packed == "ABC":
        assert table.columns[:5] == ("unit", "sector", "geo", "2014", "2013")
        assert table.row(5)[:5] == ("EUR", "S2", "AT", "5.5", "4")
        assert "packs several keys; each is a column." in " ".join(table.notes)


@pytest.mark.parametrize(("n_both", "n_rows"), [(0, 9), (2, 10)])
def test_names_that_fill_the_blanks_of_the_line_above_are_names(n_both, n_rows):
    names = [
        *(f"setting {k}" for k in range(8)),
        *["sizes"] * min(1, n_both),
        *["x"] * max(0, n_both - 1),
        *[""] * (8 - n_both),
    ]
    sizes = [*[""] * 8, *(f"{k * 1.5 + 0.5}" for k in range(8))]
    rows = [[str(k * j % 9) for j in range(16)] for k in range(9)]
    table = read_table("\n".join(",".join(row) for row in [names, sizes, *rows]).encode(), "t.csv")
    assert table.n_rows == n_rows
    assert (table.columns[-1] == "11.0") == (n_both == 0)


def test_flags_of_eurostat_make_no_row_a_line_of_names():
    years = "".join(f"\t{year} " for year in range(2013, 1998, -1))
    flags = {0: 1, 1: 6}  # of the first rows; the third has nothing but flags, the others have none
    cells = [[f"{k * j % 17}.5{' b' * (j < flags.get(k, 0))} " for j in range(15)] for k in range(60)]
    cells[2] = [": u "] * 15
    rows = ["\t".join([f"Y15,{'FM'[k % 2]},A{k}", *each]) for k, each in enumerate(cells)]
    table = read_table("\n".join(["age,sex,geo\\time" + years, *rows]).encode(), "t.tsv")
    assert (table.n_rows, table.columns[2:4]) == (60, ("geo", "2013"))
    assert table.row(0)[3:5] == ("0.5", "0.5")
    assert table.row(2)[3:] == (":",) * 15
    assert "22 flags behind numbers or gaps were left out, as in '9.4 b' and ': u'." in table.notes


def test_numbers_with_a_decimal_comma_below_a_name_with_one_are_no_keys():
    rows = [f"{k},5;{k * k % 7};{'uv'[k % 2]}" for k in range(12)]
    table = read("\n".join(["length, mm;size;kind", *rows]))
    assert (table.columns, table.row(3)) == (("length, mm", "size", "kind"), ("3,5", "2", "v"))


@pytest.mark.parametrize(("n_sizes", "are_names"), [(8, False), (10, True)])
def test_names_below_others_fill_nearly_all_that_these_leave_blank(n_sizes, are_names):
    row = (*[""] * 8, *["0.5"] * n_sizes, *[""] * (12 - n_sizes))
    assert _completes(row, [(*"abcdefgh", *[""] * 12)]) == are_names


@pytest.mark.parametrize(("n_padded", "is_said"), [(1, True), (0, False), (36, False)])
def test_blanks_at_the_ends_of_cells_are_said_where_some_lines_have_them(n_padded, is_said):
    rows = [f"{k}.5,Normal{'  ' * (k < n_padded)},{k * k % 7}" for k in range(36)]
    table = read("\n".join(["a,kind,b", *rows]))
    assert set(table.column("kind")) == {"Normal"}
    assert any("Blanks at the ends of cells were left out in 1 line." in note for note in table.notes) == is_said
    assert any("Blanks at the ends" in note for note in table.notes) == is_said
