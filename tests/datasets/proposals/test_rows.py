"""Rows that are no data are skipped, what only looks like them is kept, and nothing is parsed twice."""

import dataclasses
import json
from itertools import chain

import pytest

from datasets.columns import build_dataset, cells
from datasets.proposals import Choices, apply, propose
from datasets.reading import Table, read_table
from tests.datasets.files import workbook
from tests.datasets.proposals.tables import normal, table_of

N = 40
MEASURED = zip(normal(N), normal(N, 1), strict=True)
ROWS = [f"plot {k},{a},{b},{'wet' if k % 3 else 'dry'}" for k, (a, b) in enumerate(MEASURED)]
HEADER = "plot,growth,height,kind"


def proposal_of(*lines):
    return propose(read_table("\n".join([HEADER, *lines]).encode(), "t.csv"))


@pytest.mark.parametrize(
    ("lines", "kind", "n"),
    [
        ([*ROWS, "Source: a register"], "footer", 1),
        ([*ROWS, "", "* preliminary", "(40 rows)"], "footer", 2),
        ([*ROWS, "Total,31,25,", "Average,1.5,2.5,"], "summary", 2),
        ([*ROWS, "celkem/průměr,31,25,"], "summary", 1),
        (["全国,31,25,", *ROWS[:20], "総数,15,12,", *ROWS[20:]], "summary", 2),
        (["全 市,31,25,", *ROWS[:20], "全县,15,12,", *ROWS[20:]], "summary", 2),
        (["Insgesamt,31,25,", *ROWS[:20], "Zusammen,15,12,", *ROWS[20:]], "summary", 2),
        ([*ROWS[:20], HEADER, *ROWS[20:]], "header", 1),
        ([*ROWS[:20], HEADER.upper().replace("PLOT", "plot"), *ROWS[20:]], "header", 1),
        ([*ROWS, "", "device,maker,since,by", "d1,m1,2001,a", "d2,m2,2002,b"], "second_table", 3),
        ([*ROWS, "Devices", "device,maker,since,by", "d1,m1,2001,a", "d2,m2,2002,b"], "second_table", 4),
        ([*ROWS, "plot,x,y,type", "d1,1.5,2.5,a", "plot,u,v,sort", "d2,3.5,4.5,b"], "second_table", 4),
    ],
)
def test_rows_that_are_no_data(lines, kind, n):
    proposal = proposal_of(*lines)
    assert [(group.kind, len(group.rows)) for group in proposal.groups] == [(kind, n)]
    plan = apply(proposal)
    assert plan.ready
    assert plan.columns.features == ("growth", "height")
    dataset = build_dataset(plan.table, plan.columns)
    assert (dataset.n_samples, dataset.class_names) == (N, ("dry", "wet"))
    assert proposal.groups[0].sentence in plan.costs
    assert proposal.groups[0].sentence in dataset.notes
    lines_skipped = {proposal.source.line_numbers[k] for k in proposal.groups[0].rows}
    assert not lines_skipped & set(dataset.row_numbers.tolist())


def test_a_repeated_header_is_known_by_names_that_stand_in_it_twice():
    rows = [f"{k},{k}.5,{k * k},{k}" for k in range(20)]
    data = "\n".join(["Year,a,b,Year", *rows[:9], "Year,a,b,Year", *rows[9:]]).encode()
    (group,) = propose(read_table(data, "t.csv")).groups
    assert (group.kind, group.rows) == ("header", (9,))


def test_totals_stand_at_an_end_of_the_table():
    assert not proposal_of(*ROWS[:20], "Max,1.5,2.5,dry", *ROWS[20:]).groups  # a given name
    (group,) = proposal_of("Total,90,80,", *ROWS).groups
    assert (group.kind, group.rows) == ("summary", (0,))
    (group,) = proposal_of(*ROWS[:20], "Subtotal,90,80,", *ROWS[20:30], "Subtotal:,9,8,", *ROWS[30:]).groups
    assert (group.kind, group.rows) == ("summary", (20, 31))  # no word that is anything else
    assert not proposal_of(*ROWS[:10], *["Total,1.5,2.5,dry"] * 6).groups
    assert not proposal_of(*ROWS[:20], "Total,90,80,", *ROWS[20:30], "Max,9,8,dry", *ROWS[30:]).groups


