"""Columns that number, code or record the rows, and copies of the label, are no features."""

import numpy as np
import pytest

from datasets.proposals import Choices, apply, propose
from datasets.proposals.roles import IN_LABEL, SAME_AS_LABEL, TELLS_PERSONS, measured_alike
from datasets.reading import read_table
from tests.datasets.proposals.tables import cycled, normal, table_of

N = 60
LABEL = cycled("xyz", N)
CODES, IDS, ALIKE = "it holds codes", "it holds the numbers of an identifier", "it holds codes, nearly all different"


def planned(name, cells, label=LABEL):
    plan = apply(propose(table_of(**{"a": normal(N), name: cells, "b": normal(N, 1), "label": label})))
    return next(column for column in plan.planned if column.name == name)


DIFFERENT = [3_000 + 37 * (7 * k % N) for k in range(N)]


@pytest.mark.parametrize(
    ("name", "cells", "reason"),
    [
        ("IDnum", [f"{n}.25" for n in DIFFERENT], IDS),
        ("station_cd", DIFFERENT, CODES),
        ("cd", DIFFERENT, ""),  # cadmium
        ("telefono", DIFFERENT, ALIKE),
        ("matricola", DIFFERENT, ALIKE),
        ("PLZ", [n // 2 * 2 for n in DIFFERENT], ALIKE),
        ("CAP", DIFFERENT, CODES),
        ("cap width", DIFFERENT, ""),  # of a mushroom
        ("Column1", [9 * k for k in range(N)], "it is a different number in every row, an id"),
    ],
)
def test_numbers_below_a_name_of_codes_are_no_feature(name, cells, reason):
    column = planned(name, cells)
    assert (column.role, column.reason) == ("left_out" if reason else "number", reason)


@pytest.mark.parametrize(
    ("name", "cells", "reason"),
    [
        ("who", ["ann@x.org", "bob.b@mail.example.com", "eve+1@x.org", "dan@x.org"], TELLS_PERSONS),
        ("created_by.x", ["Ann", "Bob", "Eve", "Dan"], TELLS_PERSONS),
        ("_submitted_by", ["Ann", "Bob", "Eve", "Dan"], TELLS_PERSONS),
        ("username", ["Ann", "Bob", "Eve", "Dan"], TELLS_PERSONS),
        ("divided_by", ["two", "three", "four", "ten"], ""),
        ("opened email", ["no", "twice", "once", "yes"], ""),
        ("place", ["@home", "@work", "outside", "@sea"], ""),
    ],
)
def test_who_wrote_a_row_down_is_no_feature(name, cells, reason):
    column = planned(name, cycled(cells, N))
    assert (column.role, column.reason) == ("left_out" if reason else "categories", reason)


@pytest.mark.parametrize(
    ("name", "role"),
    [("STATE", "left_out"), ("town code", "left_out"), ("minutes", "number")],
)
def test_short_codes_with_leading_zeros_are_told_by_their_name(name, role):
    assert planned(name, [f"{k * k % 59:02}" for k in range(N)]).role == role
    assert planned(name, [str(k * k % 59) for k in range(N)]).reason != "it holds codes with leading zeros"


@pytest.mark.parametrize(("odd", "left_out"), [("1077f78a-0ec2-4def-aad4-cc0b93b09e5", True), ("unknown ", False)])
def test_numbers_that_are_uuids_in_some_rows_name_the_records(odd, left_out):
    cells = [f"{odd}{k % 10}" if k > 54 else k * k % 31 for k in range(N)]
    assert (planned("title", cells).role == "left_out") == left_out


@pytest.mark.parametrize(
    ("n", "last", "left_out"), [(50, "", True), (49, "", False), (50, "town-1", False), (50, "town-31400", False)]
)
def test_numbers_that_stand_in_the_names_of_the_rows_are_no_feature(n, last, left_out):
    branch = [300 + 37 * (7 * k % 53) for k in range(n)]
    slugs = [f"town-{chr(97 + k % 26)}-{number}" for k, number in enumerate(branch)]
    slugs[-1] = last or slugs[-1]
    table = table_of(branch=branch, slug=slugs, size=normal(n), kind=cycled("uv", n))
    assert ("branch" not in apply(propose(table)).columns.features) == left_out


def test_of_a_code_and_the_words_that_it_stands_for_the_words_are_kept():
    words = cycled(["north", "south", "east", "west"], N)
    code = {"north": "01", "south": "02", "east": "03", "west": "11"}
    columns = {"region": [code[word] for word in words], "name": words, "a": normal(N), "label": LABEL}
    assert dict(apply(propose(table_of(**columns))).columns.left_out) == {"region": "it tells no more than name"}
    columns = {"dose": [str(int(code[word])) for word in words]} | columns  # an amount
    assert "dose" in apply(propose(table_of(**columns))).columns.features


@pytest.mark.parametrize("n", [3, 2])
@pytest.mark.parametrize("ends", [("ID", "Time"), (" no.", " %")])
def test_columns_that_end_alike_are_measures_where_others_with_the_same_beginnings_stand_beside(n, ends):
    names = [f"T{k}{end}" for k in range(n) for end in ends]
    cells = {name: [1_000 + 37 * (k * (j + 7) % 61) for k in range(N)] for j, name in enumerate(names)}
    facts = propose(table_of(**cells, label=LABEL)).facts
    assert measured_alike(facts) == ({f"T{k}{ends[0]}" for k in range(n)} if n == 3 else set())
    features = apply(propose(table_of(**cells, label=LABEL))).columns.features
    assert set(features) == {name for name in names if n == 3 or name.endswith(ends[1])}


def test_identifiers_beside_names_stay_identifiers():
    cells = {}
    for k, thing in enumerate(("shop", "item", "buyer")):
        cells |= {f"{thing} id": [j * (k + 7) % 50 for j in range(N)], f"{thing} name": cycled("uvw", N)}
    assert measured_alike(propose(table_of(**cells, label=LABEL)).facts) == set()


@pytest.mark.parametrize(("n", "left_out"), [(10, True), (9, False)])
def test_the_numbers_of_the_label_in_other_writing_are_no_feature(n, left_out):
    price = [210_000 + 1_700 * (k * k % 31) + 13 * k for k in range(n)]
    written = [f"{p // 1000} {p % 1000:03} €" for p in price]
    table = table_of(size=normal(n), rooms=normal(n, 1), price=price, price_text=written)
    out = dict(apply(propose(table), Choices(label="price")).columns.left_out)
    assert (out.get("price_text") == SAME_AS_LABEL) == left_out
    written[3] = "190 000 €"
    other = apply(
        propose(table_of(size=normal(n), rooms=normal(n, 1), price=price, price_text=written)), Choices("price")
    )
    assert "price_text" in other.columns.features


def test_whole_numbers_in_two_writings_are_one_feature():
    price = [210_000 + 1_700 * (k * k % 31) + 13 * k for k in range(16)]
    table = table_of(price=price, text=[f"{p} €" for p in price], kind=cycled("uv", 16))
    assert dict(apply(propose(table)).columns.left_out)["text"] == "it is the same as price"


@pytest.mark.parametrize(("slips", "left_out"), [(0, True), (1, False)])
@pytest.mark.parametrize("name", ["Sloping", "terrain: sloping", "terrain_Sloping"])
def test_a_column_that_ticks_a_class_by_its_name_is_a_part_of_the_label(name, slips, left_out):
    terrain = cycled(["Flat", "Sloping", "Undulating"], N)
    ticks = np.array([int(word == "Sloping") for word in terrain])
    ticks[:slips] = 1 - ticks[:slips]
    assert (planned(name, ticks, terrain).reason == IN_LABEL) == left_out
    assert planned("Upsloping", ticks, terrain).role == "number"


@pytest.mark.parametrize(
    ("name", "first", "left_out"),
    [("Group", 1_000, True), ("sample_name", 1_000, True), ("group size", 1_000, False), ("Group", 5, False)],
)
def test_numbers_of_one_length_that_name_samples_are_identifiers(name, first, left_out):
    """As mothur calls its samples; numbers of several lengths may count."""
    numbers = [first + k * 37 % 997 * 9 for k in range(N)]
    counts = {f"otu{j}": [k * (j + 3) % 97 for k in range(N)] for j in range(4)}
    plan = apply(propose(table_of(**{name: numbers}, **counts, kind=cycled(["a", "b"], N))))
    assert (name in dict(plan.columns.left_out)) == left_out


@pytest.mark.parametrize(("first", "left_out"), [(1_790, False), (3_790, True), (2_050, True)])
def test_years_in_a_column_without_a_name_are_no_identifier(first, left_out):
    """Up to 1849, or beyond 2100."""
    rows = [f"{first + k},{k * k % 97}.5,{'ab'[k % 3 % 2]}" for k in range(N)]
    plan = apply(propose(read_table("\n".join([",people,kind", *rows]).encode(), "t.csv")))
    assert ("column 1" in dict(plan.columns.left_out)) == left_out


@pytest.mark.parametrize(("digits", "is_name"), [(18, True), (14, False)])
def test_whole_numbers_larger_than_doubles_tell_apart_name_the_rows_whatever_their_length(digits, is_name):
    """As the identifiers of Gaia."""
    cells = [str(7 * 10 ** (digits - k % 3) + k * k * 10 ** (digits - 9)) for k in range(N)]
    assert (planned("Gaia", cells).role == "left_out") == is_name
