"""Rows that hold the sums of the rows below them."""

import numpy as np
import pytest

from datasets.proposals import Choices, apply, propose
from datasets.proposals.totals import _sums_of_those_below
from datasets.reading import read_table
from tests.datasets.proposals.tables import table_of

PARTS = {"north": [41, 92, 33], "south": [84, 75], "east": [56, 57, 68, 19], "west": [29]}


def by_place(parts=PARTS, odd=0):
    rows = []
    for name, counts in parts.items():
        rows.append((name, sum(counts) + odd, f"{sum(counts) / len(counts):.1f}"))
        rows += [(f"{name[0]}{k}", n, f"{n}.{k}") for k, n in enumerate(counts)]
    return table_of(place=[row[0] for row in rows], people=[row[1] for row in rows], age=[row[2] for row in rows])


def test_totals_above_their_rows_are_skipped_and_name_the_groups():
    plan = apply(propose(by_place()))
    assert plan.table.n_rows == 10
    assert plan.table.column("heading") == ["north"] * 3 + ["south"] * 2 + ["east"] * 4 + ["west"]
    (said,) = (line for line in plan.costs if "totals" in line)
    assert said.startswith(
        "4 rows of totals of the rows below each were skipped (lines 2, 6, 9, 14: 'north 166 55.3')."
    )
    kept = apply(plan.proposal, Choices(row_groups=(("subtotal", False),)))
    assert (kept.table.n_rows, "heading" in kept.table.columns) == (14, False)


def test_totals_of_the_same_name_are_skipped_and_name_no_groups():
    more = by_place({name: [7 * n + 1 for n in counts] for name, counts in PARTS.items()})
    rows = [*by_place().rows, *more.rows]
    again = table_of(place=[row[0] for row in rows], people=[row[1] for row in rows], age=[row[2] for row in rows])
    plan = apply(propose(again))
    assert plan.table.n_rows == 20
    assert "heading" not in plan.table.columns