def test_a_column_that_marks_totals_only_says_which_rows_are_totals():
    rows = [f",{'abc'[k // 5]},{k}.5,{'wet' if k % 2 else 'dry'}" for k in range(15)]
    marked = [*rows[:5], "Total,a,12.5,", *rows[5:10], "Total,b,37.5,", *rows[10:], "Total,c,62.5,"]
    (group,) = proposal_of(*marked).groups
    assert (group.kind, group.rows) == ("summary", (5, 11, 17))
    others = [line.replace(",c", "new,c").replace("Total", "Mean") for line in marked]
    assert not proposal_of(*others).groups  # it says other things, too
    assert not proposal_of(*rows[:3], *("Total" + row for row in rows[3:])).groups


@pytest.mark.parametrize("first", [False, True])
def test_a_row_of_sums_is_a_total_in_any_language(first):
    rows = [f"plot {k},{k}.5,{k * k},{'wet' if k % 3 else 'dry'}" for k in range(1, N + 1)]
    total = f"Łącznie,{sum(k + 0.5 for k in range(1, N + 1))},{sum(k * k for k in range(1, N + 1))},"
    (group,) = proposal_of(*([total] * first), *rows, *([total] * (not first))).groups
    assert (group.kind, group.rows) == ("summary", (0 if first else N,))
    assert not proposal_of(*rows, total.replace(".0", ".9").replace("840", "740")).groups


def test_the_sum_of_one_column_or_of_nothing_but_zeros_is_no_total():
    one = [f"plot {k},wet,{k * k},dry" for k in range(1, N + 1)]
    assert not proposal_of(*one, f"plot {N + 1},wet,{sum(k * k for k in range(1, N + 1))},dry").groups
    zeros = [f"plot {k},0,0,{'wet' if k % 3 else 'dry'}" for k in range(1, N + 2)]
    assert not proposal_of(*zeros).groups
    assert not proposal_of("plot 1,2,3,wet", "plot 2,2,3,dry").groups


def test_a_long_list_of_notes_is_a_footer():
    proposal = proposal_of(*ROWS, *(f"{k}. of the notes" for k in range(60)))
    assert [(group.kind, len(group.rows), group.ask) for group in proposal.groups] == [("footer", 60, True)]


def test_they_are_kept_where_the_user_says_so():
    proposal = proposal_of(*ROWS, "Mean,1.5,2.5,", "Source: a register")
    plan = apply(proposal)
    assert plan.proposal.skipped == ("footer", "summary")
    kept = apply(plan.proposal, Choices().saying("row_groups", "summary", False))
    assert len(kept.table.rows) == N + 1
    assert kept.proposal.skipped == ("footer",)
    assert len([question for question in kept.questions if question.key == "rows"]) == 1
    again = apply(kept.proposal, kept.choices)
    assert again.table is kept.table  # not looked over a second time
    assert apply(kept.proposal, Choices()).table.rows == plan.table.rows


@pytest.mark.parametrize(
    "lines",
    [
        ROWS,
        [row.replace("plot 7,", "min,") for row in ROWS[:5]] + ROWS[5:],
        [f"{'mean' if k % 2 else 'max'},{row.split(',', 1)[1]}" for k, row in enumerate(ROWS)],
        [*ROWS, "plot 41,n/a,n/a,dry"],
    ],
)
def test_what_only_looks_like_it_is_kept(lines):
    assert proposal_of(*lines).groups == ()


def test_more_than_a_fifth_is_asked():
    second = ["device,maker,since,by", *(f"d{k},m{k},20{10 + k},a" for k in range(20))]
    plan = apply(proposal_of(*ROWS, "", *second))
    assert not plan.ready
    question = plan.questions[0]
    assert (question.key, question.blocking) == ("rows", True)
    assert question.answers[0].cost == "21 rows fewer"
    assert apply(plan.proposal, question.answers[0].choices).ready


def test_each_column_is_parsed_once(monkeypatch):
    parsed = []
    plain = cells._parsed
    monkeypatch.setattr(cells, "_parsed", lambda column: parsed.append(column.name) or plain(column))
    rows = "".join(f"{k * 0.37:.3f},{(k * k) % 97},{'pqr'[k % 3]},{'xy'[k % 2]}\n" for k in range(2_000))
    plan = apply(propose(read_table(f"a,b,c,label\n{rows}".encode(), "t.csv")))
    for choices in (Choices(), Choices(label="c"), Choices(label="c").saying("roles", "a", "left_out")):
        plan = apply(plan.proposal, choices)
        build_dataset(plan.table, plan.columns)
    assert sorted(parsed) == ["a", "b", "c", "label"]


def test_what_was_parsed_goes_with_the_table():
    table = read_table(b"a,label\n" + b"1,x\n2,y\n" * 9, "t.csv")
    propose(table)
    assert table.parsed
    assert dataclasses.replace(table, name="u.csv").parsed == {}


