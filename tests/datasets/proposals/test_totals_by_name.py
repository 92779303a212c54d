"""Rows of totals that their names, their units or their codes tell, with sums where the name alone is not enough."""

import pytest

from datasets.proposals import propose
from tests.datasets.proposals.tables import table_of

N = 24


def n_left_out(**columns):
    table = table_of(**columns)
    return table.n_rows - propose(table).table.n_rows


@pytest.mark.parametrize(
    ("name", "n"),
    [
        ("Totale complessivo", 1),
        ("SYSTEM TOTAL", 1),
        ("State Total", 1),
        ("HP 2020 Target", 1),
        ("Target", 0),  # a shop, say
        ("Российская Федерация", 1),
        ("Северо-Западный  федеральный округ", 1),
        ("Автономный округ", 0),
        ("Bilirubin total", 0),
        ("Total energies", 0),
    ],
)
def test_a_name_of_a_total_at_the_end(name, n):
    names = [*(f"place {chr(97 + k)}" for k in range(N)), name]
    assert (
        n_left_out(place=names, people=[7 * k * k % 101 for k in range(N + 1)], age=[k + 0.5 for k in range(N + 1)])
        == n
    )


PARTS = [[41, 92, 33, 84], [75, 56, 57], [68, 19, 29, 31]]


@pytest.mark.parametrize("off", [0, 1])
def test_names_that_end_with_total_are_of_totals_if_they_hold_the_sum_of_the_rows_above(off):
    names, people = list[str](), list[int]()
    for part, counts in zip(("North", "South", "East"), PARTS, strict=True):
        names += [*(f"{part[0]}{k} town" for k in range(len(counts))), f"{part} (Total)"]
        people += [*counts, sum(counts) + off]
    assert n_left_out(place=names, share=[f"{k % 7}.5" for k in range(14)], people=people) == 3 * (not off)


@pytest.mark.parametrize(("deaths", "n"), [(900, 1), (40, 0)])  # no total has less than a part
def test_a_name_that_ends_with_total_is_of_one_if_no_other_row_has_more(deaths, n):
    names = ["Spain Total6, 7", *(f"region {chr(97 + k)}" for k in range(N))]
    people = [9000, *(k * k + 101 for k in range(N))]
    assert n_left_out(region=names, people=people, deaths=[deaths, *(3 * k + 11 for k in range(N))]) == n


def test_a_total_of_several_years_is_one_below_rows_in_another_unit():
    areas = [f"{name}{' Total6, 7' * (name == 'Spain')}" for name in ("Spain", *"abcdefgh") for _ in range(3)]
    cells = {name: [f"{k % 9}.{k}" if k % 3 == 2 else k * k + n for k in range(27)] for name, n in (("a", 7), ("b", 9))}
    for each in cells.values():
        each[:2] = [5_000, 5_100]
    assert n_left_out(area=areas, year=["2015", "2016", "Percent change"] * 9, **cells) == 11


@pytest.mark.parametrize(("word", "n"), [("Percent change", 8), ("Rate per 100,000", 8), ("ends", 0)])
def test_rows_in_another_unit_among_years(word, n):
    areas = [f"area {chr(97 + k // 3)}" for k in range(N)]
    crimes = [k * k % 97 for k in range(N)]
    assert (
        n_left_out(area=areas, year=["2015", "2016", word] * 8, crimes=crimes, thefts=[k % 11 for k in range(N)]) == n
    )
    if n:  # a measure of a long table
        measures = ["Number", "Share", word] * 8
        assert not n_left_out(area=areas, measure=measures, crimes=crimes, thefts=[k % 11 for k in range(N)])


@pytest.mark.parametrize(("off", "width", "n"), [(1.0, 5, 5), (1.019, 5, 5), (1.022, 5, 0), (1.0, 4, 0)])
def test_states_among_their_counties_are_totals_by_their_codes(off, width, n):
    codes, people = ["0" * width], [0]
    for state in range(1, 5):
        counts = [97 * state + 1000 * k for k in range(1, 7)]
        codes += [f"{state:0{width - 3}}000", *(f"{state:0{width - 3}}{2 * k + 1:03}" for k in range(6))]
        people += [round(off * sum(counts)), *counts]
    people[0] = sum(people) // 2
    rates = [f"{k % 9}.25" for k in range(29)]
    assert n_left_out(code=codes, place=[f"p{chr(97 + k)}" for k in range(29)], people=people, rate=rates) == n
    ids = [str(30_990 + k) for k in range(29)]  # 31000 counts like the others
    assert n_left_out(code=ids, place=[f"p{chr(97 + k)}" for k in range(29)], people=people, rate=rates) == 0


@pytest.mark.parametrize(("word", "n"), [("Year to date", 3), ("Latest year", 0)])
def test_summaries_of_months_at_the_end(word, n):
    months = [*["Jan", "Feb", "Mar", "Apr"] * 6, "Latest three months", word, "% change from year earlier"]
    assert n_left_out(month=months, visits=[k * k % 97 for k in range(27)], nights=[k % 11 for k in range(27)]) == n


@pytest.mark.parametrize("last", ["Relative Standard Deviation", "Injection 9"])
def test_statistics_below_a_column_that_counts_are_no_rows(last):
    """As Chromeleon writes them below its injections."""
    below = ["Maximum", "Average", "Minimum", "Standard Deviation", last]
    numbers = [*(str(k) for k in range(1, 61)), *below]
    kinds = [*("ab"[k % 2] for k in range(60)), *[""] * 5]
    n = n_left_out(
        no=numbers, type=kinds, area=[k * k % 97 + 0.5 for k in range(65)], height=[k % 31 for k in range(65)]
    )
    assert (n == 5) == (last == "Relative Standard Deviation")


@pytest.mark.parametrize(("last", "n"), [((30, 28, 30, 29), 1), ((30, 28, 30, 30), 0), ((30, 28, "", ""), 0)])
def test_a_last_row_that_counts_the_cells_above_is_no_row(last, n):
    width, height, weight = ([str(k * k % p + 0.5) for k in range(30)] for p in (17, 23, 29))
    height[3] = height[9] = weight[4] = ""
    site = [*("ab"[k % 2] for k in range(30)), "b"]
    columns = ([*cells, str(count)] for cells, count in zip(([*"xyz"] * 10, height, width, weight), last, strict=True))
    assert n_left_out(site=site, **dict(zip("klmn", columns, strict=True))) == n


@pytest.mark.parametrize(("n_counts", "n"), [(3, 1), (2, 0)])
def test_a_row_of_sums_beside_shares_is_a_total_whatever_its_name(n_counts, n):
    counts = [[k * k * p % 97 + 9 for k in range(30)] for p in (3, 5, 7)[:n_counts]]
    shares = {f"share{p}": [*(f"0.{k * p % 89 + 10}" for k in range(30)), "0.5"] for p in (3, 7)}
    columns = {f"n{p}": [*cells, sum(cells)] for p, cells in enumerate(counts)}
    places = [*(f"p{chr(97 + k % 26)}{'x' * (k // 26)}" for k in range(30)), "England and Wales"]
    assert n_left_out(place=places, **columns, **shares) == n