@pytest.mark.parametrize(
    "table",
    [
        by_place(odd=1),  # no sums
        by_place({"north": [41, 92, 33], "south": [84, 75]}),  # two
        by_place({name: [n // 9 for n in counts] for name, counts in PARTS.items()}),  # small
        by_place({name: [n] for name, n in zip("abcdef", range(31, 37), strict=True)}),  # of one row each
    ],
)
def test_other_numbers_are_no_totals(table):
    assert "heading" not in apply(propose(table)).table.columns


def test_totals_of_a_part_of_the_rows_are_none():
    rows = [73, 31, 42, 83, 41, 42, 93, 51, 42, 50, 40, 60, 20, 70]
    table = table_of(place=[f"p{k}" for k in range(14)], people=rows, age=range(14))
    assert apply(propose(table)).table.n_rows == 14


def test_totals_are_told_by_a_word_in_any_of_the_first_columns():
    kinds = ["lung", "skin", "Insgesamt"] * 4
    table = table_of(
        year=[2018 + k // 3 for k in range(12)], code=["a", "b", ""] * 4, kind=kinds, n=[k * k + 7 for k in range(12)]
    )
    plan = apply(propose(table))
    assert plan.table.column("kind") == ["lung", "skin"] * 4
    kinds[2::3] = ["Mean"] * 4  # a word that could be another kind
    table = table_of(
        year=[2018 + k // 3 for k in range(12)], code=["a", "b", "c"] * 4, kind=kinds, n=[k * k + 7 for k in range(12)]
    )
    assert apply(propose(table)).table.n_rows == 12


def test_numbers_that_differ_by_rounding_only_are_left_out_and_no_label():
    n = 40
    rounded = [f"{-9.28 + 1e-14 * (k % 3):.17g}" for k in range(n)]
    plan = apply(propose(table_of(iron=rounded, mass=[k * k % 17 / 3 for k in range(n)], kind=["u", "v"] * 20)))
    assert dict(plan.columns.left_out)["iron"] == "it is about -9.28 in every row"
    assert "iron" not in [each.name for each in plan.proposal.candidates]


def test_events_of_a_logger_are_no_answers_that_were_ticked():
    n = 400
    events = {
        name: ["Logged" if k in (7, at, 300) else "" for k in range(n)]
        for name, at in zip("abc", (9, 99, 120), strict=True)
    }
    table = table_of(
        time=[f"{k / 3:.2f}" for k in range(n)], level=[f"{k * k % 91 / 7:.3f}" for k in range(n)], **events
    )
    assert apply(propose(table)).columns.features == ("time", "level")
    ticked = {
        name: ["Logged" if k % 40 == at else "" for k in range(n)] for name, at in zip("abc", (9, 19, 30), strict=True)
    }
    table = table_of(
        time=[f"{k / 3:.2f}" for k in range(n)], level=[f"{k * k % 91 / 7:.3f}" for k in range(n)], **ticked
    )
    assert apply(propose(table)).columns.features == ("time", "level", "a", "b", "c")


@pytest.mark.parametrize(
    ("values", "heads"),
    [
        ([70, 30, 40, 90, 41, 49, 110, 52, 58], [0, 3, 6]),
        ([70, 30, 40, 90, 41, 49, 110, 52], []),  # eight
        ([70, 30, 40, 90, 41, 49, 110, 52, 58, 7, 1], [0, 3, 6]),  # two of eleven behind them
        ([70, 30, 40, 90, 41, 49, 110, 52, 58, 7, 1, 5], []),
        ([70, 30, 40, 90, 41, 49, 110, 52, 57, 1], [0, 3, 6]),  # of three rows, the last
        ([7, 3, 4, 9, 4, 5, 11, 5, 6], []),  # small numbers
        ([60, 30, 30, -90, 41, 49, 110, 52, 58], []),
        ([0, 0, 70, 30, 40, 90, 41, 49, 110, 52, 58], [2, 5, 8]),
    ],
)
def test_sums_of_those_below(values, heads):
    assert _sums_of_those_below(np.array(values, dtype=float)) == heads


def among_states(place, change=0):
    """Counts of eleven states, and those of the country at this place."""
    states = [(f"state {chr(65 + k)}", 31 * k + 7, 17 * (k % 5) + 3) for k in range(11)]
    country = ("Arcadia", sum(row[1] for row in states) + change, sum(row[2] for row in states))
    rows = [*states[:place], country, *states[place:]]
    return table_of(area=[row[0] for row in rows], births=[row[1] for row in rows], deaths=[row[2] for row in rows])


@pytest.mark.parametrize("place", [0, 4, 11])
def test_a_country_among_its_states_is_a_total(place):
    plan = apply(propose(among_states(place)))
    assert plan.table.column("area") == [f"state {chr(65 + k)}" for k in range(11)]
    assert f"1 row of totals or statistics was skipped (line {place + 2}: 'Arcadia" in " ".join(plan.costs)


def test_a_row_that_is_no_sum_stays_and_so_does_one_that_sums_up_two_others():
    assert apply(propose(among_states(4, change=9))).table.n_rows == 12
    few = [0, 40, 5, 0, 0, 45, 0, 0]
    sums = table_of(area=list("abcdefgh"), births=few, deaths=[2 * n for n in few])
    assert apply(propose(sums)).table.n_rows == 8


def by_region_and_year(change=0, shuffled=False, regions="NSEW"):
    """Counts of regions in five years, and those of the country."""
    counts = {
        (region, year): 37 * k + 11 * year % 23 + 5 for k, region in enumerate(regions) for year in range(2010, 2015)
    }
    rows = [
        ("Arcadia", year, sum(n for (_, of), n in counts.items() if of == year) + change) for year in range(2010, 2015)
    ]
    rows += [(region, year, n) for (region, year), n in counts.items()]
    if shuffled:
        rows = [rows[k] for k in np.random.default_rng(2).permutation(len(rows))]
    return table_of(area=[row[0] for row in rows], year=[row[1] for row in rows], births=[row[2] for row in rows])


@pytest.mark.parametrize("shuffled", [False, True])
def test_a_country_among_regions_of_several_years_is_a_total(shuffled):
    plan = apply(propose(by_region_and_year(shuffled=shuffled)))
    assert sorted(set(plan.table.column("area"))) == ["E", "N", "S", "W"]
    assert "5 rows of totals or statistics were skipped (lines " in " ".join(plan.costs)


def test_a_level_that_is_no_sum_and_the_larger_of_two_stay():
    assert apply(propose(by_region_and_year(change=9))).table.n_rows == 25
    assert apply(propose(by_region_and_year(regions="NS"))).table.n_rows == 15


@pytest.mark.parametrize(("cell", "n_rows"), [("199?-??-??", 12), ("mean of all", 11)])
def test_a_date_that_is_not_whole_is_no_word_below_dates(cell, n_rows):
    days = [*(f"2024-01-{k:02d}" for k in range(1, 12)), cell]
    table = table_of(day=days, rain=[k * k % 7 + 0.5 for k in range(12)], wind=[k * k % 5 + 0.25 for k in range(12)])
    assert apply(propose(table)).table.n_rows == n_rows


def of_years(change=0, changed=(2010,), until=2013):
    """Counts of provinces, some of which are missing in a year, and those of the country."""
    rows = []
    for year in range(2008, until):
        counts = [(k, 37 * k + year % 7 * 11 + 5, 13 * k + year % 5 * 3 + 1) for k in range(1, 9) if (k + year) % 5]
        country = [sum(row[j] for row in counts) + change * (year in changed) for j in (1, 2)]
        rows += [
            (year, "", "Arcadia", *country),
            *((year, f"{year}{k}", f"province {k}", *more) for k, *more in counts),
        ]
    names = ("year", "code", "area", "births", "deaths")
    return table_of(**dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


@pytest.mark.parametrize(
    ("options", "n"), [({}, 5), ({"change": 9}, 5), ({"change": 9, "changed": (2009, 2010)}, 0), ({"until": 2010}, 0)]
)
def test_a_country_among_provinces_is_a_total_in_nearly_each_year(options, n):
    table = of_years(**options)
    plan = apply(propose(table))
    assert plan.table.column("area").count("Arcadia") == table.column("area").count("Arcadia") - n
    assert (f"{n} rows of totals or statistics were skipped" in " ".join(plan.costs)) == (n > 0)


def seats(n_regions=6, factor=8, change=(), price=False, word="Allseats"):
    """Seats of the towns of some regions, the last row of each region holds their sum, and the price of a seat."""
    rows = []
    for r in range(n_regions):
        counts = [factor * (1 + k * k % 5) + (r + k) % 4 for k in range(5)]
        rows += [(f"region {r}", f"town {r}{k}", n, (n * 7 + k) % 50 + 1) for k, n in enumerate(counts)]
        rows.append((f"region {r}", word, sum(counts) + (r in change), 7 + r))
    columns = dict(zip(("region", "town", "seats", "price"), map(list, zip(*rows, strict=True)), strict=True))
    if not price:
        del columns["price"]
    return table_of(**columns)


@pytest.mark.parametrize(
    ("options", "n"),
    [
        ({}, 6),
        ({"n_regions": 5}, 5),
        ({"n_regions": 4}, 0),  # four sums
        ({"change": (2,)}, 6),  # in nearly all regions
        ({"change": (2, 4)}, 0),
        ({"factor": 1}, 0),  # small numbers
        ({"price": True}, 0),  # one of two columns
    ],
)
def test_a_last_row_of_each_group_with_the_sum_is_a_total_whatever_its_word(options, n):
    table = seats(**options)
    plan = apply(propose(table))
    assert table.n_rows - plan.table.n_rows == n
    assert ("Allseats" in plan.table.column("town")) == (n == 0)


def by_kind_and_company(own="{}"):
    """Minutes of delay of four companies by type and kind, the sum of each type among its kinds, and that of all types
    in the last row."""
    rows, names = [], ("company", "type", "kind", "spring", "autumn")
    for c in range(4):
        minutes = np.random.default_rng(c).integers(20, 900, size=(3, 4, 2))
        for name, of_type in zip("PQR", minutes, strict=True):
            kinds = [(f"company {c}", name, f"kind {k}", *n) for k, n in enumerate(of_type.tolist())]
            rows += [*kinds[:2], (f"company {c}", name, own.format(name), *of_type.sum(axis=0).tolist()), *kinds[2:]]
        rows.append((f"company {c}", "Any", own.format("Any"), *minutes.sum(axis=(0, 1)).tolist()))
    rates = {"rate": [f"{k * 37 % 101 / 10}" for k in range(len(rows))]}  # no sums
    return table_of(**dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)), **rates)


@pytest.mark.parametrize(("own", "n"), [("{}", 16), ("sum of {}", 0)])
def test_sums_that_name_their_group_and_sums_of_these_leave_the_cells_that_they_sum_up(own, n):
    plan = apply(propose(by_kind_and_company(own)))
    assert plan.table.n_rows == 4 * (3 * 5 + 1) - n
    assert (f"{n} rows of totals or statistics were skipped" in " ".join(plan.costs)) == (n > 0)


def in_blocks():
    """Deaths by age, whose word stands in one row of its block, and way of travel; a last block sums up the others."""
    ways = ["car", "bike", "foot", "train", "all"]
    counts = np.random.default_rng(4).integers(20, 90, size=(6, 4, 3))
    counts = np.concatenate([counts, counts.sum(axis=0, keepdims=True)])
    counts = np.concatenate([counts, counts.sum(axis=1, keepdims=True)], axis=1)
    ages = [f"age {k // 5}" if k % 5 == 2 else "" for k in range(35)]
    change = [f"{k * 29 % 47 - 20}" for k in range(35)]
    years = {f"y{2010 + k}": counts[:, :, k].ravel().tolist() for k in range(3)}
    return table_of(age=ages, way=ways * 7, **years, change=change)


def test_blocks_whose_last_row_and_a_last_block_sum_up_the_others():
    plan = apply(propose(in_blocks()))
    assert plan.table.n_rows == 6 * 4
    assert set(plan.table.column("way")) == {"car", "bike", "foot", "train"}


@pytest.mark.parametrize(("step", "n"), [(0, 0), (1, 8)])
def test_sums_that_are_the_same_in_each_group_are_a_design(step, n):
    rows = []
    for p in range(8):
        visits = [(20 * k + p * step, 10 * k + p * step) for k in (1, 2, 3)]  # days and doses
        visits.append(tuple(map(sum, zip(*visits, strict=True))))
        rows += [(f"person {p}", f"visit {k}", *numbers) for k, numbers in enumerate(visits)]
    columns = dict(zip(("person", "visit", "day", "dose"), map(list, zip(*rows, strict=True)), strict=True))
    plan = apply(propose(table_of(**columns, weight=[f"{k * 37 % 101 / 7:.2f}" for k in range(32)])))
    assert 32 - plan.table.n_rows == n


def quarters(n_columns=3, missing=0.01, off=(), top=False):
    """Counts of 24 quarters, then of their four boroughs and the city; of some people the quarter is not known."""
    counts = np.random.default_rng(5).integers(200, 900, size=(24, n_columns))
    boroughs = counts.reshape(4, 6, n_columns).sum(axis=1) + int(missing * counts.sum() / n_columns / 4)
    city = boroughs.sum(axis=0)
    city[list(off)] += 60
    numbers = np.concatenate([counts, boroughs, city[None]])
    names = [*(f"quarter {k}" for k in range(24)), *(f"borough {k}" for k in range(4)), "Arcadia"]
    if top:
        names, numbers = names[::-1], numbers[::-1]
    return table_of(area=names, **{f"c{k}": numbers[:, k].tolist() for k in range(n_columns)}, rate=range(70, 99))


@pytest.mark.parametrize(
    ("options", "n"),
    [
        ({}, 5),
        ({"top": True}, 5),
        ({"missing": 0.04}, 0),
        ({"n_columns": 2}, 0),
        ({"n_columns": 6, "off": (0, 1)}, 5),
        ({"n_columns": 6, "off": (0, 1, 2)}, 0),
    ],
)
def test_a_city_and_its_boroughs_at_an_end_are_totals_of_the_quarters(options, n):
    table = quarters(**options)
    plan = apply(propose(table))
    assert table.n_rows - plan.table.n_rows == n
    assert ("Arcadia" in plan.table.column("area")) == (n == 0)


def by_age(ages, sums, off=0):
    """People of each age in two years; further rows hold the sums of those of some ages."""
    rows = []
    for year in range(2):
        counts = [(100 + 37 * k * k % 61 + year, 120 + 29 * k * k % 71 + 2 * year) for k in range(len(ages))]
        rows += [(age, *n) for age, n in zip(ages, counts, strict=True)]
        of = [(name, [counts[k] for k in parts]) for name, parts in sums.items()]
        rows += [(name, sum(n[0] for n in parts), sum(n[1] for n in parts) + off * year) for name, parts in of]
    columns = dict(zip(("age", "men", "women"), map(list, zip(*rows, strict=True)), strict=True))
    return table_of(**columns, rate=[f"{k * 37 % 101 / 10}" for k in range(len(rows))])


AGES = ["0", "1-4", "5～ 9", "10-14", "15-19", "20+"]


@pytest.mark.parametrize(
    ("sums", "off", "n"),
    [
        ({"0-14": (0, 1, 2, 3), "15+": (4, 5)}, 0, 4),
        ({"0-9": (0, 1, 2), "5-14": (2, 3)}, 0, 4),
        ({"0-14": (0, 1, 2, 3)}, 9, 0),  # no sum in a year
        ({"0-13": (0, 1, 2, 3)}, 0, 0),
        ({"1-14": (0, 1, 2, 3)}, 0, 0),
        ({"9-5": (2, 3)}, 0, 0),
    ],
)
def test_intervals_that_others_join_to_are_totals_where_they_hold_their_sums(sums, off, n):
    table = by_age(AGES, sums, off)
    plan = apply(propose(table))
    assert table.n_rows - plan.table.n_rows == n
    assert bool(set(sums) & set(plan.table.column("age"))) == (n == 0)


def test_totals_in_several_columns_may_be_more_than_others():
    ages, stays = ("Total", "0-14", "15-64", "65+"), ("Total", "1-3", "4+")
    rows = [
        (year, age, stay, 7 * k + j + year % 9)
        for year in range(3)
        for k, age in enumerate(ages)
        for j, stay in enumerate(stays)
    ]
    names = ("year", "age", "stay", "trips")
    plan = apply(propose(table_of(**dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))))
    assert plan.table.n_rows == 3 * 3 * 2


def test_the_name_of_one_row_makes_no_total_of_another():
    tests = ["WBC", "WBC, total", "Protein", "Total Protein", "Iron", "Zinc", "Copper", "Lead", "Tin", "Salt"]
    table = table_of(test=tests, a=[k * k % 7 + 0.5 for k in range(10)], b=[k * k % 5 + 0.25 for k in range(10)])
    assert apply(propose(table)).table.n_rows == 10


def nested_totals(n_areas=5, far=True):
    """Numbers by area, kind of place and age, with a total of each, and those of all areas."""
    rows = []
    kinds, ages = ("Total", "Rural", "Urban"), ("Total", "0-9", "10-19", "20-29")
    cells = np.random.default_rng(3).integers(50, 900, size=(n_areas, 2, 3, 2))
    with_ages = np.concatenate([cells.sum(axis=2, keepdims=True), cells], axis=2)
    whole = np.concatenate([with_ages.sum(axis=1, keepdims=True), with_ages], axis=1)
    whole = np.concatenate([whole.sum(axis=0, keepdims=True), whole], axis=0)
    for a in range(n_areas + 1):
        for k, kind in enumerate(kinds):
            for g, age in enumerate(ages):
                rows.append(("T1", f"{a:03d}", f"area {a}" if a else "the state", kind, age, *whole[a, k, g].tolist()))
    names = ("table", "code", "area", "place", "age", "men", "women")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    return table_of(**columns)


def test_totals_of_three_columns_in_each_other_leave_the_cells_that_they_sum_up():
    plan = apply(propose(nested_totals()))
    assert plan.table.n_rows == 5 * 2 * 3
    for name in ("area", "place", "age"):
        assert not {"the state", "Total"} & set(plan.table.column(name))


@pytest.mark.parametrize(("n_words", "n_left_out"), [(50, 3), (51, 0)])
def test_a_word_for_totals_further_on_counts_among_few_others(n_words, n_left_out):
    far = [*(f"w{k}" for k in range(n_words - 1)), "Total"] * 3
    years = [f"year {k // n_words}" for k in range(len(far))]
    plain = {f"c{k}": np.random.default_rng(k).normal(size=len(far)).round(3).tolist() for k in range(3)}
    sold = np.random.default_rng(9).integers(10, 900, size=(3, n_words))
    sold[:, -1] = sold[:, :-1].sum(axis=1)
    table = table_of(year=years, **plain, far=far, sold=sold.ravel().tolist())
    assert apply(propose(table)).table.n_rows == len(far) - n_left_out
    other = table_of(year=years, **plain, far=far, sold=(sold + 7).ravel().tolist())  # such as a total loss
    assert apply(propose(other)).table.n_rows == len(far)


@pytest.mark.parametrize(
    ("marks", "n_left_out"), [(["Count:", "Average:", "Average - 1:"], 3), (["Count:", "x", "y"], 0)]
)
def test_rows_that_only_the_first_column_marks_are_summaries_if_most_say_so(marks, n_left_out):
    n = 30
    table = table_of(
        what=[*[""] * n, *marks],
        a=np.random.default_rng(0).normal(size=n + 3).round(3),
        b=np.random.default_rng(1).normal(size=n + 3).round(3),
        kind=[*["uvw"[k % 5 % 3] for k in range(n)], "10", "0.3", "0.6"],
    )
    assert table.n_rows - apply(propose(table)).table.n_rows == n_left_out


def test_blanks_between_ideographs_are_none():
    places = [*(f"県{chr(0x4E00 + k)}" for k in range(20)), "全\u3000国"]
    table = table_of(place=places, deaths=np.random.default_rng(0).integers(20, 90, 21), hurt=range(300, 321))
    assert apply(propose(table)).table.n_rows == 20


@pytest.mark.parametrize(
    ("word", "number", "sign", "n_left"),
    [
        ("RSD", "", "", 20),
        ("% CV", "", "", 20),
        ("std dev", "", "", 20),
        ("RSD", "7", " %", 20),
        ("SD", "7", "", 40),  # a group
        ("blank", "", " %", 40),
    ],
)
def test_the_spread_below_each_sample_is_no_sample(word, number, sign, n_left):
    names = [name for k in range(20) for name in (f"sample {k % 4}", word)]
    numbers = [str(k) if k % 2 == 0 else number for k in range(40)]
    lead = [f"{k * 7 % 23 + 0.5}" if k % 2 == 0 else f"{k * 3 % 11 / 100}{sign}" for k in range(40)]
    plan = apply(propose(table_of(number=numbers, name=names, lead=lead, iron=lead[::-1])))
    assert plan.table.n_rows == n_left


@pytest.mark.parametrize("word", ["總計", "總　計", "總數"])
def test_totals_in_traditional_characters(word):
    rows = [f"區{k},{k * k % 37},{k * 3 % 11}" for k in range(12)]
    table = read_table("\n".join(["地區,男,女", f"{word},1000,900", *rows]).encode(), "t.csv")
    assert propose(table).table.n_rows == 12


def test_totals_above_ages_are_skipped_where_these_are_numbers():
    rows = []
    for begin in range(0, 30, 5):
        counts = [200 + (begin + k) * 37 % 101 for k in range(5)]
        rows += [(f"{begin}-{begin + 4}", sum(counts)), *((begin + k, n) for k, n in enumerate(counts))]
    table = table_of(age=[row[0] for row in rows], people=[row[1] for row in rows], rate=[k % 7 for k in range(36)])
    assert apply(propose(table)).table.n_rows == 30