def test_what_was_parsed_is_kept_beside_a_new_column():
    table = read_table(b"a,b,label\n" + b"1,2,x\n3,4,y\n" * 9, "t.csv")
    numbers = cells.column_of(table, "a").numbers
    wide = table.with_column("kind", ["u"] * 18)
    assert cells.column_of(wide, "a").numbers is numbers
    assert cells.column_of(wide, "kind").n_values == 1
    assert "kind" not in table.parsed


GROUPS = [f"Group {name}" for name in "abc"]


def test_headings_of_groups_whose_rows_begin_with_a_blank_are_filled_down():
    rows = [[f"{name},,,", *(f",{kind},{k}.5,{k * k}" for k, kind in enumerate(("low", "high")))] for name in GROUPS]
    table = proposal_of(*chain.from_iterable(rows), "Source: a register,,,").source
    assert [row[0] for row in table.rows] == [*(name for name in GROUPS for _ in range(2)), "Source: a register"]
    assert "3 rows with a heading only were left out; it stands in 'plot' of the rows below each." in table.notes
    assert table.line_numbers.tolist() == [3, 4, 6, 7, 9, 10, 11]
    named = proposal_of(*chain.from_iterable(rows), "Group d,low,1.5,2").source
    assert named.n_rows == 10  # a row that has all cells: blanks are gaps
    headless = proposal_of(",low,1.5,2", *chain.from_iterable(rows)).source
    assert headless.n_rows == 10  # the first belongs to no group
    sparse = proposal_of(*(f"{name},,," for name in GROUPS), ",low,1.5,2", ",high,2.5,4", *GROUPS).source
    assert sparse.n_rows == 8  # more headings than rows


def test_headings_among_rows_with_names_are_skipped():
    rows = [[name, *ROWS[10 * k : 10 * k + 10]] for k, name in enumerate(GROUPS)]
    (heading,) = proposal_of(*chain.from_iterable(rows)).groups
    assert (heading.kind, heading.rows) == ("heading", (0, 11, 22))
    footer, heading = proposal_of(*chain.from_iterable(rows), "Source: a register", "Note: all").groups
    assert (footer.kind, footer.rows, heading.rows) == ("footer", (33, 34), (0, 11, 22))
    a, b, c = GROUPS
    for lines in (
        [*ROWS[:9], a, *ROWS[9:]],  # one alone
        ["a-1", *ROWS[:9], "b-2", *ROWS[9:]],  # codes
        ["n/a", *ROWS[:9], "n/a", *ROWS[9:]],
        [a, b, *ROWS[:9], c, *ROWS[9:]],  # no row between two of them
        [a, *ROWS[:9], b, *ROWS[9:30], "41"],  # the last
        list(chain.from_iterable((f"Plot {'abcdefghij'[k]}", ROWS[k]) for k in range(10))),  # too many
    ):
        assert all(group.kind != "heading" for group in proposal_of(*lines).groups)  # rows without values
    two = "\n".join(["plot,kind", a, "x,wet", "y,dry", "z,dry", b, "u,wet", "v,dry", "w,dry"])
    assert not propose(read_table(two.encode(), "t.csv")).groups


@pytest.mark.parametrize("between", ["", "\n"])
@pytest.mark.parametrize(
    ("titles", "name", "cells"),
    [
        (("Wet years", "Dry years", "Others"), "heading", ("Wet years", "Dry years", "Others")),
        (("Site: north", "Site: south"), "Site", ("north", "south")),
        (("Site: north", "Place: south", "Site: east"), "heading", ("Site: north", "Place: south", "Site: east")),
        (("Height", "Height: all", "Growth"), "heading", ("Height", "Height: all", "Growth")),
    ],
)
def test_titles_of_tables_below_each_other_are_a_column(titles, name, cells, between):
    n = 36 // len(titles)
    tables = ["\n".join([title, HEADER, *ROWS[n * k : n * (k + 1)], between]) for k, title in enumerate(titles)]
    plan = apply(propose(read_table("".join(tables).encode(), "t.csv")))
    assert plan.table.n_rows == 36
    assert plan.table.column(name) == [cell for cell in cells for _ in range(n)]
    assert f"The heading above each row is its cell in {name!r}." in plan.table.notes


def test_headings_are_a_column_that_is_blank_above_the_first_and_kept_apart_from_one_of_its_name():
    lines = [HEADER.replace("kind", "heading"), *ROWS[:5], "Wet years", *ROWS[5:20], "Dry years", *ROWS[20:]]
    table = propose(read_table("\n".join(lines).encode(), "t.csv")).table
    assert table.column("heading (2)") == [*[""] * 5, *["Wet years"] * 15, *["Dry years"] * 20]
    again = apply(proposal_of("Wet years", *ROWS[:20], "Wet years", *ROWS[20:]))
    assert (again.table.n_rows, again.table.columns) == (40, tuple(HEADER.split(",")))


def test_headings_are_asked_about_and_take_no_other_column_its_place():
    rows = [",".join(row.split(",")[:3]) for row in ROWS]
    lines = ["plot,growth,height", "Wet years", *rows[:20], "Dry years", *rows[20:]]
    label = apply(propose(read_table("\n".join(lines).encode(), "t.csv"))).label
    assert (label.name, label.sure, label.candidate.where) == ("heading", False, "heading above the rows")
    label = apply(proposal_of("Wet years", *ROWS[:20], "Dry years", *ROWS[20:])).label
    assert (label.name, label.candidate.where, label.runners_up[0].name) == ("kind", "last column", "heading")


def test_a_heading_that_names_the_species_is_asked_about_too():
    text = "\n".join(f"Species: {kind}\n{HEADER}\n" + "\n".join(ROWS[k::2]) for k, kind in enumerate(("fir", "oak")))
    label = apply(propose(read_table(text.encode(), "t.csv"))).label
    assert (label.name, label.sure) == ("Species", False)


@pytest.mark.parametrize(
    ("above", "mark", "title"), [("Site north", " ", "Site north"), ("Run,7", ",", ""), ('"Run, 7"', ";", "Run, 7")]
)
def test_the_title_is_a_line_of_a_single_cell(above, mark, title):
    lines = [line.replace("plot ", "p").replace(",", mark) for line in (HEADER, *ROWS)]
    assert read_table("\n".join([above, *lines]).encode(), "t.txt").title == title


def test_one_heading_is_none_unless_it_is_like_the_title():
    def rows_below(title):
        lines = [title, HEADER, *ROWS[:20], "Site south", *ROWS[20:]]
        return propose(read_table("\n".join(lines).encode(), "t.csv")).table.n_rows

    assert [rows_below(title) for title in ("Site north", "Sites of 2024, north", "North")] == [40, 41, 41]


def test_names_below_dates_are_a_footer():
    rows = [f"2020-01-{k:02d},{k}.5,{k * k},wet" for k in range(1, 29)]
    (group,) = proposal_of(*rows, "Date,Time,Channel,User").groups
    assert (group.kind, group.rows) == ("footer", (28,))
    assert not proposal_of(*rows, ",14.5,260,wet").groups  # a row without its date
    (group,) = proposal_of(*rows, "Mean,14.5,260.5,").groups
    assert (group.kind, group.rows) == ("summary", (28,))


def grouped(n_groups, size=5, names="Plot {}"):
    return [
        f"{names.format('abcdefghij'[g]) if k == 0 else ''},{k}.{g},{k * g % 4},{'wet' if g % 2 else 'dry'}"
        for g in range(n_groups)
        for k in range(size)
    ]


def test_the_name_of_a_group_in_its_first_row_is_filled_down():
    source = proposal_of(*grouped(6)).source
    assert source.column("plot") == [f"Plot {name}" for name in "abcdef" for _ in range(5)]
    assert "'plot' stood in the first row of each of 6 groups only and was filled down." in source.notes
    with_single = [line for line in grouped(8) if not line.startswith((",1.1", ",2.1", ",3.1", ",4.1"))]
    assert proposal_of(*with_single).source.column("plot").count("Plot b") == 1


def test_what_stands_beside_the_name_of_a_group_is_filled_down_with_it():
    rows = [[f"st {g}", str(40 + g), f"{g * g % 7}.5"] if k == 0 else [""] * 3 for g in range(4) for k in range(5)]
    rows[7][2] = "1.5"  # of its own
    lines = [",".join([*row, f"{k}.25", "uv"[k % 2]]) for k, row in enumerate(rows)]
    source = propose(read_table("\n".join(["station,lat,tide,depth,kind", *lines]).encode(), "t.csv")).source
    assert (source.row(9), source.row(4)[:3]) == (("st 1", "41", "", "9.25", "v"), ("st 0", "40", ""))
    said = "'station' and 1 column beside it stood in the first row of each of 4 groups only and were filled down."
    assert said in source.notes


def test_what_stands_before_the_name_of_a_group_is_filled_down_too():
    rows = [["C1" if g < 2 else "C2", f"st {g}"] if k == 0 else [""] * 2 for g in range(4) for k in range(5)]
    source = proposal_of(*(",".join([*row, f"{k}.25", "uv"[k % 2]]) for k, row in enumerate(rows))).source
    assert source.column(source.columns[0]) == ["C1"] * 10 + ["C2"] * 10


@pytest.mark.parametrize(
    "lines",
    [
        grouped(2),  # too few groups
        grouped(6)[1:],  # the first belongs to none
        grouped(6, names="Plot"),  # one name, and gaps
        [row.replace("f,", "5,", 1) if row[0] == "f" else row for row in grouped(6, names="{}")],  # a number
        [*grouped(3), *(f"Plot {k},1,{k},dry" for k in range(3))],  # rows of their own
        [*grouped(3, size=2), *(f"Plot {k},1,{k},dry" for k in range(9))],  # mostly filled
    ],
)
def test_other_gaps_in_a_first_column_stay(lines):
    assert "" in proposal_of(*lines).source.column("plot")


def test_last_rows_without_a_key_are_no_data():
    (group,) = proposal_of(*ROWS, ",31,,").groups
    assert (group.kind, group.rows) == ("footer", (N,))
    for lines in ([*ROWS, ",31,4,"], [*ROWS[:5], ",31,,", *ROWS[5:]], [*ROWS[:8], ",31,,", ",31,,"]):
        assert proposal_of(*lines).groups == ()


@pytest.mark.parametrize(("n_columns", "n_groups"), [(6, 1), (5, 0)])
def test_a_footer_in_two_languages_stands_at_both_ends(n_columns, n_groups):
    lines = [",".join([f"c{k}" for k in range(n_columns)])]
    lines += [",".join([f"r{k}", *(f"{k * j % 7}.{j}" for j in range(n_columns - 1))]) for k in range(12)]
    lines += ["Published: 2015" + "," * (n_columns - 1) + "Veröffentlicht: 2015"]
    groups = propose(read_table("\n".join(lines).encode(), "t.csv")).groups
    assert [(group.kind, group.rows) for group in groups] == [("footer", (12,))] * n_groups


def test_words_below_a_first_column_of_numbers_are_a_footer():
    rows = [[str(k), str(k * k % 7), "xy"[k % 2], ""] for k in range(1, 31)]
    below = [["Slope", "-3.3", "", ""], ["Threshold", "0.02", "", ""]]
    names = ["well", "ct", "kind", "note"]

    def skipped(*rows):
        table = read_table("\n".join(map(",".join, [names, *rows])).encode(), "t.csv")
        return [(group.kind, len(group.rows)) for group in propose(table).groups]

    assert skipped(*rows, *below) == [("footer", 2)]
    assert skipped(*rows, ["total", "90", "", ""]) == [("summary", 1)]
    assert skipped(*rows, ["x31", "4", "x", ""]) == []
    assert skipped(*rows, *below * 6) == []


def test_keys_with_their_values_below_a_wide_table_are_a_footer():
    rows = [f"place {k},{k}.5,{k * k % 7},{k % 5},{k % 3},{'uv'[k % 2]}" for k in range(30)]
    below = [":=not available,,,,,", ":,,,,,", "Source:,Eurostat,,,,", "Last update:,2016,,,,"]

    def skipped(lines):
        table = read_table("\n".join(["geo,a,b,c,d,kind", *lines]).encode(), "t.csv")
        return [(group.kind, len(group.rows)) for group in propose(table).groups]

    assert skipped([*rows, *below]) == [("footer", 4)]
    assert skipped([*rows, "Utopia,2016,,,,"]) == []
    assert skipped([*rows, "NA,,,,,"]) == []
    assert skipped([*rows, "See below,,,,,"]) == [("footer", 1)]
    assert skipped([*rows, *[",,7,,,"] * 3, *rows[:9], "See below,,,,,"]) == []  # one cell in other rows, too


def test_headings_in_the_second_column_are_skipped():
    rows = [f"{k},place {k},{k}.5,{k * k % 7}" for k in range(1, 31)]
    lines = [line for k, row in enumerate(rows) for line in ((",THE RICHEST,,", row) if k % 10 == 0 else (row,))]
    table = read_table("\n".join(["rank,place,a,b", *lines]).encode(), "t.csv")
    (group,) = propose(table).groups
    assert (group.kind, group.rows) == ("heading", (0, 11, 22))


def test_remarks_among_rows_of_numbers_may_stand_together_and_last():
    rows = [f"{k},08:{k:02d},{k}.5,{k * k % 7},{k % 5},1" for k in range(10, 40)]
    remarks = ["08:09 Lamp,,,,,", "08:10 Fan,,,,,"]
    lines = [line for k, row in enumerate(rows) for line in ((row, *remarks) if k % 3 == 0 else (row,))]
    lines += ["08:50 Off,,,,,", "08:51 End,,,,,"]
    table = propose(read_table("\n".join(["Obs,time,a,b,c,d", *lines]).encode(), "t.csv")).table
    assert (table.n_rows, table.columns[-1]) == (30, "d")


def test_head_lines_above_rows_that_begin_with_a_number_are_no_rows():
    rows = [f"{2000 + k},{k * k % 7},{k * k % 5},{k % 3},{'xy'[k % 2]},{k * k % 11},1,{k}" for k in range(30)]
    lines = [line for k, row in enumerate(rows) for line in ((f"AL0{k},BARRY", row) if k % 6 == 0 else (row,))]

    def skipped(lines):
        table = read_table("\n".join(["day,a,b,c,kind,d,e,f", *lines]).encode(), "t.csv")
        proposal = propose(table)
        assert proposal.table.columns[8:] == (("heading",) if proposal.groups else ())
        return [(group.kind, len(group.rows)) for group in proposal.groups]

    assert skipped(lines) == [("heading", 5)]
    assert skipped([line + ",3" if "BARRY" in line else line for line in lines]) == []


def test_headings_of_two_levels_above_rows_of_numbers_are_two_columns():
    rows = [f"{1 + k % 10},{row},{k * k % 7}" for k, row in enumerate(ROWS)]
    names = f"place,{HEADER},age"
    parts = [["North", names, *rows[10 * k : 10 * k + 10]] for k in range(4)]
    parts[1][0] = parts[3][0] = "South"

    def read(*lines):
        return propose(read_table("\n".join(lines).encode(), "t.csv")).table

    table = read("Wet years", *parts[0], "Dry years", *parts[1], *parts[2], "Others", *parts[3])
    assert (table.n_rows, table.columns[:6]) == (40, tuple(names.split(",")))
    lower, upper = (table.column(name) for name in table.columns[6:])
    assert lower == ["North"] * 10 + ["South"] * 10 + ["North"] * 10 + ["South"] * 10
    assert upper == [""] * 10 + ["Dry years"] * 20 + ["Others"] * 10
    remark = read("Wet years", *parts[0], "Dry years", *parts[1], *parts[2], *parts[3])
    assert remark.columns == table.columns[:6]


def test_words_of_who_signs_and_limits_below_a_wide_table_are_no_rows():
    rows = [f"s{k},{k}.5,{k * k % 7},{k % 5},{k % 3},{'uv'[k % 2]}" for k in range(30)]

    def skipped(*below):
        table = read_table("\n".join(["id,a,b,c,d,kind", *rows, *below]).encode(), "t.csv")
        return [(group.kind, len(group.rows)) for group in propose(table).groups]

    assert skipped(",,Laboratory,,,", ",,,Manager,,") == [("footer", 2)]
    assert skipped("x,,Laboratory,,,") == skipped("x,,17,,,") == []
    assert skipped("LOD,0.1,0.2,0.1,0.3,") == skipped("Limits of detection,0.1,0.2,0.1,0.3,") == [("summary", 1)]


def test_headings_that_all_say_the_same_are_skipped_and_no_column():
    rows = [("north", 1), ("of which:", ""), ("a", 2), ("b", 3), ("south", 4), ("of which:", ""), ("c", 5), ("d", 6)]
    rows += [(f"{chr(97 + k)} side", k) for k in range(7, 20)]
    lines = ["Births in all regions,,", "area,n,m", *(f"{area},{n},{n and n + 0.5}" for area, n in rows)]
    plan = apply(propose(read_table("\n".join(lines).encode(), "t.csv")))
    assert "of which:" not in plan.table.column("area")
    assert plan.table.columns == ("area", "n", "m")


def test_a_line_of_names_that_comes_again_among_the_rows_of_joined_names_is_none():
    head = [
        "<tr><td></td><td>time</td><td>time</td><td></td></tr>",
        "<tr><td>id</td><td>a</td><td>b</td><td>kind</td></tr>",
    ]
    rows = [f"<tr><td>s{k}</td><td>{k}.5</td><td>{k * k % 7}.5</td><td>{'xy'[k % 2]}</td></tr>" for k in range(20)]
    page = "\n".join(["<table>", *head, *rows[:9], head[1], *rows[9:], head[1], "</table>"])
    plan = apply(propose(read_table(page.encode(), "t.html")))
    assert (plan.table.columns[1], plan.table.n_rows) == ("time a", 20)
    assert plan.costs[0].startswith("2 lines repeat the header and were skipped")


@pytest.mark.parametrize(
    ("again", "n_rows"), [("id,A,b,kind,", 20), ("id,a,b,,", 20), ("id,a,,,", 21), ("id,a,b,x,", 21)]
)
def test_a_line_that_holds_most_of_the_names_and_nothing_else_holds_them_again(again, n_rows):
    rows = [(f"s{k}", f"{k}.5", str(k * k % 7), "xy"[k % 2], "" if k % 3 else "seen") for k in range(20)]
    rows.insert(9, tuple(again.split(",")))
    names = ("id", "a", "b", "kind", "note")
    assert propose(Table.from_rows("t.csv", names, rows, range(2, 23))).table.n_rows == n_rows


@pytest.mark.parametrize(
    ("name", "n_rows"), [("Potential contaminant", 37), ("Only.identified.by.site", 37), ("Hit", 40)]
)
def test_decoys_and_contaminants_of_maxquant_are_skipped_and_said(name, n_rows):
    lines = [f"id,{name},a,b", *(f"P{k},{'+' if k in (3, 9, 30) else ''},{k * k % 7}.5,{k}.25" for k in range(40))]
    plan = apply(propose(read_table("\n".join(lines).encode(), "t.csv")))
    assert plan.table.n_rows == n_rows
    assert any(cost.startswith("3 rows of decoys or contaminants were skipped") for cost in plan.costs) == (n_rows < 40)


@pytest.mark.parametrize(
    ("names", "n_left_out"), [("contam_sp|P0{k:04}|TRYP", 3), ("contam_{k}", 0), ("sp|P0{k:04}", 0)]
)
def test_contaminants_are_skipped_by_the_names_of_proteins(names, n_left_out):
    cells = [names.format(k=k) if k % 15 == 4 else f"sp|Q{k:05}|X" for k in range(40)]
    table = table_of(protein=cells, a=normal(40), b=normal(40, 1), kind=list("uv" * 20))
    assert table.n_rows - apply(propose(table)).table.n_rows == n_left_out
    most = [names.format(k=k) if k % 2 else f"sp|Q{k:05}|X" for k in range(40)]
    assert apply(propose(table_of(protein=most, a=normal(40), kind=list("uv" * 20)))).table.n_rows == 40


def test_strands_are_no_decoys():
    lines = ["id,reverse,a,b", *(f"g{k},{'+-'[k % 2]},{k * k % 7}.5,{k}.25" for k in range(40))]
    assert propose(read_table("\n".join(lines).encode(), "t.csv")).groups == ()


@pytest.mark.parametrize(("code", "n", "is_total"), [("", 30, True), ("900", 30, False), ("", 15, False)])
def test_the_sum_above_the_others_without_a_code_is_a_total(code, n, is_total):
    rows = [f"{k},commune {k},{k * 37 % 101 + 9},{k % 7}.5" for k in range(1, n + 1)]
    total = sum(k * 37 % 101 + 9 for k in range(1, n + 1))
    groups = proposal_of(f"{code},Suisse,{total},3.1", *rows).groups
    assert [group.rows for group in groups] == [(0,)] * is_total


@pytest.mark.parametrize(("n", "again", "found"), [(20, 1, True), (20, -1, False), (6, 1, True), (5, 1, False)])
def test_rows_of_the_same_things_below_repeated_names_are_a_second_table(n, again, found):
    states = [f"state {k}" for k in range(n)]
    first = [f"{state},{k * k % 97},{k},{'uv'[k % 2]}" for k, state in enumerate(states)]
    second = [f"{state[::again]},{k * k % 89},{k},{'uv'[k % 2]}" for k, state in enumerate(states)]
    above = ["2019 dollars,,,", HEADER, HEADER] if n == 20 else [HEADER]
    groups = {group.kind: group.rows for group in proposal_of(*first, *above, *second).groups}
    assert ("second_table" in groups) == found
    if found:
        assert sorted({*groups["second_table"], *groups["header"]}) == list(range(n, 2 * n + len(above)))


def test_names_one_of_which_repeats_make_no_second_table():
    rows = [f"state {max(1, k)},{k * k % 97},{k},{'uv'[k % 2]}" for k in range(20)]
    assert "second_table" not in {group.kind for group in proposal_of(*rows, HEADER, *rows).groups}


def test_what_olink_writes_below_its_samples_is_skipped():
    rows = [f"A{k},{k}.5,{k * k % 7}.25,{'uv'[k % 2]}" for k in range(40)]
    below = ["LOD,1.5,0.25,", "Missing Data freq.,0,0,", "Normalization,Intensity,Intensity,"]
    assert [group.rows for group in proposal_of(*rows, *below).groups] == [(40, 41, 42)]


def statistics(names, n=20):
    """Samples with a row for each statistic."""
    cells = {"sample": [f"s{k}" for k in range(n) for _ in names], "stat": [*names] * n}
    return table_of(**cells, salt=normal(n * len(names)), oxygen=normal(n * len(names), 1))


@pytest.mark.parametrize("names", [("(avg)", "(sdev)", "(min)", "(max)"), ("Mean", "SD"), ("mean", "min", "max")])
def test_rows_of_other_statistics_than_the_mean_are_skipped_and_no_label(names):
    plan = apply(propose(statistics(names)))
    (group,) = plan.proposal.groups
    assert (group.kind, plan.table.n_rows, set(plan.table.column("stat"))) == ("statistic", 20, {names[0]})
    assert group.sentence.startswith(f"{20 * (len(names) - 1)} rows of other statistics than the mean were skipped")
    kept = apply(plan.proposal, Choices().saying("row_groups", "statistic", False))
    assert "stat" not in [each.name for each in kept.proposal.candidates]


@pytest.mark.parametrize("names", [("min", "max"), ("mean", "max"), ("mean", "SD", "other"), ("media", "alta", "baja")])
def test_words_of_which_not_all_are_statistics_with_a_mean_are_classes(names):
    proposal = propose(statistics(names))
    assert proposal.groups == ()
    assert "stat" in [each.name for each in proposal.candidates]


def test_plates_below_each_other_with_times_as_names_and_a_title_each():
    """The first column has no name, and the names, a word before rising numbers, come again below the second title."""
    names = ["", "well/time (h)", "0", "0.25", "0.5", "0.75"]
    rows = [["", f"A{k:02}", *(18_000 + 37 * k * j for j in range(1, 5))] for k in range(1, 13)]
    sheet = [["", "Plate 1 (calm)"], [], names, *rows, [], ["", "Plate 2 (stressed)"], [], names, *rows]
    plan = apply(propose(read_table(workbook(data=sheet), "t.xlsx")))
    assert plan.table.columns[:3] == ("well/time (h)", "0", "0.25")
    assert plan.table.column("heading") == ["Plate 1 (calm)"] * 12 + ["Plate 2 (stressed)"] * 12


@pytest.mark.parametrize(("filename", "kinds"), [("t.json", []), ("t.xlsx", ["footer"]), ("bare.xlsx", ["footer"])])
def test_records_of_json_have_no_footer(filename, kinds):
    """Their names are none of the rows, unlike those of a workbook, with names or none."""
    rows = [[f"plot {k}", k * k % 17 + 0.5, "wet" if k % 3 else "dry", k * k % 11] for k in range(N)]
    rows.append(["end", None, None, None])
    names = [HEADER.split(",")] * (filename == "t.xlsx")
    records = [{key: value for key, value in zip("abcd", row, strict=True) if value is not None} for row in rows]
    data = json.dumps(records).encode() if filename == "t.json" else workbook(one=[*names, *rows])
    assert [group.kind for group in propose(read_table(data, filename)).groups] == kinds


@pytest.mark.parametrize(
    ("place", "kinds", "is_filled"),
    [(1, ["all", "men", "women"], True), (0, ["all", "men", "women"], True), (1, ["x", "y", "x"], False)],
)
def test_what_stands_in_one_row_of_each_of_equal_blocks_is_filled_in(place, kinds, is_filled):
    years = [str(1990 + k // 3) if k % 3 == place else "" for k in range(36)]
    table = table_of(year=[*years, "Note"], kind=[*kinds * 12, ""], a=[*normal(36), ""], b=[*normal(36, 1), ""])
    source = propose(table).source
    told = [str(1990 + k // 3) for k in range(36)]
    assert source.column("year") == [*(told if is_filled else years), "Note"]
    said = "'year' stood in one row of each of 12 blocks of 3 rows only and was filled in."
    assert (said in source.notes) == is_filled
    ragged = table_of(year=[*years[:17], "", *years[17:]], kind=[*kinds * 12, kinds[0]], a=normal(37), b=normal(37, 1))
    assert propose(ragged).source.column("year").count("") == 25
